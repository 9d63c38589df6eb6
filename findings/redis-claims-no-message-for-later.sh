#!/usr/bin/env bash
# Redis 7.0.15: `XCLAIM … TIME` sets when a message of a stream was delivered last, and a time that is ahead is taken for the
# present one, without an error; so is a negative `IDLE`. `XPENDING` shows the message as idle for some milliseconds, and
# `XAUTOCLAIM` hands it out after its usual time.
#
# It matters for consumers that would give a job back for later: the command answers OK, and nothing was delayed. Streams have
# no delay; what waits belongs in a sorted set.
#
# Seen, for a message that is to wait for ten minutes, and a consumer that takes what is idle for 300 ms:
#   TIME in ten minutes: idle for less than 300 ms, claimed after 0.5 s
#   IDLE of minus ten minutes: idle for less than 300 ms, claimed after 0.5 s
#
# It needs a redis-server on the PATH.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
command -v redis-server >/dev/null || { echo 'this needs a redis-server on the PATH'; exit 2; }
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ioredis@6.0.0
cat >check.mjs <<'JS'
import { Redis } from 'ioredis';

const redis = new Redis({ host: '127.0.0.1', port: Number(process.argv[2]) });
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const later = {
  'TIME in ten minutes': () => ['TIME', Date.now() + 600_000],
  'IDLE of minus ten minutes': () => ['IDLE', -600_000],
};
const seen = [];
for (const [name, options] of Object.entries(later)) {
  const stream = name;
  await redis.xgroup('CREATE', stream, 'workers', '0', 'MKSTREAM');
  const id = await redis.xadd(stream, '*', 'job', '1');
  await redis.xreadgroup('GROUP', 'workers', 'first', 'STREAMS', stream, '>');
  await redis.xclaim(stream, 'workers', 'first', 0, id, ...options(), 'JUSTID');
  const [[, , idle]] = await redis.xpending(stream, 'workers', '-', '+', 1);
  await wait(500);
  const [, claimed] = await redis.xautoclaim(stream, 'workers', 'second', 300, '0');
  const when = claimed.length === 1 ? 'claimed after 0.5 s' : 'not claimed after 0.5 s';
  seen.push(`${name}: idle for ${idle < 300 ? 'less than 300 ms' : `${idle} ms`}, ${when}`);
}
console.log(seen.join('\n'));
const expected = Object.keys(later).map((name) => `${name}: idle for less than 300 ms, claimed after 0.5 s`);
process.exit(seen.join() === expected.join() ? 0 : 1);
JS
port=$(node -p 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); }); ""' | tr -d '\n')
redis-server --port "$port" --bind 127.0.0.1 --dir "$folder" --save '' >/dev/null &
server=$!
node check.mjs "$port"
