import BeeQueue from 'bee-queue';
import { type PageContext, publishPost } from 'pagepics/page';

import { startAgainIn } from '../again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export function startWorker(
  redis: { readonly host: string; readonly port: number; readonly db?: number },
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  stallInterval = 30_000,
): BeeQueue<Planned> {
  const queue = new BeeQueue<Planned>('posts', { redis, stallInterval, activateDelayedJobs: true });
  queue.process(async ({ data }) => {
    const { key, message } = data;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) return post.value.id;
    const afterMs = startAgainIn(post.error);
    if (afterMs === undefined) throw post.error;
    const again = queue.createJob(data).delayUntil(Date.now() + afterMs);
    return (await again.save()).id;
  });
  // Without this, the job of a killed worker never comes back.
  void queue.checkStalledJobs(stallInterval);
  return queue;
}
