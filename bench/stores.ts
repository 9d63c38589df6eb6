// The stores on which journals are measured and attacked: files, and servers that are started on this machine. `npm run
// test:servers` installs the clients and servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { memoryJournal } from '../src/core/index.ts';
import {
  createJournal,
  type IoRedisClient,
  type Journal,
  type JournalStore,
  postgresJournal,
  redisJournal,
  sqliteJournal,
} from '../src/stores/index.ts';

const ours = { createJournal, memoryJournal, postgresJournal, redisJournal, sqliteJournal };
/** The journals of this code, or of a build. */
export type Journals = typeof ours;

export const storeNames = ['memory', 'sqlite', 'postgres', 'redis'] as const;
export type StoreName = (typeof storeNames)[number];

/** A store that any process can open. */
export interface Store extends AsyncDisposable {
  readonly name: StoreName;
  readonly address: string;
}

export interface OpenedStore {
  readonly journal: Journal;
  /** How often the store was asked so far. */
  readonly trips: () => number;
  /** Runs a statement in the store's language: SQL or Lua. */
  readonly run: (text: string) => Promise<unknown>;
  /** The least that a lock and a result under a key take in the store, for comparison: three commands. */
  readonly bare?: (key: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface PgPool {
  readonly query: (text: string, values?: string[]) => Promise<{ readonly rows: readonly object[] }>;
  readonly on: (event: 'error', listener: () => void) => void;
  readonly end: () => Promise<void>;
}

/** Starts a store, with its data in a folder. */
export async function startStore(name: StoreName, folder: string): Promise<Store> {
  if (name === 'postgres') {
    // Not a literal: its imports are installed only next to it, where the type check does not look.
    const { href } = new URL('../examples/scheduler/startPostgres.ts', import.meta.url);
    const { startPostgres } = (await import(href)) as {
      readonly startPostgres: () => Promise<AsyncDisposable & { readonly url: string }>;
    };
    const server = await startPostgres();
    return { name, address: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }
  if (name === 'redis') return startRedis(folder);
  return { name, address: join(folder, 'journal.db'), [Symbol.asyncDispose]: async () => undefined };
}

async function startRedis(folder: string): Promise<Store> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  const port = Object(address).port as number;
  const flags = ['--port', `${port}`, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'];
  const server = spawn('redis-server', [...flags, '--save', '', '--bind', '127.0.0.1']);
  for await (const text of server.stdout) if (`${text}`.includes('Ready to accept connections')) break;
  server.stdout.resume();
  return {
    name: 'redis',
    address: `redis://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

/** Opens a store as a caller's process does. */
export async function openStore(
  name: StoreName,
  address: string,
  { createJournal, memoryJournal, postgresJournal, redisJournal, sqliteJournal }: Journals = ours,
): Promise<OpenedStore> {
  let trips = 0;
  const counted = <TValues extends unknown[], TResult>(work: (...values: TValues) => TResult) => {
    return (...values: TValues): TResult => {
      trips++;
      return work(...values);
    };
  };
  if (name === 'postgres') {
    const { default: pg } = await installed<{ default: { Pool: new (options: object) => PgPool } }>('pg');
    const pool = new pg.Pool({ connectionString: address, max: 16 });
    pool.on('error', () => undefined);
    return {
      // Still a pool of pg, whose statements the journal names.
      journal: postgresJournal(
        Object.create(pool, { query: { value: counted(pool.query.bind(pool)) } }) as PgPool,
      ),
      trips: () => trips,
      run: (text) => pool.query(text),
      close: () => pool.end(),
    };
  }
  if (name === 'redis') {
    const { Redis } = await installed<{
      Redis: new (
        address: string,
        options: object,
      ) => IoRedisClient & { on: (event: 'error', listener: () => void) => void; disconnect: () => void };
    }>('ioredis');
    const client = new Redis(address, { maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    return {
      journal: redisJournal({
        get: counted((key: string) => client.get(key)),
        call: counted((command: string, ...values: string[]) => client.call(command, ...values)),
      }),
      trips: () => trips,
      run: (text) => client.call('EVAL', text, '0'),
      bare: async (key) => {
        await client.call('SET', key, 'held', 'NX', 'EX', '604800');
        await client.get(key);
        await client.call('SET', key, 'x'.repeat(300), 'EX', '604800');
      },
      close: async () => client.disconnect(),
    };
  }
  const db = new DatabaseSync(name === 'sqlite' ? address : ':memory:');
  // As the docs advise. Other processes may open it at the same time.
  db.exec('pragma busy_timeout = 5000; pragma journal_mode = wal');
  const journal = name === 'sqlite' ? sqliteJournal(db) : memoryJournal();
  return {
    // A store of its own: what only wraps a journal makes no joint writes.
    journal: createJournal(countedStore(journal, () => trips++)),
    trips: () => trips,
    run: async (text) => db.exec(text),
    close: async () => db.close(),
  };
}

function countedStore(journal: Journal, count: () => void): JournalStore {
  const { list, compareAndSetAll } = journal;
  return {
    get: (key) => {
      count();
      return journal.get(key);
    },
    compareAndSet: (...replacement) => {
      count();
      return journal.compareAndSet(...replacement);
    },
    ...(list && { list }),
    ...(compareAndSetAll && {
      compareAndSetAll: (...all: Parameters<typeof compareAndSetAll>) => {
        count();
        return compareAndSetAll(...all);
      },
    }),
  };
}

/** A package that is installed next to the tests of servers. Not a literal import: its types are not installed here. */
async function installed<TModule>(name: string): Promise<TModule> {
  const from = createRequire(join(process.cwd(), 'test/servers/package.json'));
  return (await import(pathToFileURL(from.resolve(name)).href)) as TModule;
}
