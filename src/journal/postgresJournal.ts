import { ConfigurationError } from '../core/errors.ts';
import { fieldsOf } from '../core/options/check.ts';
import { dayMs } from '../core/options/time.ts';
import type { Journal, JournalReplacement } from '../core/writes/journal/types.ts';
import { digest } from '../core/writes/memory.ts';
import {
  checkAdapter,
  checkTable,
  entriesAfter,
  journalOver,
  type JournalTableOptions,
  listedAtOnce,
  namesOf,
  storeFailure,
} from './adapterOptions.ts';
import { type Step, together } from './together.ts';

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
}

/** What clients also have. */
interface Transactional {
  /** A client of `pg` has it. */
  readonly getTransactionStatus?: () => unknown;
  /** A pool of `pg` has it. */
  readonly totalCount?: unknown;
  /** What PGlite and `postgres` pass to a transaction has one of these. */
  readonly rollback?: unknown;
  readonly savepoint?: unknown;
}

/** How many attempts a step gets when the database rolls it back because of concurrent writes. */
const most = 10;
/** The codes with which a server refuses a named statement that it does not have, as behind a pooler such as PgBouncer. */
const isNotPrepared = /^(?:26000|42P05|0A000)$/;
/** Every this many new entries, some expired ones are deleted. */
const insertsToCleaning = 16;

/**
 * A journal in a table of Postgres, `pagepics_journal`, which is created on first use. It takes a pool or client of
 * `pg`, what `postgres` returns, or a PGlite, none of them inside a transaction. The role needs the rights to select,
 * insert, update and delete. Expired entries are deleted on later writes.
 */
export function postgresJournal(
  pool: PostgresPool | PostgresSql,
  options: JournalTableOptions = {},
): Journal {
  checkAdapter('pool', pool, ['query', 'unsafe'], options);
  // Callers may pass more than the type allows.
  const { getTransactionStatus, totalCount, rollback, savepoint }: Transactional = Object(pool);
  if (rollback !== undefined || savepoint !== undefined) {
    throw new ConfigurationError('pool must not be inside a transaction, which may roll back', 'pool');
  }
  const { table } = namesOf(options);
  const statementOf = statementsOf(table);
  let inserts = insertsToCleaning;
  /** Planning a statement costs the server more than executing it. */
  let isPrepared = typeof totalCount === 'number' || getTransactionStatus !== undefined || 'unsafe' in pool;

  // If two processes create it at once, one fails, but the table then exists.
  const ready = atFirst(async () => {
    const find = `select key from ${table} limit 0`;
    const made = await thrownBy(ask(find));
    if (codeOf(made) === '42P01') {
      const failure = await thrownBy(ask(postgresJournalTable(options)));
      if (failure === undefined || (await thrownBy(ask(find))) === undefined) return;
      throw codeOf(failure) === '42501'
        ? storeFailure(`there is no table ${table}, and the role may not create it (42501)`)
        : failure;
    }
    if (made !== undefined) throw told(made);
  });

  return journalOver(
    {
      get: async (key) => {
        const [row] = await run(statementOf('get'), [key]);
        // The columns of our own statement.
        return (row as { readonly value: string } | undefined)?.value;
      },
      transact: together(shapeOf, storeAll),
      list: ({ prefix, without }) =>
        entriesAfter((last) => run(statementOf('list'), [last, prefix, `${prefix}\u{10FFFF}`, without])),
    },
    options,
  );

  async function storeAll(steps: readonly Step[]): Promise<readonly boolean[][]> {
    const all = steps.flat();
    const isInsert = all[0]?.expected === undefined;
    if (isInsert) inserts += steps.length;
    const isCleaning = isInsert && inserts >= insertsToCleaning;
    if (isCleaning) inserts = 0;
    const shape = steps.map(shapeOf).join('.');
    const rows = await run(statementOf((isCleaning ? 'c' : '') + shape), all.flatMap(valuesOf));
    if (shape.length === 1 && !isCleaning) return [[rows.length === 1]];
    const counts = fieldsOf(rows[0]);
    let index = 0;
    return steps.map((step) => step.map(() => Number(counts[`n${index++}`]) === 1));
  }

  async function ask(text: string, values: string[] = [], name?: string): Promise<readonly object[]> {
    if (/[TE]/.test(String(getTransactionStatus?.call(pool)))) {
      throw storeFailure('the client is inside a transaction, which may roll back');
    }
    const result = await ('unsafe' in pool
      ? pool.unsafe(text, values, { prepare: name !== undefined })
      : name === undefined
        ? pool.query(text, values)
        : // Only a pool or client of `pg` gets a name.
          (pool as PostgresPool & NamingPool).query({ name, text }, values));
    return 'rows' in result ? result.rows : result;
  }

  async function run({ text, name }: Statement, values: string[]): Promise<readonly object[]> {
    await ready();
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(text, values, isPrepared ? name : undefined);
      } catch (thrown) {
        if (isPrepared && isNotPrepared.test(codeOf(thrown))) {
          isPrepared = false;
          continue;
        }
        // A serialization failure or a deadlock: the transaction was rolled back.
        if (attempt === most || !/^40(?:001|P01)$/.test(codeOf(thrown))) throw told(thrown);
        await new Promise((resolve) => void setTimeout(resolve, Math.random() * 10 * attempt));
      }
    }
  }

  function told(thrown: unknown): unknown {
    if (codeOf(thrown) !== '42501') return thrown;
    return storeFailure(`the role may not select, insert, update and delete in the table ${table} (42501)`);
  }
}

/**
 * The SQL that creates the table of a `postgresJournal`, to be run by a role that may create tables; the journal itself
 * then needs only the rights to select, insert, update and delete.
 *
 * Throws a ConfigurationError that names `table` if it is not a valid name.
 */
export function postgresJournalTable(options: JournalTableOptions = {}): string {
  checkTable(options);
  const { table, index } = namesOf(options);
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

/** The statements on a table: a few texts, each with a name to be prepared under. */
function statementsOf(table: string): (shape: string) => Statement {
  const known = new Map<string, Statement>();
  return (shape) => {
    let statement = known.get(shape);
    if (statement === undefined) {
      const text =
        shape === 'get'
          ? `select value from ${table} where key = $1 and ends_at > now()`
          : shape === 'list'
            ? listingOf(table)
            : replacementsOf(table, shape);
      // Not by its shape, which may be longer than the 63 bytes that the server takes.
      statement = { text, name: `pagepics ${digest(text)}` };
      known.set(shape, statement);
    }
    return statement;
  };
}

/**
 * The kinds of replacements: insert, update or delete; a capital if its expiry time, a day ahead or more, is rounded up
 * to the hour. A replaced row then mostly keeps its expiry time, and its index need not change.
 */
function shapeOf(step: Step): string {
  return step
    .map(({ expected, value, ttlMs = 0 }) => {
      const shape = value === undefined ? 'd' : expected === undefined ? 'i' : 'u';
      return ttlMs < dayMs ? shape : shape.toUpperCase();
    })
    .join('');
}

/** The values of a replacement, in the order of the parameters in `replacementsOf`. */
function valuesOf({ key, expected, value, ttlMs }: JournalReplacement): string[] {
  const seconds = ttlMs === undefined ? undefined : String(ttlMs / 1000);
  return [key, expected, value, seconds].filter((one) => one !== undefined);
}

/**
 * Steps as one atomic statement: of each, the first replacement, and the others if that succeeds. It returns how many
 * rows each replacement changed; a single one returns one row if it succeeded.
 */
function replacementsOf(table: string, shape: string): string {
  let values = 0;
  const parts: string[] = [];
  const inserted: string[] = [];
  for (const step of shape.replace('c', '').split('.')) {
    const first = parts.length;
    for (const letter of step) parts.push(partOf(letter, parts.length === first ? '' : `s${first}`));
  }
  if (shape.length === 1) return parts.join('');
  const over = `over as (delete from ${table} where key in (select key from ${table}
      where ends_at <= now() and key not in (${inserted.join(', ')}) limit 200 for update skip locked)), `;
  const named = parts.map((part, index) => `s${index} as (${part})`).join(', ');
  const counts = parts.map((_, index) => `(select count(*) from s${index}) as n${index}`);
  return `with ${shape.startsWith('c') ? over : ''}${named} select ${counts.join(', ')}`;

  function partOf(letter: string, first: string): string {
    const key = param();
    const kind = letter.toLowerCase();
    const isHeld = (): string => `j.key = ${key} and j.value = ${param()} and j.ends_at > now()`;
    if (kind === 'd') {
      return `delete from ${table} j ${first && `using ${first}`} where ${isHeld()} returning 1`;
    }
    if (kind === 'i') inserted.push(key);
    const held = kind === 'u' ? isHeld() : '';
    const [value, seconds] = [param(), param()];
    const end = `now() + make_interval(secs => ${seconds}::float8)`;
    const ends = letter === kind ? end : `date_trunc('hour', ${end}) + interval '1 hour'`;
    const from = first && `from ${first}`;
    return kind === 'i'
      ? `insert into ${table} as j (key, value, ends_at) select ${key}, ${value}, ${ends} ${from}
        on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at
        where j.ends_at <= now() returning 1`
      : `update ${table} j set value = ${value}, ends_at = ${ends} ${from} where ${held} returning 1`;
  }

  function param(): string {
    return `$${++values}::text`;
  }
}

function listingOf(table: string): string {
  return `select key, value from ${table} where key collate "C" > $1 and key collate "C" >= $2
    and key collate "C" < $3 and position($4 in value) = 0 and ends_at > now() order by key collate "C" limit ${listedAtOnce}`;
}

/** What work rejects with; `undefined` if it does not. */
function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown ?? 'nothing',
  );
}

function codeOf(thrown: unknown): string {
  return String(fieldsOf(thrown)['code']);
}

/** Does something once, before the first use; if it fails, it is repeated before the next use. */
function atFirst(work: () => PromiseLike<unknown>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= Promise.resolve(work()).then(
      () => undefined,
      (thrown: unknown) => {
        done = undefined;
        throw thrown;
      },
    );
    return done;
  };
}
