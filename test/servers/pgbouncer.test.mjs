// Journals in Postgres behind a pooler that hands out connections by the transaction: PgBouncer, where it is installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { startPostgres } from '../../examples/scheduler/startPostgres.ts';
import { postgresJournal } from '../../src/stores/index.ts';
import { keepsItsWord } from '../support/journalContract.ts';

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
const here = isInstalled ? '' : ': skipped, there is no pgbouncer on the PATH';
// It refuses to run as root, which is who runs containers.
const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];

const folder = mkdtempSync(join(tmpdir(), 'pagepics-pgbouncer-'));
const opened = [];
let server;
let pooler;
let port;
let databases = 0;

beforeAll(async () => {
  if (!isInstalled) return;
  server = await startPostgres();
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  ({ port } = probe.address());
  probe.close();
  await once(probe, 'close');
  const { hostname, port: behind } = new URL(server.url);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${behind} user=postgres password=password
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
ignore_startup_parameters = extra_float_digits
`,
  );
  chmodSync(folder, 0o755);
  pooler = spawn('pgbouncer', [...user, join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const text of pooler.stderr.iterator({ destroyOnReturn: false }))
    if (`${text}`.includes('process up')) break;
  pooler.stderr.resume();
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
afterAll(async () => {
  const ended = pooler && once(pooler, 'exit');
  pooler?.kill();
  await ended;
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function address(database) {
  return `postgres://postgres:password@127.0.0.1:${port}/${database}`;
}

/** The address of a new database, by way of the pooler. */
async function newDatabase() {
  const name = `db${databases++}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return address(name);
}

/** As the docs set them up. */
const clients = {
  'a pool of pg': (url) => {
    const made = new pg.Pool({ connectionString: url, max: 20 });
    made.on('error', () => undefined);
    opened.push(() => made.end());
    return made;
  },
  postgres: (url) => {
    const made = postgres(url, { prepare: false, onnotice: () => undefined });
    opened.push(() => made.end({ timeout: 1 }));
    return made;
  },
};

describe.skipIf(!isInstalled).each(Object.entries(clients))(
  `postgresJournal behind PgBouncer, over %s${here}`,
  (_, connect) => {
    let shared;
    const open = async () => {
      shared ??= await newDatabase();
      return [postgresJournal(connect(shared)), postgresJournal(connect(shared))];
    };
    keepsItsWord(open);

    test.each([3, 20])('%i calls at once in a fresh process all succeed', async (count) => {
      const journal = postgresJournal(connect(await newDatabase()));
      const keys = Array.from({ length: count }, (_, at) => `${at}`);
      const all = (work) => Promise.all(keys.map(work));
      expect(await all((key) => journal.compareAndSet(key, undefined, '1', 60_000))).toEqual(
        keys.map(() => true),
      );
      expect(await all((key) => journal.compareAndSet(key, '1', '2', 60_000))).toEqual(keys.map(() => true));
      expect(await all((key) => journal.get(key))).toEqual(keys.map(() => '2'));
    });
  },
);
