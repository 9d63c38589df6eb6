import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { build } from 'esbuild';
import { afterAll, describe, expect, test, vi } from 'vitest';

import { startWorker } from '../../examples/support/miniflare.ts';
import { type ConfigurationError, memoryJournal } from '../../src/core/index.ts';
import { publishPost } from '../../src/page/index.ts';
import {
  createJournal,
  d1Journal,
  type DenoKv,
  denoKvJournal,
  durableObjectJournal,
  type Journal,
  postgresJournal,
  postgresJournalTable,
  redisJournal,
  sqliteJournal,
  sqliteJournalTable,
} from '../../src/stores/index.ts';
import { createWorld } from '../core/writes/journal/support.ts';
import { createD1 } from '../support/d1.ts';
import { keepsItsWord, publishesEqualOnes } from '../support/journalContract.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagepics-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Workers of one script. */
async function startWorkers(contents: string, names: readonly string[], bindings: object) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]?.text ?? '';
  return startWorker({
    workers: names.map((name) => ({
      name,
      modules: true,
      script,
      compatibilityDate: '2025-01-01',
      ...bindings,
    })),
  });
}

/** A journal of a Worker that takes its operations as JSON. */
function journalIn(
  worker: { readonly fetch: (url: string, init: RequestInit) => Promise<Response> },
  url = 'http://worker/',
) {
  async function ask<TResult>(...operation: unknown[]): Promise<TResult> {
    const response = await worker.fetch(url, { method: 'POST', body: JSON.stringify(operation) });
    const { result } = (await response.json()) as { readonly result: TResult };
    return result;
  }
  return createJournal({
    get: (key) => ask('get', key),
    compareAndSet: (key, expected, value, ttlMs) => ask('compareAndSet', key, expected ?? null, value, ttlMs),
    // JSON leaves out what is undefined.
    compareAndSetAll: (all) => ask('compareAndSetAll', all),
    list: async function* (query) {
      yield* await ask<readonly (readonly [string, string])[]>('list', query);
    },
  });
}

describe('memoryJournal', () =>
  keepsItsWord(() => {
    const journal = memoryJournal();
    return [journal, journal];
  }));

describe('sqliteJournal, two connections to one file', () => {
  let file = 0;
  keepsItsWord(() => {
    const path = join(folder, `${file++}.db`);
    return [sqliteJournal(new DatabaseSync(path)), sqliteJournal(new DatabaseSync(path))];
  });
});

describe('durableObjectJournal, in a Worker', () => {
  const worker = `
    import { durableObjectJournal } from './src/stores/index.ts';
    export class Keeper {
      constructor(state) { this.journal = durableObjectJournal(state.storage); }
      async fetch(request) {
        const [operation, ...values] = await request.json();
        const result = operation === 'list'
          ? await Array.fromAsync(this.journal.list(...values))
          : await this.journal[operation](...values.map((value) => value ?? undefined));
        return Response.json({ result });
      }
    }
    export default {
      fetch: (request, env) => env.KEEPER.get(env.KEEPER.idFromName(new URL(request.url).pathname)).fetch(request),
    };`;
  const started = startWorkers(worker, ['one'], { durableObjects: { KEEPER: 'Keeper' } });
  afterAll(async () => (await started).dispose());
  let object = 0;
  keepsItsWord(async () => {
    const one = await (await started).getWorker('one');
    const journal = journalIn(one, `http://worker/${object++}`);
    return [journal, journal];
  });
});

describe('durableObjectJournal', () => {
  test('replaces within a transaction', async () => {
    const stored = new Map<string, unknown>();
    let transactions = 0;
    const journal = durableObjectJournal({
      get: async (key) => stored.get(key),
      transaction: async (work) => {
        transactions++;
        return work({
          get: async (key) => stored.get(key),
          put: async (key, value) => stored.set(key, value),
        });
      },
    });
    expect(await journal.compareAndSet('a', undefined, '1', 1000)).toBe(true);
    expect(transactions).toBe(1);
  });
});

describe('d1Journal, in two Workers', () => {
  const worker = `
    import { d1Journal } from './src/stores/index.ts';
    export default {
      async fetch(request, { DB }) {
        const [operation, ...values] = await request.json();
        // One for each request, as Workers make it.
        const journal = d1Journal(DB, { table: 'acme_journal' });
        const result = operation === 'list'
          ? await Array.fromAsync(journal.list(...values))
          : await journal[operation](...values.map((value) => value ?? undefined));
        return Response.json({ result });
      },
    };`;
  const started = startWorkers(worker, ['one', 'two'], { d1Databases: { DB: 'journal' } });
  afterAll(async () => (await started).dispose());
  async function open(): Promise<readonly [Journal, Journal]> {
    const miniflare = await started;
    const [one, two] = await Promise.all([miniflare.getWorker('one'), miniflare.getWorker('two')]);
    return [journalIn(one), journalIn(two)];
  }
  // Each creates the table, at the same moment.
  test('creates its table on first use, in both at once', async () => {
    const pair = await open();
    const all = Array.from({ length: 20 }, (_, at) => pair[at % 2 === 0 ? 0 : 1]);
    expect((await Promise.all(all.map((journal) => journal.get('a')))).filter(Boolean)).toEqual([]);
  });
  keepsItsWord(open);
  publishesEqualOnes(open, 40);
});

describe('d1Journal', () => {
  test('stores by one statement, which replaces all texts or none', async () => {
    const { db, statements } = createD1();
    const journal = d1Journal(db, { prefix: 'acme:' });
    await journal.get('a');
    statements.length = 0;
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const both = [
      { key: 'a', expected: undefined, value: '1', ttlMs: 1000 },
      { key: 'b', expected: undefined, value: '2', ttlMs: 1000 },
    ];
    expect(await journal.compareAndSetAll?.(both)).toBe(true);
    expect(await journal.compareAndSetAll?.(both)).toBe(false);
    random.mockRestore();
    expect(statements.map((text) => text.split(' ')[0])).toEqual(['insert', 'insert']);
    expect([await journal.get('a'), await journal.get('b')]).toEqual(['1', '2']);
  });

  test('deletes what has expired', async () => {
    const { db, database } = createD1();
    const journal = d1Journal(db);
    await journal.compareAndSet('old', undefined, '1', 1, 1000);
    await journal.compareAndSet('later', undefined, '1', 5000, 1000);
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    await journal.compareAndSet('new', undefined, '1', 5000, 2000);
    random.mockRestore();
    const rows = database.prepare('select key from pagepics_journal order by key').all();
    expect(rows.map(({ key }) => key)).toEqual(['later', 'new']);
  });

  test('keeps a table that was created by sqliteJournalTable', async () => {
    const { db, database, statements } = createD1();
    database.exec(sqliteJournalTable({ table: 'other' }));
    const journal = d1Journal(db, { table: 'other' });
    expect(await journal.compareAndSet('a', undefined, '1', 1000)).toBe(true);
    expect(statements.filter((text) => text.startsWith('create'))).toEqual([]);
  });

  test('refuses a session, and what is no binding', () => {
    const session = { ...createD1().db, getBookmark: () => 'b' };
    expect(() => d1Journal(session)).toThrow(expect.objectContaining({ option: 'db' }));
    expect(() => d1Journal({} as never)).toThrow('db must be a client of the store, with the method prepare');
    expect(() => d1Journal(createD1().db, { table: 'a b' })).toThrow(
      expect.objectContaining({ option: 'table' }),
    );
  });

  test('passes on what else the database says', async () => {
    const { db } = createD1();
    const full = { bind: () => full, all: () => Promise.reject(new Error('D1_ERROR: database is full')) };
    await expect(d1Journal({ ...db, prepare: () => full }).get('a')).rejects.toThrow('is full');
  });
});

test.each([postgresJournal, redisJournal, sqliteJournal, d1Journal, durableObjectJournal, denoKvJournal])(
  '%o refuses the address of its store, without a word of it',
  (make) => {
    const refused = (given: unknown): unknown => {
      try {
        return make(given as never);
      } catch (error) {
        return error;
      }
    };
    const { message, option } = refused('postgres://ada:secret@db.example/app') as ConfigurationError;
    expect(message).toMatch(
      / must be a client of the store, with the method .*, not its address or its file$/,
    );
    expect(message).not.toContain('ada');
    expect(message.split(' ')[0]).toBe(option);
    expect(refused({})).toMatchObject({ option, message: expect.not.stringContaining('address') });
  },
);

describe('denoKvJournal, over a store of its interface', () => {
  keepsItsWord(() => {
    const entries = new Map<
      string,
      { readonly value: unknown; readonly versionstamp: string; readonly endsAt: number }
    >();
    let version = 0;
    const read = (key: readonly string[]) => {
      const entry = entries.get(key.join(' '));
      return entry !== undefined && entry.endsAt > Date.now() ? entry : { value: null, versionstamp: null };
    };
    const kv: DenoKv = {
      get: async (key) => read(key),
      atomic: () => {
        const checks: (() => boolean)[] = [];
        const sets: (() => void)[] = [];
        const atomic: ReturnType<DenoKv['atomic']> = {
          check: ({ key, versionstamp }) => {
            checks.push(() => read(key).versionstamp === versionstamp);
            return atomic;
          },
          set: (key, value, { expireIn }) => {
            sets.push(
              () =>
                void entries.set(key.join(' '), {
                  value,
                  versionstamp: `${++version}`,
                  endsAt: Date.now() + expireIn,
                }),
            );
            return atomic;
          },
          commit: async () => {
            const isHeld = checks.every((check) => check());
            if (isHeld) for (const set of sets) set();
            return { ok: isHeld };
          },
        };
        return atomic;
      },
      list: async function* ({ prefix }) {
        for (const name of entries.keys()) {
          yield { key: [...prefix, name.slice(prefix.join(' ').length + 1)], value: read([name]).value };
        }
      },
    };
    return [denoKvJournal(kv), denoKvJournal(kv)];
  });
});

test('postgresJournal gives each statement a name of its own, as short as the server takes', async () => {
  const texts = new Map<string, Set<string>>();
  const journal = postgresJournal({
    totalCount: 1,
    query: async (statement: unknown) => {
      const { name, text } = statement as { readonly name: string; readonly text: string };
      texts.set(name, (texts.get(name) ?? new Set()).add(text));
      return { rows: [{ key: 'k', value: 'v' }] };
    },
  } as Parameters<typeof postgresJournal>[0]);

  await journal.get('a');
  for (const expected of [undefined, 'v']) await journal.compareAndSet('a', expected, 'w', 5);
  await journal.list?.({ prefix: 'a', without: 'x' })[Symbol.asyncIterator]().next();

  expect(texts.size).toBe(5);
  expect([...texts].filter(([name, { size }]) => name.length > 63 || size > 1)).toEqual([]);
});

describe('redisJournal', () => {
  test('evaluates one script, through each client', async () => {
    const sent: unknown[] = [];
    const io = redisJournal({
      get: async () => null,
      call: async (...values) => {
        if (values[0] === 'INFO') return 'maxmemory_policy:noeviction';
        sent.push(values);
        return 1;
      },
    });
    const node = redisJournal({
      get: async () => null,
      sendCommand: async (values) => {
        if (values[0] === 'INFO') return 'maxmemory_policy:noeviction';
        sent.push(values);
        return 0;
      },
    });
    expect(await io.get('a')).toBeUndefined();
    expect(await io.compareAndSet('a', undefined, 'v', 5)).toBe(true);
    expect(await node.compareAndSet('a', 'old', 'v', 5)).toBe(false);
    const script = expect.stringContaining("redis.call('GET', key)") as string;
    expect(sent).toEqual([
      ['EVAL', script, '1', 'a', '', 'v', '5'],
      ['EVAL', script, '1', 'a', '+old', 'v', '5'],
    ]);
  });

  test('takes nothing but a text for one: a client that decodes replies in its own way has failed', async () => {
    const decoding = redisJournal({
      get: async () => Buffer.from('held'),
      sendCommand: async () => [Buffer.from('0'), [Buffer.from('a')]],
    });
    const failure = {
      reason: 'journal',
      message: 'the journal failed: the client does not reply to GET with a string',
    };

    await expect(decoding.get('a')).rejects.toMatchObject(failure);
    await expect(Array.fromAsync(decoding.list?.({ prefix: '', without: '-' }) ?? [])).rejects.toMatchObject(
      failure,
    );
  });

  test('evaluates it on the node of the key, through a cluster client', async () => {
    const sent: unknown[] = [];
    const cluster = redisJournal({
      get: async () => null,
      eval: async (_, values) => {
        sent.push(values);
        return sent.length === 2 ? 0 : 1;
      },
      masters: [],
    });
    expect(await cluster.compareAndSet('a', undefined, 'v', 5)).toBe(true);
    expect(await cluster.compareAndSet('b', '', 'v', 5)).toBe(false);
    // The texts of one step may lie on several nodes.
    expect(cluster.compareAndSetAll).toBeUndefined();
    expect(sent).toEqual([
      { keys: ['a'], arguments: ['', 'v', '5'] },
      { keys: ['b'], arguments: ['+', 'v', '5'] },
    ]);
  });

  test('lists what its client puts a prefix before', async () => {
    const stored = new Map([
      ['acme:pagepics 1', 'one'],
      ['other:pagepics 2', 'two'],
    ]);
    const patterns: unknown[] = [];
    // As ioredis does: before each key that it sends, not in a SCAN, and not in what comes back.
    const client = {
      options: { keyPrefix: 'acme:' },
      get: async (key: string) => stored.get(`acme:${key}`) ?? null,
      call: async (_: string, ...values: string[]) => {
        patterns.push(values[2]);
        return ['0', [...stored.keys()].filter((key) => key.startsWith(`${values[2]}`.replace('*', '')))];
      },
    };
    const listed: unknown[] = [];
    const { list } = redisJournal(client);
    for await (const entry of list?.({ prefix: 'pagepics ', without: '#' }) ?? []) listed.push(entry);
    expect(patterns).toEqual(['acme:pagepics *']);
    expect(listed).toEqual([['pagepics 1', 'one']]);
  });

  test('says what the server refuses', async () => {
    const refusing = redisJournal({
      get: async () => Promise.reject(new Error('NOPERM User x has no permissions to run get')),
      call: async (name) =>
        name === 'INFO'
          ? 'maxmemory_policy:noeviction'
          : Promise.reject(new Error('OOM command not allowed')),
    });
    await expect(refusing.get('a')).rejects.toMatchObject({
      reason: 'journal',
      message: 'the journal failed: the user may not run GET and EVAL with these keys (NOPERM)',
    });
    await expect(refusing.compareAndSet('a', undefined, 'v', 5)).rejects.toMatchObject({
      message: 'the journal failed: Redis refused (OOM)',
    });
  });
});

describe('the eviction policy of Redis', () => {
  const info = (policy: string): string =>
    `# Memory\r\nused_memory:1\r\nmaxmemory_policy:${policy}\r\nmaxmemory:0\r\n`;
  const notAllowed = 'ERR unknown command';

  /** A server that replies to questions as it is told: rejects with what begins like a refusal. */
  function serve(replies: Record<string, unknown>) {
    const asked: string[] = [];
    const stored = new Map<string, string>();
    const reply = async (name: string, values: readonly string[]): Promise<unknown> => {
      if (name === 'EVAL') {
        const [, , key = '', , value = ''] = values;
        stored.set(key, value);
        return 1;
      }
      asked.push(name);
      const told = replies[name] ?? notAllowed;
      if (told instanceof Error) throw told;
      if (typeof told === 'string' && /^[A-Z]{3,} /.test(told)) throw new Error(told);
      return told;
    };
    const get = async (key: string): Promise<string | null> => stored.get(key) ?? null;
    const io = { get, call: (name: string, ...values: string[]) => reply(name, values) };
    const node = {
      get,
      sendCommand: ([name = '', ...values]: string[]) => reply(name, values),
    };
    return { asked, replies, stored, clients: { ioredis: io, redis: node } };
  }

  describe.each(['ioredis', 'redis'] as const)('through a client of %s', (name) => {
    test('is asked for once, and lets operations through that lose nothing', async () => {
      const { asked, clients } = serve({ INFO: info('noeviction') });
      const journal = redisJournal(clients[name]);
      await Promise.all(['a', 'b'].map((key) => journal.get(key)));
      expect(await journal.compareAndSet('a', undefined, 'v', 5)).toBe(true);
      expect(asked).toEqual(['INFO']);
      expect(journal.takeWarning?.()).toBeUndefined();
    });

    test.each(['volatile-lru', 'volatile-ttl', 'allkeys-lru', 'allkeys-random', 'eviction'])(
      'is refused where it is %s, until it is changed',
      async (policy) => {
        const { replies, stored, clients } = serve({ INFO: info(policy) });
        const journal = redisJournal(clients[name]);
        const refusal = {
          reason: 'journal',
          message: `the journal failed: Redis may evict keys, which would be published again: its maxmemory-policy is ${policy} and must be noeviction`,
        };
        await expect(journal.get('a')).rejects.toMatchObject(refusal);
        await expect(journal.compareAndSet('a', undefined, 'v', 5)).rejects.toMatchObject(refusal);
        expect(stored.size).toBe(0);
        replies['INFO'] = info('noeviction');
        expect(await journal.compareAndSet('a', undefined, 'v', 5)).toBe(true);
      },
    );

    test.each([
      ['a list', ['maxmemory-policy', 'allkeys-lru']],
      ['a map', { 'maxmemory-policy': 'allkeys-lru' }],
    ])('is read from CONFIG GET where INFO does not have it: %s', async (_, config) => {
      const { asked, clients } = serve({ INFO: '# Memory\r\nused_memory:1', CONFIG: config });
      await expect(redisJournal(clients[name]).get('a')).rejects.toMatchObject({
        message: expect.stringContaining('is allkeys-lru and must be') as string,
      });
      expect(asked).toEqual(['INFO', 'CONFIG']);
    });

    test.each([notAllowed, 'NOPERM User x has no permissions', 'ERR Command is not available: INFO'])(
      'is told to be unknown, once, where it may not be asked for: %s',
      async (refusal) => {
        const { asked, clients } = serve({ INFO: refusal, CONFIG: refusal });
        const journal = redisJournal(clients[name]);
        const onJournalError = vi.fn<(error: Error) => void>();
        const world = createWorld();
        const { id: pageId, token: pageToken } = world.page;
        for (const key of ['1', '2']) {
          const { context } = world.start(Infinity, { journal, onJournalError });
          const post = await publishPost(context, { pageId, pageToken, message: key, idempotencyKey: key });
          expect(post.isOk()).toBe(true);
        }
        expect(asked).toEqual(['INFO', 'CONFIG']);
        expect(onJournalError.mock.calls.map(([error]) => error)).toEqual([
          expect.objectContaining({
            reason: 'journal',
            operation: 'publishPost',
            message:
              'the journal may lose entries: Redis does not tell its maxmemory-policy, which must be noeviction',
          }),
        ]);
      },
    );

    test.each([
      new Error('Connection is closed.'),
      'LOADING Redis is loading',
      'NOAUTH Authentication required.',
    ])('is asked for again after a failure that says nothing: %s', async (failure) => {
      const { replies, clients } = serve({ INFO: failure });
      const journal = redisJournal(clients[name]);
      await expect(journal.get('a')).rejects.toBeInstanceOf(Error);
      replies['INFO'] = info('allkeys-lru');
      await expect(journal.get('a')).rejects.toMatchObject({
        message: expect.stringContaining('allkeys-lru') as string,
      });
    });
  });

  test('is that of each node of a cluster', async () => {
    const servers = [info('noeviction'), info('volatile-lru')].map((INFO) => serve({ INFO }));
    const { get } = servers[0]?.clients.redis ?? { get: async () => null };
    const ofIoredis = redisJournal({
      get,
      call: async () => 1,
      isCluster: true,
      nodes: () => servers.map(({ clients }) => clients.ioredis),
    } as Parameters<typeof redisJournal>[0]);
    expect(ofIoredis.compareAndSetAll).toBeUndefined();
    const ofRedis = redisJournal({
      get,
      eval: async () => 1,
      masters: [0, 1],
      nodeClient: async (at: number) => servers[at]?.clients.redis,
    } as Parameters<typeof redisJournal>[0]);
    for (const journal of [ofIoredis, ofRedis])
      await expect(journal.get('a')).rejects.toMatchObject({
        message: expect.stringContaining('volatile-lru') as string,
      });
    expect(servers.map(({ asked }) => asked)).toEqual([
      ['INFO', 'INFO'],
      ['INFO', 'INFO'],
    ]);
  });

  test('is unknown through a client that can only read and evaluate', async () => {
    const journal = redisJournal({
      get: async () => null,
      eval: async () => 1,
    } as unknown as Parameters<typeof redisJournal>[0]);
    expect(await journal.compareAndSet('a', undefined, 'v', 5)).toBe(true);
    expect(journal.takeWarning?.()).toContain('does not tell its maxmemory-policy');
  });
});

describe('what a journal is made of', () => {
  const db = () => new DatabaseSync(':memory:');
  const wrong: readonly (readonly [option: string, make: (given: never) => unknown])[] = [
    ['pool', postgresJournal],
    ['client', redisJournal],
    ['db', sqliteJournal],
    ['storage', durableObjectJournal],
    ['kv', denoKvJournal],
  ];

  test.each(wrong)('is refused at once where the %s is none', (option, make) => {
    for (const given of [undefined, null, 'postgres://localhost', {}, Promise.resolve({})]) {
      expect(() => make(given as never)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option }),
      );
    }
  });

  test.each([
    'a b',
    'a"b',
    "a'; drop table x; --",
    '',
    '1a',
    'a.b.c',
    '.a',
    'a.',
    'ä',
    'a\n',
    'a'.repeat(55),
    7,
  ])('refuses %j as a table', (table) => {
    const options = { table } as { readonly table: string };
    const refusal = expect.objectContaining({ name: 'ConfigurationError', option: 'table' }) as Error;
    expect(() => sqliteJournal(db(), options)).toThrow(refusal);
    expect(() => postgresJournal({ query: async () => [] }, options)).toThrow(refusal);
    expect(() => postgresJournalTable(options)).toThrow(refusal);
    expect(() => sqliteJournalTable(options)).toThrow(refusal);
  });

  test.each([7, 'a\0', '\uD800', 'a'.repeat(101)])('refuses %j as a prefix', (prefix) => {
    expect(() => sqliteJournal(db(), { prefix: prefix as string })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'prefix' }),
    );
  });

  test('is refused inside a transaction, where that can be seen', async () => {
    const query = async () => [];
    for (const pool of [
      { query, rollback: async () => undefined },
      { unsafe: query, savepoint: query },
    ]) {
      expect(() => postgresJournal(pool as never)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option: 'pool' }),
      );
    }
    const database = db();
    const journal = sqliteJournal(database);
    database.exec('begin');
    await expect(journal.compareAndSet('a', undefined, '1', 1000)).rejects.toMatchObject({
      message: 'the journal failed: the database is inside a transaction, which may roll back',
    });
    database.exec('rollback');
    expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
  });

  test('keeps the tenants of one store apart', async () => {
    const database = db();
    const tenants = [
      {},
      { prefix: 'a:' },
      { prefix: 'b:' },
      { table: 'Other_1' },
      { table: 'main.third', prefix: 'a:' },
    ].map((options) => sqliteJournal(database, options));
    for (const [at, journal] of tenants.entries()) {
      expect(await journal.compareAndSet('k', undefined, `${at}`, 60_000)).toBe(true);
    }
    for (const [at, journal] of tenants.entries()) {
      expect(await journal.get('k')).toBe(`${at}`);
      const listed = [];
      for await (const row of journal.list?.({ prefix: 'k', without: 'x' }) ?? []) listed.push(row);
      expect(listed).toEqual([['k', `${at}`]]);
    }
  });
});

describe('postgresJournal', () => {
  test.each([
    ['25006', 'x', 'the server is read-only, as a replica is (25006)'],
    ['53300', 'x', 'the server has too many connections (53300)'],
    ['57014', 'x', 'the server ended the statement, as after its statement_timeout (57014)'],
    ['57P03', 'x', 'the server is starting or shutting down (57P03)'],
    [undefined, 'timeout exceeded when trying to connect', 'the pool had no connection in time'],
  ])('says what %s %s means', async (code, text, why) => {
    const query = async () => Promise.reject(Object.assign(new Error(text), { code }));
    const message = `the journal failed: ${why}`;
    const failing = postgresJournal({ query });
    await expect(failing.get('a')).rejects.toMatchObject({ reason: 'journal', message });
  });

  test('waits for no operation of another request, which may have died with it', async () => {
    let asked = 0;
    const journal = postgresJournal({
      query: () => (++asked <= 2 ? new Promise<never>(() => undefined) : Promise.resolve([{}])),
    });
    void journal.get('a');
    void journal.compareAndSet('a', 'v', 'w', 5);

    expect(await journal.compareAndSet('a', 'v', 'w', 5)).toBe(true);
  });
});

describe('sqliteJournal', () => {
  const names = (database: DatabaseSync) =>
    database.prepare(`select name from sqlite_master where name like 'pagepics%' order by name`).all();
  const both = [{ name: 'pagepics_journal' }, { name: 'pagepics_journal_ends_at' }];

  test('takes the table that its SQL has made, and makes nothing', async () => {
    const file = join(folder, 'made.db');
    const owner = new DatabaseSync(file);
    owner.exec(sqliteJournalTable());
    expect(names(owner)).toEqual(both);
    const statements: string[] = [];
    const database = new DatabaseSync(file);
    const journal = sqliteJournal({
      prepare: (text) => database.prepare(text),
      exec: (text) => {
        statements.push(text);
        database.exec(text);
      },
    });
    expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
    expect(statements.filter((text) => text.includes('create'))).toEqual([]);
  });

  test('stores while a test has stopped the timers', async () => {
    vi.useFakeTimers();
    try {
      const journal = sqliteJournal(new DatabaseSync(':memory:'));
      expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('gives the table of an earlier version an index, and keeps what it holds', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      'create table pagepics_journal (key text primary key, value text not null, ends_at integer not null)',
    );
    database.prepare('insert into pagepics_journal values (?, ?, ?)').run('a', '1', Date.now() + 60_000);
    expect(await sqliteJournal(database).get('a')).toBe('1');
    expect(names(database)).toEqual(both);
  });

  test('deletes expired rows, a bounded number at once, by the index', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(sqliteJournalTable());
    database.exec(`insert into pagepics_journal with recursive numbers(n) as
      (select 1 union all select n + 1 from numbers where n < 1000) select 'over ' || n, 'x', n from numbers`);
    const count = () =>
      Number(Object(database.prepare('select count(*) as n from pagepics_journal').get()).n);
    const journal = sqliteJournal(database);
    expect(await journal.compareAndSet('a', undefined, '1', 60_000)).toBe(true);
    expect(count()).toBe(801);
    for (let at = 0; at < 80; at++) await journal.compareAndSet(`b${at}`, undefined, '1', 60_000);
    expect(count()).toBe(81);
    const plan = database
      .prepare(`explain query plan select key from pagepics_journal where ends_at <= 5 limit 200`)
      .all();
    expect(JSON.stringify(plan)).toContain('pagepics_journal_ends_at');
  });

  test('goes on as soon as another process frees the lock, and blocks nothing meanwhile', async () => {
    const file = join(folder, 'locked.db');
    const other = new DatabaseSync(file);
    other.exec(sqliteJournalTable());
    const database = new DatabaseSync(file, { timeout: 3000 });
    const journal = sqliteJournal(database);
    other.exec('begin exclusive');
    let ticks = 0;
    const ticking = setInterval(() => void ticks++, 1);
    try {
      const stored = journal.compareAndSet('a', undefined, '1', 60_000);
      const read = journal.get('a');
      await expect.poll(() => ticks).toBeGreaterThan(20);
      other.exec('commit');
      expect(await stored).toBe(true);
      expect([undefined, '1']).toContain(await read);
    } finally {
      clearInterval(ticking);
    }
    // What its owner has set is as it was.
    expect(database.prepare('pragma busy_timeout').get()).toEqual({ timeout: 3000 });
  });

  test('lets a call end in time while another process keeps the lock', async () => {
    const file = join(folder, 'kept.db');
    const other = new DatabaseSync(file);
    other.exec(sqliteJournalTable());
    other.exec('begin exclusive');
    const world = createWorld();
    const { page, sandbox } = world;
    const journal = sqliteJournal(new DatabaseSync(file));
    const { context } = world.start(Infinity, { journal, timeoutMs: 150 });
    const options = { pageId: page.id, pageToken: page.token, message: 'Hi', idempotencyKey: 'k' };
    const beganAt = performance.now();

    const inTime = await publishPost(context, options);
    const aborted = await publishPost(context, { ...options, signal: AbortSignal.timeout(20) });

    expect(inTime._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'journal' });
    expect(aborted._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError' });
    // Not the five seconds that SQLite would have blocked for.
    expect(performance.now() - beganAt).toBeLessThan(3000);
    expect(sandbox.effects('post')).toEqual([]);
    other.exec('commit');
  });

  test('says what is wrong in the words of SQLite', async () => {
    const file = join(folder, 'readonly.db');
    const owner = new DatabaseSync(file);
    owner.exec(sqliteJournalTable());
    const journal = sqliteJournal(new DatabaseSync(file, { readOnly: true }));
    expect(await journal.get('a')).toBeUndefined();
    await expect(journal.compareAndSet('a', undefined, '1', 60_000)).rejects.toMatchObject({
      message: 'the journal failed: SQLite says: attempt to write a readonly database',
    });
  });
});
