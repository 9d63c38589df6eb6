import { type ConnectionOptions, DelayedError, UnrecoverableError, Worker } from 'bullmq';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from './again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export function startWorker(
  connection: ConnectionOptions,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  lockDuration = 30_000,
): Worker<Planned> {
  return new Worker<Planned>(
    'posts',
    async (job, token) => {
      const { key, message } = job.data;
      const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
      if (post.isOk()) return post.value.id;
      const afterMs = startAgainIn(post.error);
      if (afterMs === undefined) throw new UnrecoverableError(post.error.message);
      await job.moveToDelayed(Date.now() + afterMs, token);
      throw new DelayedError(); // tells BullMQ that the job was moved
    },
    // By default, a second kill makes the job fail, whatever its `attempts`.
    { connection, lockDuration, stalledInterval: lockDuration, maxStalledCount: 100 },
  );
}
