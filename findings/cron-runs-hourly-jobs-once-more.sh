#!/usr/bin/env bash
# cron 4.4.0, which is under @nestjs/schedule, runs an hourly job once more in the night on which clocks go forward: one of
# `30 * * * *` at 03:00, for the half past two that never comes, and at 03:30. Its README says nothing of such nights.
#
# Of a job at 02:30 and 14:30, four packages make four things:
# - cron runs it once in each night: in spring at 03:00, in autumn at the first half past two.
# - croner 11.0.1 does not run it in spring, and twice in autumn, though it runs `30 2 * * *` once in each.
# - node-cron 4.6.0 does not run it in spring, and in autumn at the second half past two: while the hour comes first, it runs
#   nothing, not even each quarter of it.
# - cron-parser 5.10.6, which queues use, tells one run in each.
# croner and node-cron document what they do.
#
# It matters for what publishes by the clock of a place: the same pattern is one post, two or none by the package that reads
# it, so whatever is published needs a key of its day and hour, and not one of its run.
#
# Seen, in Europe/Berlin, with times in UTC; the clocks are those of @sinonjs/fake-timers:
#   spring, 30 * * * *: cron 00:30 01:00 01:30, croner 00:30 01:30, node-cron 00:30 01:30, cron-parser 00:30 01:30
#   spring, 30 2,14 * * *: cron 01:00, croner none, node-cron none, cron-parser 01:30
#   autumn, 30 2,14 * * *: cron 00:30, croner 00:30 01:30, node-cron 01:30, cron-parser 00:30
#   spring, 30 2 * * *: cron 01:00, croner 01:00, node-cron none, cron-parser 01:30
#   autumn, 30 2 * * *: cron 00:30, croner 00:30, node-cron 01:30, cron-parser 00:30
#   autumn, */15 * * * *: cron 8, croner 8, node-cron 4, cron-parser 8
# The last line counts the runs from 23:45 to 01:30.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund cron@4.4.0 croner@11.0.1 cron-parser@5.10.6 node-cron@4.6.0 @sinonjs/fake-timers@15.5.0
cat >check.mjs <<'JS'
import FakeTimers from '@sinonjs/fake-timers';
import { CronJob } from 'cron';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import nodeCron from 'node-cron';

const timeZone = 'Europe/Berlin';
const nights = {
  spring: ['2026-03-29T00:15Z', '2026-03-29T01:45Z'],
  autumn: ['2026-10-24T23:40Z', '2026-10-25T01:40Z'],
};
/** Each starts a job, and returns what stops it. */
const schedulers = {
  cron(cronTime, onTick) {
    const job = CronJob.from({ cronTime, onTick, timeZone, start: true });
    return () => job.stop();
  },
  croner(pattern, onTick) {
    const job = new Cron(pattern, { timezone: timeZone }, onTick);
    return () => job.stop();
  },
  'node-cron'(pattern, onTick) {
    const task = nodeCron.schedule(pattern, onTick, { timezone: timeZone });
    return () => task.destroy();
  },
};

/** When a job runs in a night. */
async function runsOf(start, pattern, [from, to]) {
  const clock = FakeTimers.install({ now: new Date(from) });
  const runs = [];
  const stop = start(pattern, () => void runs.push(new Date()));
  await clock.tickAsync(Date.parse(to) - Date.parse(from));
  await stop();
  clock.uninstall();
  return runs;
}

function runsByParser(pattern, [from, to]) {
  const runs = [];
  const parsed = CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: new Date(from) });
  for (let next = parsed.next(); next.getTime() < Date.parse(to); next = parsed.next()) runs.push(next.toDate());
  return runs;
}

async function tell(season, pattern, show) {
  const told = [];
  for (const [name, start] of Object.entries(schedulers))
    told.push([name, await runsOf(start, pattern, nights[season])]);
  told.push(['cron-parser', runsByParser(pattern, nights[season])]);
  return `${season}, ${pattern}: ${told.map(([name, runs]) => `${name} ${show(runs)}`).join(', ')}`;
}
const times = (runs) => runs.map((at) => at.toISOString().slice(11, 16)).join(' ') || 'none';

const seen = [
  await tell('spring', '30 * * * *', times),
  await tell('spring', '30 2,14 * * *', times),
  await tell('autumn', '30 2,14 * * *', times),
  await tell('spring', '30 2 * * *', times),
  await tell('autumn', '30 2 * * *', times),
  await tell('autumn', '*/15 * * * *', (runs) => runs.length),
];
console.log(seen.join('\n'));
const expected = `spring, 30 * * * *: cron 00:30 01:00 01:30, croner 00:30 01:30, node-cron 00:30 01:30, cron-parser 00:30 01:30
spring, 30 2,14 * * *: cron 01:00, croner none, node-cron none, cron-parser 01:30
autumn, 30 2,14 * * *: cron 00:30, croner 00:30 01:30, node-cron 01:30, cron-parser 00:30
spring, 30 2 * * *: cron 01:00, croner 01:00, node-cron none, cron-parser 01:30
autumn, 30 2 * * *: cron 00:30, croner 00:30, node-cron 01:30, cron-parser 00:30
autumn, */15 * * * *: cron 8, croner 8, node-cron 4, cron-parser 8`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
