// Schedules the posts of a table on a Page, whose times are local ones: five at a time, each once.
//
//   node --env-file=.env schedule-many.ts [journal.db]
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, untilSettled } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';

import { momentOf } from './support/momentOf.ts';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '' } = process.env;
const [file = ':memory:'] = process.argv.slice(2);
const client = createPageClientFromEnv({ journal: sqliteJournal(new DatabaseSync(file)) });

// In an app, the rows of a table or a file, with their times. Here they are of the next days.
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const rows = [
  { id: 'row-1', at: `${inDays(2)} 09:00`, message: 'Brunch from ten' },
  { id: 'row-2', at: `${inDays(3)} 18:30`, message: 'Live music tonight' },
  { id: 'row-3', at: `${inDays(4)} 08:15`, message: 'Closed on Monday' },
];

// Five rows are under way or wait at a time, and a sixth begins when one of them ends.
const rest = rows.values();
await Promise.all(
  Array.from({ length: 5 }, async () => {
    for (const row of rest) await schedule(row);
  }),
);

/** What fails for one row is no reason to stop for the others. */
async function schedule({ id, at, message }: (typeof rows)[number]): Promise<void> {
  try {
    const scheduledAt = momentOf(at, 'Europe/Berlin');
    const post = { pageId, pageToken, message, scheduledAt, idempotencyKey: id };
    const scheduled = await untilSettled(() => client.publishPost(post));
    console.log(`${id}: ${scheduled.id}, ${scheduledAt.toISOString()}`);
  } catch (error) {
    console.error(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
