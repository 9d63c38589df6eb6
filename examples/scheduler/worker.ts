// A worker: takes posts from the queue and publishes them. Start as many as you like, on as many machines, and kill
// any of them at any moment: no post goes out twice, and none is lost.
import { type Platform, reactTo } from 'pagepics';
import { createGovernor } from 'pagepics/governor';
import { postgresJournal } from 'pagepics/journal';
import { createPageContext, publishPhoto, publishPost } from 'pagepics/page';
import { createPicsContextViaPages, publish } from 'pagepics/pics';
import pg from 'pg';
import type { Job, JobResult } from 'pg-boss';

import { orThrow } from '../support/orThrow.ts';
import { type DuePost, openQueue, type PlannedPost, publishing, type WorkerMessage } from './queue.ts';

const databaseUrl = variable('DATABASE_URL');
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
pool.on('error', (error) => console.error(`Postgres: ${error.message}`));

const journal = postgresJournal(pool);
const settings = {
  appId: variable('APP_ID'),
  appSecret: variable('APP_SECRET'),
  platform: JSON.parse(variable('PLATFORM')) as Platform,
  journal,
  // All workers together stay under the limits of the Page and of its account.
  governor: createGovernor({ store: journal }),
  // A call must end before its job expires.
  deadlineMs: 8000,
  // Short, so that the example ends soon. The defaults are right for the live platforms.
  timeoutMs: 2000,
  journalLeaseMs: 3000,
  journalSettleMs: 5000,
  retry: { baseDelayMs: 50 },
};
const pageContext = orThrow(createPageContext(settings));
const picsContext = orThrow(createPicsContextViaPages(settings));
const onPage = { pageId: variable('PAGE_ID'), pageToken: variable('PAGE_TOKEN') };
const onPics = { picsUserId: variable('PICS_USER_ID'), token: variable('PAGE_TOKEN') };

const boss = await openQueue(databaseUrl);
await boss.work(
  publishing,
  { perJobResults: true, pollingIntervalSeconds: 0.5, localConcurrency: 3 },
  async (jobs: Job<DuePost>[]) => Promise.all(jobs.map(handle)),
);

// A deploy: posts under way are finished. A kill never gets here.
process.once('SIGTERM', () => void stop());

async function stop(): Promise<void> {
  await boss.stop();
  await pool.end();
  process.disconnect?.();
}

async function handle({ id, data: post }: Job<DuePost>): Promise<JobResult> {
  tell(post, 'begins');
  const result = await publishPlanned(post);
  if (result.isOk()) {
    tell(post, 'published');
    return { id, status: 'completed', output: result.value };
  }
  const { error } = result;
  const reaction = reactTo(error, post.attempts);
  if (reaction.is === 'a matter for a person') {
    tell(post, 'handed over');
    // Into the dead letter queue, with everything that is known.
    return { id, status: 'deadletter', output: error };
  }
  if (reaction.is === 'to be called again') {
    const { afterMs, isAttempt } = reaction;
    // It waits in the queue, as any number of jobs can at once: this worker goes on with other ones.
    // If this process dies before pg-boss completes the job, another worker gets it too. That does no harm: it is told
    // what the first one published.
    const again: DuePost = { ...post, attempts: post.attempts + (isAttempt ? 1 : 0) };
    await boss.send(publishing, again, { startAfter: new Date(Date.now() + afterMs) });
    const event = isAttempt ? 'failed' : error.name === 'RateLimitError' ? 'held back' : 'busy';
    tell(post, event, 'outcome' in error && isAttempt ? error.outcome : undefined);
  } else {
    tell(post, 'published');
  }
  return { id, status: 'completed', output: error };
}

/** Publishes under the key of the post: whoever calls, and however often, it goes out once. */
function publishPlanned({ key, platform, text, imageUrl = '' }: PlannedPost) {
  if (platform === 'pics')
    return publish(picsContext, { ...onPics, caption: text, imageUrl, idempotencyKey: key });
  return imageUrl === ''
    ? publishPost(pageContext, { ...onPage, message: text, idempotencyKey: key })
    : publishPhoto(pageContext, { ...onPage, message: text, photoUrl: imageUrl, idempotencyKey: key });
}

/** For the figures at the end. */
function tell({ key }: PlannedPost, event: WorkerMessage['event'], outcome?: WorkerMessage['outcome']): void {
  process.send?.({ key, event, outcome } satisfies WorkerMessage);
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
