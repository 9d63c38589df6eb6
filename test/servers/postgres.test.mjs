// Journals in Postgres, through the clients that people have.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { startPostgres } from '../../examples/scheduler/startPostgres.ts';
import { publishPost } from '../../src/page/index.ts';
import { postgresJournal, postgresJournalTable } from '../../src/stores/index.ts';
import { createWorld, leaseMs } from '../core/writes/journal/support.ts';
import { keepsItsWord, publishesEqualOnes } from '../support/journalContract.ts';
import { together } from './together.mjs';

let server;
let admin;
let databases = 0;
const opened = [];

beforeAll(async () => {
  server = await startPostgres();
  admin = pool(server.url);
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
afterAll(async () => {
  await admin?.end();
  await server?.[Symbol.asyncDispose]();
});

/** The address of a new database. */
async function newDatabase() {
  const name = `db${databases++}`;
  await admin.query(`create database ${name}`);
  return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
}

function pool(connectionString) {
  const made = new pg.Pool({ connectionString });
  // As pg demands: an idle connection that breaks would otherwise end the process.
  made.on('error', () => undefined);
  return made;
}

const clients = {
  'a pool of pg': (url) => {
    const made = pool(url);
    opened.push(() => made.end());
    return made;
  },
  postgres: (url) => {
    const made = postgres(url, { onnotice: (notice) => notices.push(notice) });
    opened.push(() => made.end({ timeout: 1 }));
    return made;
  },
};
const notices = [];

describe.each(Object.entries(clients))('postgresJournal over %s', (name, connect) => {
  let shared;
  const open = async () => {
    shared ??= await newDatabase();
    return [postgresJournal(connect(shared)), postgresJournal(connect(shared))];
  };
  keepsItsWord(open);
  publishesEqualOnes(open);

  test('prepares its statements, and does without where the server forgets them', async () => {
    const url = await newDatabase();
    const client =
      name === 'postgres' ? postgres(url, { max: 1 }) : new pg.Pool({ connectionString: url, max: 1 });
    const ask = async (text) => (name === 'postgres' ? client.unsafe(text) : (await client.query(text)).rows);
    const journal = postgresJournal(client);
    try {
      expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
      expect(await journal.compareAndSet('a', '1', '2', 60_000)).toBe(true);
      const [{ n }] = await ask(
        `select count(*)::int as n from pg_prepared_statements where statement like 'update "pagepics_journal"%'`,
      );
      expect(n).toBe(1);
      // As behind a pooler that gives a client the connection of another.
      await ask('deallocate all');
      if (name !== 'postgres') expect(await journal.compareAndSet('a', '2', '3', 60_000)).toBe(true);
      if (name !== 'postgres') expect(await journal.get('a')).toBe('3');
    } finally {
      await client.end();
    }
  });

  // `postgres` 3.4.9 does not, as docs/journal.md says: its issue 1208.
  test.skipIf(name === 'postgres')('outlives that the server ends its connections', async () => {
    const url = await newDatabase();
    const child = fork(new URL('ended.mjs', import.meta.url).pathname, [url]);
    const ended = once(child, 'exit');
    let said;
    child.on('message', (message) => {
      said = message;
    });
    await once(child, 'message');
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    let ends = 0;
    while (said?.stored === undefined && !isOver) {
      const { rowCount } = await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [new URL(url).pathname.slice(1)],
      );
      ends += rowCount;
    }
    const { stored, reasons } = said ?? {};
    if (!isOver) child.send('go on');
    const [code] = await ended;

    expect({ code, said }).toEqual({ code: 0, said: { isAlive: true } });
    expect(ends).toBeGreaterThan(10);
    expect(stored).toBeGreaterThan(0);
    expect(reasons).not.toEqual([]);
  });

  test('makes its table once, with an index, and says nothing', async () => {
    const url = await newDatabase();
    const journals = Array.from({ length: 8 }, () => postgresJournal(connect(url)));
    const seen = await Promise.all(journals.map((journal) => journal.get('a')));
    expect(seen).toEqual(Array(8).fill(undefined));
    expect(await postgresJournal(connect(url)).get('a')).toBeUndefined();
    expect(notices.splice(0)).toEqual([]);
    const { rows } = await clients['a pool of pg'](url).query(
      `select indexname from pg_indexes where tablename = 'pagepics_journal' order by 1`,
    );
    expect(rows.map(({ indexname }) => indexname)).toEqual([
      'pagepics_journal_ends_at',
      'pagepics_journal_pkey',
    ]);
  });

  test('does without the right to make a table where there is one', async () => {
    const url = await newDatabase();
    expect(await postgresJournal(connect(url)).compareAndSet('a', undefined, '1', 60_000)).toBe(true);
    const role = `role${databases}`;
    await clients['a pool of pg'](url).query(
      `create role ${role} login password 'password';
      grant select, insert, update, delete on pagepics_journal to ${role}`,
    );
    const journal = postgresJournal(connect(Object.assign(new URL(url), { username: role }).href));
    expect(await journal.compareAndSet('a', '1', '2', 60_000)).toBe(true);
    expect(await journal.get('a')).toBe('2');
    expect(notices.splice(0)).toEqual([]);
  });

  test('takes the table that its SQL has made, tries no other, and says which right is missing', async () => {
    const url = await newDatabase();
    const owner = clients['a pool of pg'](url);
    await owner.query('create schema tenant');
    const table = 'tenant.Journal_1';
    await owner.query(postgresJournalTable({ table }));
    const role = `role${databases}`;
    await owner.query(
      `create role ${role} login password 'password'; grant usage on schema tenant to ${role};
      grant select, insert, update on tenant."Journal_1" to ${role}`,
    );
    const narrow = connect(Object.assign(new URL(url), { username: role }).href);
    const journal = postgresJournal(narrow, { table });
    const refusal = {
      reason: 'journal',
      message:
        'the journal failed: the role may not select, insert, update and delete in the table "tenant"."Journal_1" (42501)',
    };
    await expect(journal.compareAndSet('a', undefined, '1', 60_000)).rejects.toMatchObject(refusal);
    await owner.query(`grant delete on tenant."Journal_1" to ${role}`);
    expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
    await owner.query(`revoke select on tenant."Journal_1" from ${role}`);
    await expect(postgresJournal(narrow, { table }).get('a')).rejects.toMatchObject(refusal);
    await expect(postgresJournal(narrow).get('a')).rejects.toMatchObject({
      message:
        'the journal failed: there is no table "pagepics_journal", and the role may not create it (42501)',
    });
  });

  test('does again what a serializable isolation undid', async () => {
    const url = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    await admin.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    const pair = [postgresJournal(connect(url)), postgresJournal(connect(url))];
    for (let round = 0; round < 5; round++) {
      const values = Array.from({ length: 30 }, (_, at) => `${round} ${at}`);
      const stored = await Promise.all(
        values.map((value, at) => pair[at % 2].compareAndSet(`k${round}`, undefined, value, 60_000)),
      );
      expect(stored.filter(Boolean)).toEqual([true]);
    }
  });

  test('replaces without a change of the index, and deletes what is over, some at once', async () => {
    const url = await newDatabase();
    const journal = postgresJournal(connect(url));
    const owner = clients['a pool of pg'](url);
    const dayMs = 86_400_000;
    expect(await journal.compareAndSet('a', undefined, '0', dayMs)).toBe(true);
    await owner.query(
      `insert into pagepics_journal select 'over ' || n, 'x', now() - interval '1 day' from generate_series(1, 500) n`,
    );
    const ends = async () =>
      (await owner.query(`select ends_at from pagepics_journal where key = 'a'`)).rows[0].ends_at;
    const before = await ends();
    expect(before.getTime() - Date.now()).toBeGreaterThan(dayMs - 1000);
    expect(before.getTime() % 3_600_000).toBe(0);
    for (let at = 0; at < 40; at++) await journal.compareAndSet(`b${at}`, undefined, '0', dayMs);
    const { rows } = await owner.query(`select count(*)::int as n from pagepics_journal where value = 'x'`);
    expect(rows).toEqual([{ n: 100 }]);
    expect(await journal.compareAndSet('a', '0', '1', dayMs)).toBe(true);
    // Two ends only where the hour has changed between.
    expect([0, 3_600_000]).toContain((await ends()).getTime() - before.getTime());
  });

  test('rejects when the server stops, also in the middle, and goes on when it is back', async () => {
    const url = await newDatabase();
    const journal = postgresJournal(connect(url));
    expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
    const owner = pool(url);
    await owner.query(
      `create function sleep() returns trigger as 'begin perform pg_sleep(600); end' language plpgsql;
      create trigger sleep before update on pagepics_journal execute function sleep()`,
    );
    const waiting = journal.compareAndSet('a', '1', '2', 60_000).catch((thrown) => thrown);
    await expect
      .poll(async () => {
        const { rows } = await owner.query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`);
        return rows.length;
      })
      .toBe(1);
    await owner.end();
    await server.stop();
    try {
      expect(await waiting).toBeInstanceOf(Error);
      await expect(journal.get('a')).rejects.toBeInstanceOf(Error);
      await expect(postgresJournal(connect(url)).get('a')).rejects.toBeInstanceOf(Error);
    } finally {
      await server.start();
    }
    await expect.poll(() => journal.get('a').catch(() => 'down')).toBe('1');
    await clients['a pool of pg'](url).query('drop trigger sleep on pagepics_journal');
    expect(await journal.compareAndSet('a', '1', '2', 60_000)).toBe(true);
  });

  test('ends a call that the store keeps waiting: nothing is sent', async () => {
    const url = await newDatabase();
    const journal = postgresJournal(connect(url));
    await journal.get('a');
    const holder = await clients['a pool of pg'](url).connect();
    await holder.query('begin; lock table pagepics_journal in access exclusive mode');
    const world = createWorld();
    const { sandbox, page } = world;
    const hasty = world.start(Infinity, { journal, timeoutMs: 300 });
    const options = { pageId: page.id, pageToken: page.token, message: 'Hi', idempotencyKey: 'k' };

    const post = await publishPost(hasty.context, options);

    expect(post._unsafeUnwrapErr()).toMatchObject({ reason: 'journal', outcome: 'rejected' });
    expect(sandbox.requests).toEqual([]);
    await holder.query('rollback');
    // The claim comes late, and its call has ended: it blocks others for a lease.
    const rows = async () => (await holder.query('select from pagepics_journal')).rowCount;
    await expect.poll(rows).toBe(1);
    holder.release();
    const publish = () => publishPost(world.start(Infinity, { journal }).context, options);
    expect((await publish())._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
    sandbox.advance(leaseMs);
    expect((await publish()).isOk()).toBe(true);
    expect(sandbox.effects('post').length).toBe(1);
  });
});

describe('postgresJournal over PGlite', () => {
  let database;
  beforeAll(async () => {
    database = await PGlite.create();
  });
  afterAll(() => database?.close());
  keepsItsWord(() => [postgresJournal(database), postgresJournal(database)]);
});

test('a client of pg inside a transaction is refused, and taken after it', async () => {
  const client = await clients['a pool of pg'](await newDatabase()).connect();
  const journal = postgresJournal(client);
  expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
  await client.query('begin');
  await expect(journal.compareAndSet('a', '1', '2', 60_000)).rejects.toMatchObject({
    message: 'the journal failed: the client is inside a transaction, which may roll back',
  });
  await client.query('commit');
  expect(await journal.compareAndSet('a', '1', '2', 60_000)).toBe(true);
  client.release();
});

test('transactions of postgres and PGlite are refused at once', async () => {
  const refusal = expect.objectContaining({ name: 'ConfigurationError', option: 'pool' });
  const sql = clients.postgres(await newDatabase());
  await sql.begin((transaction) => {
    expect(() => postgresJournal(transaction)).toThrow(refusal);
  });
  const database = await PGlite.create();
  await database.transaction(async (transaction) => {
    expect(() => postgresJournal(transaction)).toThrow(refusal);
  });
  await database.close();
});

test('eight processes make the table at the same time, and one of them gets the key', async () => {
  const seen = await together(8, 'postgres', await newDatabase(), 'a');
  expect(seen.map(({ code }) => code)).toEqual(Array(8).fill(0));
  const winners = seen.filter(({ isStored }) => isStored).map(({ pid }) => `${pid}`);
  expect(winners.length).toBe(1);
  expect(new Set(seen.map(({ value }) => value))).toEqual(new Set(winners));
});
