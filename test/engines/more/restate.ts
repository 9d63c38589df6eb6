import * as restate from '@restatedev/restate-sdk';
import { errorFromJSON } from 'pagepics';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from '../again.ts';

interface Planned {
  /** The id of the row that plans the post, and the idempotency key of the invocation. */
  readonly key: string;
  readonly message: string;
}

/** `restate.serve({ services: [createService(context, onPage)] })` serves it. */
export function createService(
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
) {
  async function publishOnce({ key, message }: Planned) {
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    // Plain data: what is thrown here counts as an attempt, and Restate tries again when it likes.
    return post.isOk() ? { id: post.value.id } : { error: post.error.toJSON() };
  }

  async function publish(invocation: restate.Context, planned: Planned): Promise<string> {
    for (;;) {
      const { id, error } = await invocation.run('publish', () => publishOnce(planned));
      if (id !== undefined) return id;
      const failure = errorFromJSON(error);
      const afterMs = failure && startAgainIn(failure);
      if (afterMs === undefined) throw new restate.TerminalError(failure?.message ?? 'no error of the SDK');
      await invocation.sleep(afterMs);
    }
  }
  return restate.service({ name: 'posts', handlers: { publish } });
}
