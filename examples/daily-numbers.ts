// Prints the numbers of a day, of a Page and of its photo-sharing account, as lines of CSV:
//
//   node --env-file=.env daily-numbers.ts [2026-03-01]     yesterday, unless you name a day
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv } from 'pagepics';

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

const page = createPageClientFromEnv();
const { metrics, refused } = await page.pageInsights({ pageId, pageToken, ...range });
for (const [metric, values] of Object.entries(metrics)) print('page', metric, values);
for (const [metric, { message }] of Object.entries(refused)) console.error(`page, ${metric}: ${message}`);

const pics = createPicsClientViaPagesFromEnv();
const asked = ['reach', 'views', 'accounts_engaged', 'total_interactions', 'follower_count'];
const series = await pics.insightSeries({ token: pageToken, picsUserId, metrics: asked, ...range });
for (const metric of asked) {
  const values = series[metric];
  print('account', metric, values ?? []);
  if (values?.reason !== undefined) console.error(`account, ${metric}: ${values.reason}`);
}
