import { ConfigurationError } from '../core/errors.ts';
import type { Journal, JournalReplacement } from '../core/writes/journal/types.ts';
import {
  checkAdapter,
  checkTable,
  journalOver,
  type JournalTableOptions,
  namesOf,
  storeFailure,
} from './adapterOptions.ts';
import { atFirst } from './atFirst.ts';

/** A pool or client of `pg`, or a database of PGlite. */
export interface PostgresPool {
  readonly query: (text: string, values: string[]) => PromiseLike<PostgresRows | readonly object[]>;
}

interface PostgresRows {
  readonly rows: readonly object[];
}

/** What `postgres(…)` returns. */
export interface PostgresSql {
  readonly unsafe: (text: string, values: string[]) => PromiseLike<readonly object[]>;
}

/** What clients have besides. */
interface Transactional {
  /** Of a client of `pg`. */
  readonly getTransactionStatus?: () => unknown;
  /** Of what PGlite and `postgres` call a transaction with. */
  readonly rollback?: unknown;
  readonly savepoint?: unknown;
}

/** How often a step is tried that the database undid, since others wrote at the same time. */
const most = 10;
/** How many entries are listed at once. */
const limit = 500;
/** Every so many new entries, some that are over are deleted. */
const insertsToCleaning = 16;
/** From this time on, ends are those of an hour: what is replaced has the same one then, and its index stays as it is. */
const dayMs = 86_400_000;

/**
 * A journal in a table of Postgres, `pagepics_journal`, which is made on first use where there is none. It takes a pool or
 * client of `pg`, what `postgres` makes, or a PGlite, none of them inside a transaction. The role needs the rights to
 * select, insert, update and delete. Entries that are over are deleted by the writes of others.
 */
export function postgresJournal(
  pool: PostgresPool | PostgresSql,
  options: JournalTableOptions = {},
): Journal {
  checkAdapter('pool', pool, ['query', 'unsafe'], options);
  const { getTransactionStatus, rollback, savepoint } = pool as Transactional;
  if (rollback !== undefined || savepoint !== undefined) {
    throw new ConfigurationError('pool must not be inside a transaction, which may roll back', 'pool');
  }
  const { table } = namesOf(options);
  let inserts = 0;

  // Of two that make it at once, one fails: the table is there then.
  const ready = atFirst(async () => {
    const find = `select key from ${table} limit 0`;
    const made = await settled(ask(find));
    if (codeOf(made) === '42P01') {
      const failure = await settled(ask(postgresJournalTable(options)));
      if (failure === undefined || (await settled(ask(find))) === undefined) return;
      throw codeOf(failure) === '42501'
        ? storeFailure(`there is no table ${table}, and the role may not make it (42501)`)
        : failure;
    }
    if (made !== undefined) throw told(made);
  });

  return journalOver(
    {
      get: async (key) => {
        const [row] = await run(`select value from ${table} where key = $1 and ends_at > now()`, [key]);
        return (row as { readonly value: string } | undefined)?.value;
      },
      transact: async (replacements) => {
        const isCleaning = replacements[0]?.expected === undefined && inserts++ % insertsToCleaning === 0;
        const { text, values } = statementOf(table, replacements, isCleaning);
        const [row] = await run(text, values);
        return replacements.map(
          (_, index) => Number((row as Readonly<Record<string, unknown>>)[`n${index}`]) === 1,
        );
      },
      list: async function* ({ prefix, without }) {
        for (let last = ''; ;) {
          const rows = await run(listOf(table), [last, prefix, `${prefix}\u{10FFFF}`, without]);
          for (const { key, value } of rows as { readonly key: string; readonly value: string }[]) {
            last = key;
            yield [key, value];
          }
          if (rows.length < limit) return;
        }
      },
    },
    options,
  );

  async function ask(text: string, values: string[] = []): Promise<readonly object[]> {
    if (/[TE]/.test(String(getTransactionStatus?.call(pool)))) {
      throw storeFailure('the client is inside a transaction, which may roll back');
    }
    const result = await ('unsafe' in pool ? pool.unsafe(text, values) : pool.query(text, values));
    return 'rows' in result ? result.rows : result;
  }

  async function run(text: string, values: string[]): Promise<readonly object[]> {
    await ready();
    for (let tries = 1; ; tries++) {
      try {
        return await ask(text, values);
      } catch (thrown) {
        // A transaction that was serializable, and in the way of another, or each in that of the other: it was undone.
        if (tries === most || !/^40(?:001|P01)$/.test(codeOf(thrown))) throw told(thrown);
        await new Promise((resolve) => void setTimeout(resolve, Math.random() * 10 * tries));
      }
    }
  }

  function told(thrown: unknown): unknown {
    if (codeOf(thrown) !== '42501') return thrown;
    return storeFailure(`the role may not select, insert, update and delete in the table ${table} (42501)`);
  }
}

/**
 * The SQL that makes the table of a `postgresJournal`, for a role that may; the journal itself then needs no more than the
 * rights to select, insert, update and delete.
 *
 * Throws a ConfigurationError that names `table` for what is no name of one.
 */
export function postgresJournalTable(options: JournalTableOptions = {}): string {
  checkTable(options);
  const { table, index } = namesOf(options);
  // One statement, so that there is no table without its index. Room on each page is for the next versions of its rows.
  return `do $$ begin
  create table ${table} (key text collate "C" primary key, value text not null, ends_at timestamptz not null)
    with (fillfactor = 70);
  create index "${index}" on ${table} (ends_at);
end $$`;
}

/** The first replacement, and the others if it stored; as one statement, which is atomic. It tells how many rows each one changed. */
function statementOf(
  table: string,
  replacements: readonly JournalReplacement[],
  isCleaning: boolean,
): { readonly text: string; readonly values: string[] } {
  const values: string[] = [];
  const parts: string[] = [];
  if (isCleaning) {
    parts.push(`over as (delete from ${table} where key in (select key from ${table}
      where ends_at <= now() and key <> ${param(replacements[0]?.key ?? '')} limit 200 for update skip locked))`);
  }
  for (const [index, replacement] of replacements.entries())
    parts.push(`s${index} as (${partOf(replacement, index)})`);
  const counts = replacements.map((_, index) => `(select count(*) from s${index}) as n${index}`);
  return { text: `with ${parts.join(', ')} select ${counts.join(', ')}`, values };

  function partOf({ key, expected, value, ttlMs = 0 }: JournalReplacement, index: number): string {
    const at = param(key);
    if (value === undefined) {
      return `delete from ${table} j ${index === 0 ? '' : 'using s0'}
        where j.key = ${at} and j.value = ${param(expected)} and j.ends_at > now() returning 1`;
    }
    const ends = endOf(ttlMs);
    if (expected === undefined) {
      return `insert into ${table} as j (key, value, ends_at) select ${at}, ${param(value)}, ${ends} ${index === 0 ? '' : 'from s0'}
        on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at
        where j.ends_at <= now() returning 1`;
    }
    return `update ${table} j set value = ${param(value)}, ends_at = ${ends} ${index === 0 ? '' : 'from s0'}
      where j.key = ${at} and j.value = ${param(expected)} and j.ends_at > now() returning 1`;
  }

  function endOf(ttlMs: number): string {
    const end = `now() + make_interval(secs => ${param(String(ttlMs / 1000))}::float8)`;
    return ttlMs < dayMs ? end : `date_trunc('hour', ${end}) + interval '1 hour'`;
  }

  function param(value: string): string {
    return `$${values.push(value)}::text`;
  }
}

function listOf(table: string): string {
  return `select key, value from ${table} where key collate "C" > $1 and key collate "C" >= $2
    and key collate "C" < $3 and position($4 in value) = 0 and ends_at > now() order by key collate "C" limit ${limit}`;
}

async function settled(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    return thrown ?? 'nothing';
  }
}

function codeOf(thrown: unknown): string {
  return String((Object(thrown) as { readonly code?: unknown }).code);
}
