// Two workers call as fast as they can, and the platform refuses none of their calls: each has a governor, which holds
// calls back before a limit is reached. What the governors know, they share in a file.
//
//   node --env-file=.env stay-under-limits.ts [calls of each worker] [limits.db]
import cluster from 'node:cluster';
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, RateLimitError } from 'pagepics';
import { createGovernor } from 'pagepics/governor';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '' } = process.env;
const [calls = '50', file = 'limits.db'] = process.argv.slice(2);

if (cluster.isPrimary) for (let worker = 0; worker < 2; worker++) cluster.fork();
else await work(`worker ${cluster.worker?.id}`);

async function work(name: string): Promise<void> {
  const store = sqliteJournal(new DatabaseSync(file));
  // A call waits this long for room, and fails at once if none is expected by then; nothing is sent.
  const governor = createGovernor({ store, maxWaitMs: 5000 });
  const client = createPageClientFromEnv({ governor });
  let made = 0;
  try {
    for (; made < Number(calls); made++) await client.pageProfile({ pageId, pageToken });
    console.log(`${name}: ${made} calls`);
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    const { limit, retryAfterMs = 60_000 } = error;
    const why =
      limit === undefined ? 'refused by the platform' : `the limit ${limit.kind} is at ${limit.percent} %`;
    console.log(`${name}: ${made} calls, the next in ${Math.ceil(retryAfterMs / 1000)} s: ${why}`);
  }
  await client.close();
  cluster.worker?.disconnect();
}
