import type { Journal } from '../core/journal/types.ts';
import { createJournal } from '../core/journalEngine/createJournal.ts';

/** A database of `node:sqlite` or `better-sqlite3`. */
export interface SqliteDatabase {
  readonly exec: (text: string) => unknown;
  readonly prepare: (text: string) => {
    readonly get: (...values: (string | number)[]) => unknown;
    readonly run: (...values: (string | number)[]) => { readonly changes: number | bigint };
  };
}

/**
 * A journal in a table of SQLite, `pagepics_journal`, which is made on first use. It takes a `DatabaseSync` of
 * `node:sqlite` or a database of `better-sqlite3`. Entries that are over are deleted by the writes of others.
 */
export function sqliteJournal(db: SqliteDatabase): Journal {
  let isReady = false;
  const ready = (): void => {
    if (isReady) return;
    // Another process may write at the same time: it is waited for.
    db.exec(`pragma busy_timeout = 5000; create table if not exists pagepics_journal
      (key text primary key, value text not null, ends_at integer not null)`);
    isReady = true;
  };
  return createJournal({
    get: async (key) => {
      ready();
      const row = db
        .prepare('select value from pagepics_journal where key = ? and ends_at > ?')
        .get(key, Date.now());
      return (row as { readonly value: string } | undefined)?.value;
    },
    compareAndSet: async (key, expected, value, ttlMs) => {
      ready();
      const now = Date.now();
      if (expected !== undefined)
        return isOne(db.prepare(update).run(value, now + ttlMs, key, expected, now));
      db.prepare('delete from pagepics_journal where ends_at <= ?').run(now);
      return isOne(db.prepare(insert).run(key, value, now + ttlMs));
    },
  });
}

const insert =
  'insert into pagepics_journal (key, value, ends_at) values (?, ?, ?) on conflict (key) do nothing';
const update =
  'update pagepics_journal set value = ?, ends_at = ? where key = ? and value = ? and ends_at > ?';

function isOne({ changes }: { readonly changes: number | bigint }): boolean {
  return Number(changes) === 1;
}
