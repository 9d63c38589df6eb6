// Publishes a post under a key, which a file remembers: run it twice, or from two processes at once, for one post.
//
//   node --env-file=.env post-once.ts [autumn-menu] [journal.db]
//
// Both runs need the same platform: `pagepics example` starts a new sandbox each time, so start `pagepics sandbox` instead.
//
// The key is that of the post: the id of the row or the job that asks for it.
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, untilSettled } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '' } = process.env;
const [idempotencyKey = 'autumn-menu', file = 'journal.db'] = process.argv.slice(2);
const client = createPageClientFromEnv({ journal: sqliteJournal(new DatabaseSync(file)) });

const post = await untilSettled(
  () =>
    client.publishPost({
      pageId,
      pageToken,
      message: 'The autumn menu is here.',
      idempotencyKey,
    }),
  {
    // Another process is publishing it, or the outcome of a lost request is not known yet, or a limit is used up.
    onWait: ({ error, attempt }) => attempt === 1 && console.error(`Waiting: ${error.message}`),
  },
);
console.log(`published: ${post.id}`);
