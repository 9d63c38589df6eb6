#!/usr/bin/env bash
# bee-queue 2.0.0: the job of a killed worker never comes back, although each queue has a `stallInterval` (5 s by default), and
# new workers are running: only a queue that calls `checkStalledJobs` looks for such jobs.
#
# It matters for whoever reads the option as a promise: a job in hand at a kill stays `active` for good, and nothing is
# reported. Call `checkStalledJobs(interval)` on every worker.
#
# Seen:
#   three intervals later: not started again
#   after checkStalledJobs: started again
#
# It needs a redis-server on the PATH.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
command -v redis-server >/dev/null || { echo 'this needs a redis-server on the PATH'; exit 2; }
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts bee-queue@2.0.0
cat >check.mjs <<'JS'
import { fork } from 'node:child_process';

import BeeQueue from 'bee-queue';

const [, , port, isWorker] = process.argv;
const queue = new BeeQueue('jobs', { redis: { host: '127.0.0.1', port: Number(port) }, stallInterval: 1000 });
if (isWorker) {
  // Its job does not end by itself.
  queue.process(() => {
    process.send('start');
    return new Promise(() => undefined);
  });
} else {
  const first = fork('check.mjs', [port, 'worker']);
  await queue.createJob({}).save();
  await new Promise((resolve) => first.once('message', resolve));
  first.kill('SIGKILL');

  let isStarted = false;
  queue.process(async () => void (isStarted = true));
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  await wait(3500);
  const show = () => (isStarted ? 'started again' : 'not started again');
  const seen = [`three intervals later: ${show()}`];
  for (let looks = 0; looks < 10 && !isStarted; looks++) {
    await queue.checkStalledJobs();
    await wait(1100);
  }
  seen.push(`after checkStalledJobs: ${show()}`);
  for (const line of seen) console.log(line);
  const stated = ['three intervals later: not started again', 'after checkStalledJobs: started again'];
  process.exit(seen.join() === stated.join() ? 0 : 1);
}
JS
port=$(node -p 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); }); ""' | tr -d '\n')
redis-server --port "$port" --bind 127.0.0.1 --dir "$folder" --save '' >/dev/null &
server=$!
node check.mjs "$port"
