import { ConfigurationError } from '../core/errors.ts';
import { fieldsOf } from '../core/objects.ts';
import { dayMs } from '../core/options/time.ts';
import type { Journal, JournalReplacement } from '../core/writes/journal/types.ts';
import { digest } from '../core/writes/memory.ts';
import type { JournalTableOptions } from './adapter.ts';
import * as adapter from './adapter.ts';

/** A pool or client of `pg`, or a database of PGlite. */
export interface PostgresPool {
  readonly query: (text: string, values: string[]) => PromiseLike<PostgresRows | readonly object[]>;
}

/** A pool or client of `pg`: it takes the name of a statement, too, which its connections then prepare once. */
interface NamingPool {
  readonly query: (
    statement: { readonly name: string; readonly text: string },
    values: string[],
  ) => PromiseLike<PostgresRows>;
}

interface PostgresRows {
  readonly rows: readonly object[];
}

/** What `postgres(…)` returns. */
export interface PostgresSql {
  readonly unsafe: (
    text: string,
    values: string[],
    options?: { readonly prepare: boolean },
  ) => PromiseLike<readonly object[]>;
  /** Takes a connection for itself. */
  readonly reserve?: () => PromiseLike<ReservedSql>;
}

interface ReservedSql extends Pick<PostgresSql, 'unsafe'> {
  readonly release: () => unknown;
}

/** What a client may also have, by which it is recognized. */
interface Transactional {
  /** A client of `pg` has it. */
  readonly getTransactionStatus?: () => unknown;
  /** A pool of `pg` has it. */
  readonly totalCount?: unknown;
  /** What PGlite and `postgres` pass to a transaction has one of these. */
  readonly rollback?: unknown;
  readonly savepoint?: unknown;
}

/** How often a statement is tried when the database rolls it back because of concurrent writes. */
const maxAttempts = 10;
/** The codes with which a server refuses a named statement that it does not have, as behind a pooler such as PgBouncer. */
const isNotPrepared = /^(?:26000|42P05|0A000)$/;
/** The code with which a statement that replaces several texts undoes itself: a text is no number. */
const isUndone = '22P02';
/** One in this many inserts first deletes some expired entries. */
const insertsPerCleaning = 16;
/**
 * How many at once. Behind PgBouncer, `postgres` can wait for ever for a statement without values if it sends others along
 * with it, so each one of the journal has some.
 */
const rowsPerCleaning = '200';

/**
 * A journal in a table of Postgres, `pagepics_journal`, which is created on first use. It takes a pool or client of
 * `pg`, what `postgres` returns, or a PGlite, none of them inside a transaction. The role needs the rights to select,
 * insert, update and delete. Expired entries are deleted on later writes.
 */
export function postgresJournal(
  pool: PostgresPool | PostgresSql,
  options: JournalTableOptions = {},
): Journal {
  adapter.checkAdapter('pool', pool, ['query', 'unsafe'], options);
  // Callers may pass more than the type allows.
  const { getTransactionStatus, totalCount, rollback, savepoint }: Transactional = Object(pool);
  if (rollback !== undefined || savepoint !== undefined) {
    throw new ConfigurationError('pool must not be inside a transaction, which may roll back', 'pool');
  }
  const { table } = adapter.namesOf(options);
  const statements = statementsOf(table);
  let inserts = 0;
  let creating: Promise<void> | undefined;
  /** Planning a statement costs the server more than executing it. */
  let isPrepared = typeof totalCount === 'number' || getTransactionStatus !== undefined || 'unsafe' in pool;

  return adapter.journalOver(
    {
      get: async (key) => {
        const [row] = await run(statements.get, [key]);
        // The columns of our statement.
        return (row as { readonly value: string } | undefined)?.value;
      },
      compareAndSetAll: async (replacements) => {
        for (const { expected } of replacements)
          if (expected === undefined && inserts++ % insertsPerCleaning === 0)
            await run(statements.clean, [rowsPerCleaning]);
        const values = replacements.flatMap(({ key, expected, value, ttlMs }) => [
          key,
          value,
          // A lifetime of a day or more is rounded up to the hour: a replaced row then mostly keeps its expiry time, and
          // its index need not change.
          String(ttlMs / 1000),
          ttlMs < dayMs ? 'second' : 'hour',
          ...(expected === undefined ? [] : [expected]),
        ]);
        try {
          const rows = await run(statements.replace(replacements), values);
          return rows.length === 1;
        } catch (thrown) {
          if (codeOf(thrown) === isUndone) return false;
          throw thrown;
        }
      },
      list: ({ prefix, without }) =>
        adapter.entriesAfter((last) => run(statements.list, [last, prefix, `${prefix}\u{10FFFF}`, without])),
    },
    options,
  );

  async function run({ text, name }: Statement, values: string[]): Promise<readonly object[]> {
    let isCreated = false;
    for (let attempt = 1; ; attempt++) {
      // Of several at once, the first refusal changes it for all.
      const wasPrepared = isPrepared;
      try {
        return await query(text, values, wasPrepared ? name : undefined);
      } catch (thrown) {
        const code = codeOf(thrown);
        if (wasPrepared && isNotPrepared.test(code)) {
          isPrepared = false;
        } else if (code === '42P01' && !isCreated) {
          await createTable();
          isCreated = true;
        } else if (attempt < maxAttempts && /^40(?:001|P01)$/.test(code)) {
          // A serialization failure or a deadlock: the transaction was rolled back.
          await new Promise((resolve) => void setTimeout(resolve, Math.random() * 10 * attempt));
        } else if (code === '42501') {
          throw adapter.storeFailure(
            `the role may not select, insert, update and delete in the table ${table} (42501)`,
          );
        } else {
          throw explained(thrown, code);
        }
      }
    }
  }

  /** Creates the table, once for all calls that miss it at the same time. */
  function createTable(): Promise<void> {
    creating ??= create().finally(() => (creating = undefined));
    return creating;
  }

  async function create(): Promise<void> {
    const text = postgresJournalTable(options);
    try {
      // The statement takes no values, so `postgres` must send no other ones along with it: see `rowsPerCleaning`.
      const alone = 'unsafe' in pool ? await pool.reserve?.() : undefined;
      if (alone === undefined) return void (await query(text));
      try {
        await alone.unsafe(text, []);
      } finally {
        alone.release();
      }
    } catch (thrown) {
      if (codeOf(thrown) === '42501') {
        throw adapter.storeFailure(`there is no table ${table}, and the role may not create it (42501)`);
      }
      // Of two processes that create it at once, one fails, and the table then exists.
      if (!/^(?:23505|42P07|42710)$/.test(codeOf(thrown))) throw thrown;
    }
  }

  async function query(text: string, values: string[] = [], name?: string): Promise<readonly object[]> {
    if (/[TE]/.test(String(getTransactionStatus?.call(pool)))) {
      throw adapter.storeFailure('the client is inside a transaction, which may roll back');
    }
    const result = await ('unsafe' in pool
      ? pool.unsafe(text, values, { prepare: name !== undefined })
      : name === undefined
        ? pool.query(text, values)
        : // Only a pool or client of `pg` gets a name.
          (pool as PostgresPool & NamingPool).query({ name, text }, values));
    return 'rows' in result ? result.rows : result;
  }
}

/**
 * The SQL that creates the table of a `postgresJournal`, to be run by a role that may create tables; the journal itself
 * then needs only the rights to select, insert, update and delete.
 *
 * Throws a ConfigurationError that names `table` if it is not a valid name.
 */
export function postgresJournalTable(options: JournalTableOptions = {}): string {
  adapter.checkTable(options);
  const { table, index } = adapter.namesOf(options);
  // One statement, so that there is never a table without its index. The free room on each page is for new versions of
  // its rows.
  return `do $$ begin
  create table ${table} (key text collate "C" primary key, value text not null, ends_at timestamptz not null)
    with (fillfactor = 70);
  create index "${index}" on ${table} (ends_at);
end $$`;
}

interface Statement {
  readonly text: string;
  /** Identifies the text: behind a pooler, the server may have statements of other clients. */
  readonly name: string;
}

function statementsOf(table: string) {
  const known = new Map<string, Statement>();
  return {
    get: named(`select value from ${table} where key = $1 and ends_at > now()`),
    replace: (replacements: readonly Pick<JournalReplacement, 'expected'>[]): Statement => {
      const kinds = replacements.map(({ expected }) => (expected === undefined ? insert : update));
      const of = kinds.map(({ values }) => values).join();
      const statement = known.get(of) ?? named(replacing(table, kinds));
      known.set(of, statement);
      return statement;
    },
    clean: named(`delete from ${table} where key in
      (select key from ${table} where ends_at <= now() limit $1::int for update skip locked)`),
    list: named(`select key, value from ${table} where key collate "C" > $1 and key collate "C" >= $2
      and key collate "C" < $3 and position($4 in value) = 0 and ends_at > now()
      order by key collate "C" limit ${adapter.listedAtOnce}`),
  };
}

/** How one text is replaced, whose values follow `at` others, and how many values it has. */
interface Replacing {
  readonly values: number;
  readonly toSql: (table: string, at: number) => string;
}

const insert: Replacing = {
  values: 4,
  toSql: (table, at) => `insert into ${table} as j (key, value, ends_at)
      select $${at + 1}::text, $${at + 2}::text, ${endsAt(at)}
      on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at
      where j.ends_at <= now() returning 1`,
};
const update: Replacing = {
  values: 5,
  toSql: (table, at) => `update ${table} set value = $${at + 2}::text, ends_at = ${endsAt(at)}
      where key = $${at + 1}::text and value = $${at + 5}::text and ends_at > now() returning 1`,
};

function endsAt(at: number): string {
  const ends = `now() + make_interval(secs => $${at + 3}::float8)`;
  return `case $${at + 4}::text when 'hour' then date_trunc('hour', ${ends}) + interval '1 hour' else ${ends} end`;
}

/** A statement that replaces texts: it returns a row if it has replaced all of them. Of several, it undoes itself if not. */
function replacing(table: string, all: readonly Replacing[]): string {
  let at = 0;
  const parts = all.map(({ values, toSql }) => {
    at += values;
    return toSql(table, at - values);
  });
  const [only = ''] = parts;
  if (parts.length === 1) return only;
  const counts = parts.map((_, number) => `(select count(*) from replaced${number})`).join(' + ');
  // The text that is no number appears in the log of the server.
  return `with ${parts.map((part, number) => `replaced${number} as (${part})`).join(', ')}
      select case ${counts} when ${parts.length} then 1
      else ('a journal replaces all of ${parts.length} or none, not ' || (${counts}))::int end`;
}

/** A statement with a short name of its own: as a name, its text would exceed the 63 bytes that servers accept. */
function named(text: string): Statement {
  return { text, name: `pagepics ${digest(text)}` };
}

/** What a failure means whose name and code say little, and whose text may hold what was stored, or where. */
function explained(thrown: unknown, code: string): unknown {
  const { message } = fieldsOf(thrown);
  const why = refusals[code];
  if (why !== undefined) return adapter.storeFailure(`${why} (${code})`);
  // What the pool of `pg` says, without a code.
  return String(message).startsWith('timeout exceeded when trying to connect')
    ? adapter.storeFailure('the pool had no connection in time')
    : thrown;
}

const refusals: Readonly<Record<string, string>> = {
  '25006': 'the server is read-only, as a replica is',
  '53300': 'the server has too many connections',
  '57014': 'the server ended the statement, as after its statement_timeout',
  '57P03': 'the server is starting or shutting down',
};

function codeOf(thrown: unknown): string {
  return String(fieldsOf(thrown)['code']);
}
