import { DurableObject, WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { NonRetryableError } from 'cloudflare:workflows';
import type { Result } from 'neverthrow';
import { isFinal, type Platform } from 'pagepics';
import { createJournal, durableObjectJournal, type Journal } from 'pagepics/journal';
import { containerStatus, createPicsContextViaPages, publish, type PublishFailure } from 'pagepics/pics';

import { isAllowed } from './isAllowed.ts';
import { orThrow } from './orThrow.ts';

interface Environment {
  /** What callers send as `Authorization: Bearer <key>`. Whoever has it publishes for the account. */
  readonly API_KEY: string;
  readonly APP_SECRET: string;
  readonly PAGE_TOKEN: string;
  readonly PICS_USER_ID: string;
  /** An app leaves it out, which means the live platform. */
  readonly PLATFORM: Platform;
  readonly JOURNAL: { getByName(name: string): Pick<Journal, 'get' | 'compareAndSet'> };
  readonly REELS: {
    create(options: { readonly id: string; readonly params: Reel }): Promise<{ readonly id: string }>;
    get(id: string): Promise<{ status(): Promise<object> }>;
  };
}

/** What a run publishes. */
interface Reel {
  readonly videoUrl: string;
  readonly caption: string;
}

/** The journal, in an object of its own: runs have no storage, and may be anywhere. */
export class PublishingJournal extends DurableObject {
  readonly #journal = durableObjectJournal(this.ctx.storage);

  get(key: string): Promise<string | undefined> {
    return this.#journal.get(key);
  }

  compareAndSet(...replacement: Parameters<Journal['compareAndSet']>): Promise<boolean> {
    return this.#journal.compareAndSet(...replacement);
  }
}

/** Publishes a Reel in steps. Cloudflare runs each until it succeeds, even one that did its work and then failed. */
export class PublishReel extends WorkflowEntrypoint<Environment, Reel> {
  override async run({ instanceId, payload }: WorkflowEvent<Reel>, step: WorkflowStep): Promise<unknown> {
    const { APP_SECRET, PAGE_TOKEN, PICS_USER_ID, PLATFORM, JOURNAL } = this.env;
    const store = JOURNAL.getByName('publishing');
    const journal = createJournal({
      get: (key) => store.get(key),
      compareAndSet: (...replacement) => store.compareAndSet(...replacement),
    });
    const context = orThrow(
      createPicsContextViaPages({ appSecret: APP_SECRET, platform: PLATFORM, journal }),
    );
    // The key of the run: all its steps, and all their attempts, concern one Reel.
    const reel = {
      token: PAGE_TOKEN,
      picsUserId: PICS_USER_ID,
      ...payload,
      idempotencyKey: instanceId,
    };

    // Creates the container, without waiting for it. If it already exists, the journal knows its id.
    const containerId = await step.do('create', patiently, async () => {
      const published = await publish(context, { ...reel, waitTimeoutMs: 0 });
      if (published.isErr() && published.error.name === 'ContainerNotReadyError')
        return published.error.containerId;
      return settled(published).container_id;
    });

    for (let look = 1; ; look++) {
      const status = await step.do(`look ${look}`, patiently, async () => {
        const { status_code } = orThrow(await containerStatus(context, { token: PAGE_TOKEN, containerId }));
        return status_code;
      });
      if (status !== 'IN_PROGRESS') break;
      await step.sleep(`wait ${look}`, '1 second');
    }

    return step.do('publish', patiently, async ({ attempt }) => {
      const published = settled(await publish(context, reel));
      // For the example: the machine dies once, after the Reel is published and before anybody learns of it.
      if (attempt === 1) throw new Error('the machine died');
      return { ...published, attempt };
    });
  }
}

/** Longer than a lease and `journalSettleMs` together, so that neither `busy` nor `unknown` ends a run. */
const patiently = { retries: { limit: 12, delay: '1 second', backoff: 'exponential' } } as const;

/** The value; or throws a failure that another attempt may settle, or one that ends the run. */
function settled<TValue>(published: Result<TValue, PublishFailure>): TValue {
  if (published.isOk()) return published.value;
  const { error } = published;
  // Also if it is certainly published and its id is unknown: no further attempt will find it.
  throw isFinal(error) ? new NonRetryableError(error.message, error.name) : error;
}

export default {
  /** `PUT /<id>` starts a run, `GET /<id>` returns its state. */
  async fetch(request: Request, { API_KEY, REELS }: Environment): Promise<Response> {
    if (!(await isAllowed(request, API_KEY))) return new Response(null, { status: 401 });
    const id = new URL(request.url).pathname.slice(1);
    if (request.method === 'PUT') await REELS.create({ id, params: (await request.json()) as Reel });
    return Response.json(await (await REELS.get(id)).status());
  },
};
