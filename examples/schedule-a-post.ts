// Schedules posts of a Page, moves one, cancels one, and publishes one now.
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, untilSettled } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '' } = process.env;
const [file = ':memory:'] = process.argv.slice(2); // journal.db, to remember keys when the process is gone
const client = createPageClientFromEnv({ journal: sqliteJournal(new DatabaseSync(file)) });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000); // 10 minutes ahead at least

async function schedule(idempotencyKey: string, message: string, scheduledAt: Date): Promise<string> {
  const post = { pageId, pageToken, message, scheduledAt, idempotencyKey };
  return (await untilSettled(() => client.publishPost(post))).id;
}

const brunch = await schedule('row-1', 'Brunch from ten', inDays(1));
const music = await schedule('row-2', 'Live music tonight', inDays(2));
const closed = await schedule('row-3', 'Closed on Monday', inDays(3));

await client.updatePost({ postId: brunch, pageToken, scheduledAt: inDays(4) }); // moves it
await client.updatePost({ postId: brunch, pageToken, message: 'Brunch from eleven' });
await client.deletePost({ postId: closed, pageToken }); // cancels it
await client.publishScheduledPost({ postId: music, pageToken }); // now

for (const { id, message, scheduled_publish_time } of await client.scheduledPosts({ pageId, pageToken }))
  console.log(
    `waiting    ${id}: ${message}, ${new Date(Number(scheduled_publish_time) * 1000).toISOString()}`,
  );
const [newest] = await client.posts({ pageId, pageToken, limit: 1 });
console.log(`published  ${newest?.id}: ${newest?.message}`);
