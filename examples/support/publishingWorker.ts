import { DurableObject, env } from 'cloudflare:workers';
import type { Platform } from 'pagepics';
import { createGovernor } from 'pagepics/governor';
import { createJournal, durableObjectJournal, type Journal } from 'pagepics/journal';
import { createPageContext, publishPost } from 'pagepics/page';

import { errorResponse } from './errorResponse.ts';
import { isAllowed } from './isAllowed.ts';

type Store = Pick<Journal, 'get' | 'compareAndSet'>;

interface Environment {
  /** What callers send as `Authorization: Bearer <key>`. Whoever has it publishes on the Page. */
  readonly API_KEY: string;
  readonly APP_ID: string;
  readonly APP_SECRET: string;
  readonly PAGE_ID: string;
  readonly PAGE_TOKEN: string;
  /** An app leaves it out, which means the live platform. */
  readonly PLATFORM: Platform;
  readonly LIMITS: { getByName(name: string): Store };
}

/** Knows how much of the limits is used up, for Workers that are anywhere: of this object there is one. */
export class Limits extends DurableObject implements Store {
  readonly #journal = durableObjectJournal(this.ctx.storage);

  get(key: string): Promise<string | undefined> {
    return this.#journal.get(key);
  }

  compareAndSet(...replacement: Parameters<Journal['compareAndSet']>): Promise<boolean> {
    return this.#journal.compareAndSet(...replacement);
  }
}

// A request may only use a stub that was made for it, so each use makes one.
const limits = (): Store => (env as Environment).LIMITS.getByName('limits');

/** One for all requests that this instance serves. */
const governor = createGovernor({
  store: createJournal({
    get: (key) => limits().get(key),
    compareAndSet: (...replacement) => limits().compareAndSet(...replacement),
  }),
});

export default {
  async fetch(request: Request, bindings: Environment): Promise<Response> {
    if (!(await isAllowed(request, bindings.API_KEY))) return new Response(null, { status: 401 });
    const { APP_ID, APP_SECRET, PAGE_ID, PAGE_TOKEN, PLATFORM } = bindings;
    const settings = { appId: APP_ID, appSecret: APP_SECRET, platform: PLATFORM };
    const context = createPageContext({ ...settings, governor });
    if (context.isErr()) return errorResponse(context.error);
    const message = await request.text();
    const post = await publishPost(context.value, { pageId: PAGE_ID, pageToken: PAGE_TOKEN, message });
    // Held back: 429, with a `Retry-After`.
    return post.isOk() ? Response.json(post.value, { status: 201 }) : errorResponse(post.error, ['message']);
  },
};
