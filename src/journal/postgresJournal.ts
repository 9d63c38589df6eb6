import type { Journal } from '../core/journal/types.ts';
import { createJournal } from '../core/journalEngine/createJournal.ts';
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

/**
 * A journal in a table of Postgres, `pagepics_journal`, which is made on first use. It takes a pool or client of `pg`,
 * what `postgres` makes, or a PGlite. Entries that are over are deleted by the writes of others.
 */
export function postgresJournal(pool: PostgresPool | PostgresSql): Journal {
  const run = async (text: string, values: string[] = []): Promise<readonly object[]> => {
    const result = await ('unsafe' in pool ? pool.unsafe(text, values) : pool.query(text, values));
    return 'rows' in result ? result.rows : result;
  };
  const find = (): Promise<unknown> => run('select key from pagepics_journal limit 0');
  // Of two that make it at once, one fails: the table is there then.
  const ready = atFirst(() => find().catch(() => run(table).catch(find)));
  return createJournal({
    get: async (key) => {
      await ready();
      const [row] = await run(`select value from pagepics_journal where key = $1 and ends_at > now()`, [key]);
      return (row as { readonly value: string } | undefined)?.value;
    },
    compareAndSet: async (key, expected, value, ttlMs) => {
      await ready();
      const values = [key, value, String(ttlMs / 1000)];
      const stored =
        expected === undefined ? await run(insert, values) : await run(update, [...values, expected]);
      return stored.length === 1;
    },
  });
}

/** One statement, so that there is no table without its index. */
const table = `do $$ begin
  create table pagepics_journal (key text primary key, value text not null, ends_at timestamptz not null);
  create index pagepics_journal_ends_at on pagepics_journal (ends_at);
end $$`;
const lasting = `now() + make_interval(secs => $3::text::float8)`;
const insert = `with over as (delete from pagepics_journal where key in
    (select key from pagepics_journal where ends_at <= now() and key <> $1 limit 10 for update skip locked))
  insert into pagepics_journal as j (key, value, ends_at) values ($1, $2, ${lasting})
  on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at where j.ends_at <= now()
  returning 1 as stored`;
const update = `update pagepics_journal set value = $2, ends_at = ${lasting}
  where key = $1 and value = $4 and ends_at > now() returning 1 as stored`;
