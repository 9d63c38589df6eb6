import { type ConnectionOptions, DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import { reactTo } from 'pagepics';
import { type PageContext, publishPost } from 'pagepics/page';

interface PlannedPost {
  /** That of the row that plans it. */
  readonly key: string;
  readonly message: string;
  /** How many attempts there were. Absent before the first time. */
  readonly attempts?: number;
}

/** Publishes the posts of a queue. What cannot be published yet is delayed for as long as the error says. */
export function startWorker(
  context: PageContext,
  connection: ConnectionOptions,
  onPage: { readonly pageId: string; readonly pageToken: string },
): Worker<PlannedPost, string | undefined> {
  async function publishPlanned(job: Job<PlannedPost>, token?: string): Promise<string | undefined> {
    const { key, message, attempts = 0 } = job.data;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) return post.value.id;
    const reaction = reactTo(post.error, attempts);
    if (reaction.is === 'to be called again') {
      if (reaction.isAttempt) await job.updateData({ ...job.data, attempts: attempts + 1 });
      await job.moveToDelayed(Date.now() + reaction.afterMs, token);
      throw new DelayedError(); // tells BullMQ that the job was moved
    }
    // Into the failed jobs, where a person looks. Without this class, BullMQ might retry on its own.
    if (reaction.is === 'a matter for a person') throw new UnrecoverableError(post.error.message);
    return undefined; // it is out, and its id cannot be learned
  }
  return new Worker('posts', publishPlanned, { connection, concurrency: 3 });
}
