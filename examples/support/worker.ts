import { DurableObject } from 'cloudflare:workers';
import { createJournal, durableObjectJournal, eventsOnce, type Journal } from 'pagepics/journal';
import { createWebhookHandler } from 'pagepics/webhooks';

type Store = Pick<Journal, 'get' | 'compareAndSet'>;

interface Environment {
  readonly VERIFY_TOKEN: string;
  readonly APP_SECRET: string;
  readonly EVENTS: { getByName(name: string): Store };
  /** Ids of leads, for whatever reads them. */
  readonly LEADS: { put(key: string, value: string): Promise<void> };
}

interface Execution {
  waitUntil(work: Promise<void>): void;
}

/** Knows which events were handled. Workers have no storage, and are anywhere; of this object there is one. */
export class Events extends DurableObject implements Store {
  readonly #journal = durableObjectJournal(this.ctx.storage);

  get(key: string): Promise<string | undefined> {
    return this.#journal.get(key);
  }

  compareAndSet(...replacement: Parameters<Journal['compareAndSet']>): Promise<boolean> {
    return this.#journal.compareAndSet(...replacement);
  }
}

export default {
  fetch(request: Request, env: Environment, execution: Execution): Promise<Response> {
    const store = env.EVENTS.getByName('events');
    const journal = createJournal({
      get: (key) => store.get(key),
      compareAndSet: (...replacement) => store.compareAndSet(...replacement),
    });
    const handler = createWebhookHandler({
      verifyToken: env.VERIFY_TOKEN,
      secrets: env.APP_SECRET,
      once: eventsOnce(journal),
      // The response is sent at once; the events are handled afterwards.
      background: (work) => execution.waitUntil(work),
      onEvent: async ({ type, data }) => {
        if (type === 'leadgen') await env.LEADS.put(data.leadgen_id, JSON.stringify(data));
      },
      onError: (error, { key }) => console.error(key, error),
    });
    return handler(request);
  },
};
