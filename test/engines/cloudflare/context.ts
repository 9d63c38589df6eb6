// The context and its journal, a Durable Object, from the bindings that the worker process gives. An app has no hooks here.
import { DurableObject, env } from 'cloudflare:workers';
import type { Platform } from 'pagepics';
import { createJournal, durableObjectJournal, type Journal } from 'pagepics/journal';
import { createPageContext } from 'pagepics/page';

interface Environment {
  readonly JOURNAL: { getByName(name: string): Pick<Journal, 'get' | 'compareAndSet'> };
  readonly SETTINGS: {
    readonly app: { readonly id: string; readonly secret: string };
    readonly platform: Platform;
    readonly onPage: { readonly pageId: string; readonly pageToken: string };
    readonly isKeyed: boolean;
    readonly diesAtEnd: boolean;
  };
}

export class PublishingJournal extends DurableObject {
  readonly #journal = durableObjectJournal(this.ctx.storage);

  get(key: string): Promise<string | undefined> {
    return this.#journal.get(key);
  }

  compareAndSet(...replacement: Parameters<Journal['compareAndSet']>): Promise<boolean> {
    return this.#journal.compareAndSet(...replacement);
  }
}

// What the worker process binds.
const { JOURNAL, SETTINGS } = env as Environment;
const { app, platform, isKeyed, diesAtEnd } = SETTINGS;
export const { onPage } = SETTINGS;

const store = () => JOURNAL.getByName('publishing');
const journal = createJournal({
  get: (key) => store().get(key),
  compareAndSet: (...replacement) => store().compareAndSet(...replacement),
});

const made = createPageContext({
  appId: app.id,
  appSecret: app.secret,
  platform,
  ...(isKeyed ? { journal } : {}),
  // As those of the other engines.
  timeoutMs: 2000,
  journalLeaseMs: 3000,
  journalSettleMs: 5000,
  retry: { baseDelayMs: 50 },
  onCallStart: () => console.log('call: start'),
  onCallEnd: ({ error }) => {
    console.log(error === undefined ? 'call: end' : 'call: failure');
    // Nothing more happens here until the worker process, which reads this line, is killed.
    while (diesAtEnd) continue;
  },
});
if (made.isErr()) throw made.error;
export const context = made.value;
