// Prints the numbers of a day, of a Page and of its photo-sharing account, as lines of CSV:
//
//   node --env-file=.env daily-numbers.ts [2026-03-01]     yesterday, unless you name a day
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, isSdkError } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
// Days of numbers end at midnight Pacific time.
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format();
const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
const [day = yesterday] = process.argv.slice(2);
const range = { since: day, until: day };

function print(
  where: string,
  metric: string,
  values: readonly { day?: string | undefined; value: unknown }[],
) {
  for (const { day, value } of values) console.log([day, where, metric, JSON.stringify(value)].join(','));
}

/** The other half is still read if one fails, and the run ends with code 1. */
async function readHalf(where: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isSdkError(error)) throw error;
    console.error(`${where}: ${error.message}`);
    process.exitCode = 1;
  }
}

await readHalf('page', async () => {
  const page = createPageClientFromEnv();
  const { metrics, refused } = await page.pageInsights({ pageId, pageToken, ...range });
  for (const [metric, values] of Object.entries(metrics)) print('page', metric, values);
  for (const [metric, { message }] of Object.entries(refused)) console.error(`page, ${metric}: ${message}`);
});

await readHalf('account', async () => {
  const pics = createPicsClientViaPagesFromEnv();
  const asked = ['reach', 'views', 'accounts_engaged', 'total_interactions', 'follower_count'];
  const series = await pics.insightSeries({ token: pageToken, picsUserId, metrics: asked, ...range });
  for (const [metric, values] of Object.entries(series)) {
    const { reason, failedDays } = values;
    print('account', metric, values);
    if (reason !== undefined) console.error(`account, ${metric}: ${[reason, ...failedDays].join(', ')}`);
  }
});
