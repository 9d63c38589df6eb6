// Publishes a post under a key, which a file remembers: run it twice, or from two processes at once, for one post.
//
//   node --env-file=.env post-once.ts [autumn-menu] [journal.db]
//
// Both runs need the same platform: `pagepics example` starts a new sandbox each time, so start `pagepics sandbox` instead.
//
// The key is that of the post: the id of the row or the job that asks for it.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { createPageClientFromEnv, isSdkError } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '' } = process.env;
const [idempotencyKey = 'autumn-menu', file = 'journal.db'] = process.argv.slice(2);
const client = createPageClientFromEnv({ journal: sqliteJournal(new DatabaseSync(file)) });

for (let lastMessage = ''; ;) {
  try {
    const post = await client.publishPost({
      pageId,
      pageToken,
      message: 'The autumn menu is here.',
      idempotencyKey,
    });
    console.log(`published: ${post.id}`);
    break;
  } catch (error) {
    // Another process is publishing it, or the outcome of a lost request is not known yet, or a limit is used up.
    if (!isSdkError(error) || !('retryAfterMs' in error) || error.retryAfterMs === undefined) throw error;
    // The other process usually ends long before its lease, and a call until then asks only the journal.
    const isBusy = error.name === 'TransportError' && error.reason === 'busy';
    const waitMs = isBusy ? Math.min(error.retryAfterMs, 1000) : error.retryAfterMs;
    if (error.message !== lastMessage)
      console.error(`Waiting ${Math.ceil(error.retryAfterMs / 1000)} s at most: ${error.message}`);
    lastMessage = error.message;
    await sleep(waitMs);
  }
}
