#!/usr/bin/env bash
# BullMQ 6.7.0: a job with `attempts: 10` whose workers are killed twice is failed for good, after two starts: `job stalled
# more than allowable limit`. Kills are no attempts: `maxStalledCount` of the worker counts them, and it is 1 by default.
#
# It matters for jobs that run while machines are replaced: two deploys that kill the same job end it, with nine attempts
# unused. Raise `maxStalledCount`.
#
# Seen:
#   default: 2 starts, failed, job stalled more than allowable limit
#   maxStalledCount 5: 3 starts, completed
#
# It needs a redis-server on the PATH.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
command -v redis-server >/dev/null || { echo 'this needs a redis-server on the PATH'; exit 2; }
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts bullmq@6.7.0 ioredis@6.0.0
cat >check.mjs <<'JS'
import { fork } from 'node:child_process';

import { Queue, Worker } from 'bullmq';

const [, , port, name, maxStalledCount] = process.argv;
const connection = { host: '127.0.0.1', port: Number(port) };
if (name === undefined) {
  const seen = [`default: ${await run('default')}`, `maxStalledCount 5: ${await run('raised', 5)}`];
  for (const line of seen) console.log(line);
  const stated = [
    'default: 2 starts, failed, job stalled more than allowable limit',
    'maxStalledCount 5: 3 starts, completed',
  ];
  process.exit(seen.join() === stated.join() ? 0 : 1);
}

// A worker: its first two starts of the job never end, and it is killed in them.
const options = maxStalledCount ? { maxStalledCount: Number(maxStalledCount) } : {};
const worker = new Worker(
  name,
  (job) =>
    new Promise((resolve) => {
      process.send('start');
      if (Number(process.env.KILLS) >= 2) resolve('done');
      else void job;
    }),
  { connection, lockDuration: 1000, stalledInterval: 1000, ...options },
);
worker.on('failed', () => process.send('failed'));
worker.on('completed', () => process.send('completed'));

/** Kills the worker in the first two starts of the job. */
async function run(queueName, stalls) {
  const queue = new Queue(queueName, { connection });
  const { id } = await queue.add('job', {}, { attempts: 10 });
  let starts = 0;
  for (let kills = 0; ; kills++) {
    const args = [port, queueName, ...(stalls === undefined ? [] : [`${stalls}`])];
    const child = fork('check.mjs', args, { env: { ...process.env, KILLS: `${kills}` } });
    const said = await new Promise((resolve) => {
      child.on('message', (message) => {
        if (message === 'start') starts++;
        if (message !== 'start' || kills < 2) resolve(message);
      });
    });
    child.kill('SIGKILL');
    if (said === 'start') continue;
    const { failedReason } = await queue.getJob(id);
    await queue.close();
    return `${starts} starts, ${said}${failedReason ? `, ${failedReason}` : ''}`;
  }
}
JS
port=$(node -p 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); }); ""' | tr -d '\n')
redis-server --port "$port" --bind 127.0.0.1 --dir "$folder" --save '' >/dev/null &
server=$!
node check.mjs "$port"
