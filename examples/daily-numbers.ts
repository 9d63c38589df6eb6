// Prints the numbers of a Page and of its photo-sharing account, day by day, as lines of CSV:
//
//   node --env-file=.env daily-numbers.ts [2026-03-01 [2026-03-31]]     the last seven days, unless you name others
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, isSdkError } from 'pagepics';
import type { InsightDays, PageMetricDays } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const [since = daysAgo(7), until = daysAgo(1)] = process.argv.slice(2);
const metrics = ['reach', 'views', 'accounts_engaged', 'total_interactions', 'follower_count'];

const halves = {
  page: async () =>
    (await createPageClientFromEnv().pageInsights({ pageId, pageToken, since, until })).metrics,
  account: () =>
    createPicsClientViaPagesFromEnv().insightSeries({ token: pageToken, picsUserId, metrics, since, until }),
};

for (const [where, read] of Object.entries(halves)) {
  try {
    for (const [metric, days] of Object.entries(await read())) print(where, metric, days);
  } catch (error) {
    // The other half is still read, and the run ends with code 1.
    if (!isSdkError(error)) throw error;
    console.error(`${where}: ${error.message}`);
    process.exitCode = 1;
  }
}

function print(where: string, metric: string, days: InsightDays | PageMetricDays) {
  for (const { day, value } of days) console.log([day, where, metric, JSON.stringify(value)].join(','));
  // Those that are late come with a later run.
  const { reason, failedDays, emptyDays } = days;
  if (reason !== undefined) console.error(`${where}, ${metric}: ${[reason, ...failedDays].join(', ')}`);
  if (emptyDays.length > 0) console.error(`${where}, ${metric}: no value on ${emptyDays.join(', ')}`);
}
