import { type PageContext, publishPost } from 'pagepics/page';
import type { Job, JobResult, PgBoss } from 'pg-boss';

import { startAgainIn } from './again.ts';

interface Planned {
  /** The id of the row that plans the post. */
  readonly key: string;
  readonly message: string;
}

export async function startWorker(
  boss: PgBoss,
  context: PageContext,
  onPage: { readonly pageId: string; readonly pageToken: string },
  expireInSeconds = 300,
): Promise<void> {
  // The job of a killed worker comes back after this time, so the `deadlineMs` of the context is shorter.
  await boss.createQueue('posts', { expireInSeconds, retryLimit: 100 });
  await boss.work('posts', { perJobResults: true }, async (jobs: Job<Planned>[]) =>
    Promise.all(jobs.map(publish)),
  );

  async function publish({ id, data }: Job<Planned>): Promise<JobResult> {
    const { key, message } = data;
    const post = await publishPost(context, { ...onPage, message, idempotencyKey: key });
    if (post.isOk()) return { id, status: 'completed', output: post.value };
    const afterMs = startAgainIn(post.error);
    if (afterMs === undefined) return { id, status: 'deadletter', output: post.error.toJSON() };
    // Killed before the job is completed, both jobs run, under one key.
    await boss.send('posts', data, { startAfter: new Date(Date.now() + afterMs) });
    return { id, status: 'completed' };
  }
}
