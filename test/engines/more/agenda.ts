import type { Agenda } from 'agenda';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from '../again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export async function startWorker(
  agenda: Agenda,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  lockLifetime = 300_000,
): Promise<void> {
  agenda.define<Planned>(
    'posts',
    async ({ attrs: { data } }) => {
      const { key, message } = data;
      const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
      if (post.isOk()) return;
      const afterMs = startAgainIn(post.error);
      // The job is marked as failed, and not tried again.
      if (afterMs === undefined) throw post.error;
      await agenda.schedule(new Date(Date.now() + afterMs), 'posts', data);
    },
    // The job of a killed worker comes back after this time, so the `deadlineMs` of the context is shorter.
    { lockLifetime },
  );
  await agenda.start();
}
