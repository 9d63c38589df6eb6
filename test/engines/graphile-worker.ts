import { type JobHelpers, run, type Runner } from 'graphile-worker';
import { type PageContext, publishPost } from 'pagepics/page';
import type { Pool } from 'pg';

import { startAgainIn } from './again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export async function startWorker(
  pool: Pool,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  lockSeconds = 300,
): Promise<Runner> {
  // graphile-worker gives the jobs of a killed worker back after four hours. The `deadlineMs` of the context is shorter than
  // `lockSeconds`; were a worker alive all the same, a second one with its job would be `busy`.
  const unlock = `select graphile_worker.force_unlock_workers(array_agg(locked_by))
    from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1)`;
  const report = (error: Error): void => console.error(error.message);
  setInterval(() => void pool.query(unlock, [lockSeconds]).catch(report), lockSeconds * 200).unref();

  async function publish(payload: unknown, { addJob }: JobHelpers): Promise<void> {
    const { key, message } = payload as Planned;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) return;
    const afterMs = startAgainIn(post.error);
    // It is tried up to 25 times over three days, and fails again unless somebody mends what is wrong.
    if (afterMs === undefined) throw post.error;
    await addJob('posts', payload, { runAt: new Date(Date.now() + afterMs) });
  }
  return run({ pgPool: pool, taskList: { posts: publish } });
}
