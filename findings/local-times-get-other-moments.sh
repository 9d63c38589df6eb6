#!/usr/bin/env bash
# A local time that comes twice, 02:30 on 25 October 2026 in Europe/Berlin, is one moment today and another one later, or on
# another machine. luxon 3.7.2 and dayjs 1.11.23 take the offset that the zone has while the code runs: asked in July, it is
# the first 02:30; asked in December, the second. date-fns-tz 3.2.0 takes the second on a machine in UTC, Berlin or Tokyo, and
# the first on one in New York. Temporal, by temporal-polyfill 1.0.8, and moment-timezone 0.6.6 always take the first.
#
# It matters for posts at local times: a job that computes its moment again, in another season or on another machine, asks for
# another post than before. luxon documents that it guarantees neither moment; that the answer changes by the day, nobody says.
#
# Seen, for machines in UTC and in New York, in July and in December:
#   luxon: 00:30, 01:30; 00:30, 01:30
#   dayjs: 00:30, 01:30; 00:30, 01:30
#   date-fns-tz: 01:30, 01:30; 00:30, 00:30
#   moment-timezone: 00:30, 00:30; 00:30, 00:30
#   temporal-polyfill: 00:30, 00:30; 00:30, 00:30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund luxon@3.7.2 dayjs@1.11.23 date-fns@4.4.0 date-fns-tz@3.2.0 moment-timezone@0.6.6 temporal-polyfill@1.0.8
cat >moments.cjs <<'JS'
// The clock of this process stands at the given moment.
const now = Date.parse(process.argv[2]);
globalThis.Date = class extends Date {
  constructor(...values) {
    super(...(values.length > 0 ? values : [now]));
  }
  static now() {
    return now;
  }
};

const { fromZonedTime } = require('date-fns-tz');
const dayjs = require('dayjs');
dayjs.extend(require('dayjs/plugin/utc'));
dayjs.extend(require('dayjs/plugin/timezone'));
const { DateTime } = require('luxon');
const moment = require('moment-timezone');
const { Temporal } = require('temporal-polyfill');

const local = '2026-10-25T02:30';
const zone = 'Europe/Berlin';
const moments = {
  luxon: DateTime.fromISO(local, { zone }).toMillis(),
  dayjs: dayjs.tz(local, zone).valueOf(),
  'date-fns-tz': fromZonedTime(local, zone).getTime(),
  'moment-timezone': moment.tz(local, zone).valueOf(),
  'temporal-polyfill': Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds,
};
const times = Object.entries(moments).map(([name, at]) => [name, new Date(at).toISOString().slice(11, 16)]);
console.log(JSON.stringify(Object.fromEntries(times)));
JS
cat >check.mjs <<'JS'
import { execFileSync } from 'node:child_process';

const ask = (TZ, now) =>
  JSON.parse(execFileSync(process.execPath, ['moments.cjs', now], { env: { ...process.env, TZ } }));
const both = (TZ) => [ask(TZ, '2026-07-01T12:00Z'), ask(TZ, '2026-12-01T12:00Z')];
const machines = [both('UTC'), both('America/New_York')];
const seen = Object.keys(machines[0][0]).map(
  (name) => `${name}: ${machines.map((seasons) => seasons.map((times) => times[name]).join(', ')).join('; ')}`,
);
console.log(seen.join('\n'));
const expected = `luxon: 00:30, 01:30; 00:30, 01:30
dayjs: 00:30, 01:30; 00:30, 01:30
date-fns-tz: 01:30, 01:30; 00:30, 00:30
moment-timezone: 00:30, 00:30; 00:30, 00:30
temporal-polyfill: 00:30, 00:30; 00:30, 00:30`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
