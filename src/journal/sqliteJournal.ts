import { fieldsOf } from '../core/options/check.ts';
import type { Journal, JournalReplacement } from '../core/writes/journal/types.ts';
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

/** A database of `node:sqlite` or `better-sqlite3`. */
export interface SqliteDatabase {
  readonly exec: (text: string) => unknown;
  readonly prepare: (text: string) => SqliteStatement;
  /** In `node:sqlite`. */
  readonly isTransaction?: boolean;
  /** In `better-sqlite3`. */
  readonly inTransaction?: boolean;
}

export interface SqliteStatement {
  readonly get: (...values: (string | number)[]) => unknown;
  readonly run: (...values: (string | number)[]) => { readonly changes: number | bigint };
  /** For `openKeys`. */
  readonly all?: (...values: (string | number)[]) => unknown[];
}

/** The runtime's own: if a test replaces it later, journals keep working. */
const later = setTimeout;

/** Replacements that wait to be stored together. */
interface Waiting {
  readonly replacements: readonly JournalReplacement[];
  readonly resolve: (isStored: boolean[]) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Every this many steps, expired entries are deleted. */
const stepsToCleaning = 16;

/**
 * A journal in a table of SQLite, `pagepics_journal`, which is created on first use. It takes a `DatabaseSync` of
 * `node:sqlite` or a database of `better-sqlite3`, which must not be inside a transaction. Expired entries are deleted
 * on later writes.
 */
export function sqliteJournal(db: SqliteDatabase, options: JournalTableOptions = {}): Journal {
  checkAdapter('db', db, ['prepare'], options);
  const sql = statementsOf(options);
  const statements = new Map<string, SqliteStatement>();
  const waiting: Waiting[] = [];
  let steps = 0;
  let isReady = false;

  return journalOver(
    {
      get: async (key) => {
        const row = told(() => prepared(sql.get).get(key, Date.now()));
        // The columns of our own statement.
        return (row as { readonly value: string } | undefined)?.value;
      },
      transact: (replacements) =>
        new Promise((resolve, reject) => {
          // Replacements that arrive together are stored together, since each commit waits for the disk.
          if (waiting.push({ replacements, resolve, reject }) === 1) later(doAll);
        }),
      list: ({ prefix, without }) =>
        entriesAfter((last) => {
          const values = [last, prefix, `${prefix}\u{10FFFF}`, without, Date.now(), listedAtOnce];
          return told(() => prepared(sql.list).all?.(...values)) ?? [];
        }),
    },
    options,
  );

  function prepared(text: string): SqliteStatement {
    if (!isReady) {
      // Another process may be writing at the same time: wait for it.
      db.exec('pragma busy_timeout = 5000');
      const { count } = fieldsOf(db.prepare(sql.count).get(sql.local, sql.index));
      if (Number(count) < 2) db.exec(sql.create);
      isReady = true;
    }
    const statement = statements.get(text) ?? db.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  function doAll(): void {
    const all = waiting.splice(0);
    try {
      const done = told(() => {
        if (db.isTransaction === true || db.inTransaction === true) {
          throw storeFailure('the database is inside a transaction, which may roll back');
        }
        prepared(sql.over);
        db.exec('begin immediate');
        try {
          if (steps++ % stepsToCleaning === 0) prepared(sql.over).run(Date.now());
          const results = all.map(({ replacements }) => doStep(replacements));
          db.exec('commit');
          return results;
        } catch (thrown) {
          if (db.isTransaction !== false && db.inTransaction !== false) db.exec('rollback');
          throw thrown;
        }
      });
      for (const [index, { resolve }] of all.entries()) resolve(done[index] ?? []);
    } catch (thrown) {
      for (const { reject } of all) reject(thrown);
    }
  }

  function doStep(replacements: readonly JournalReplacement[]): boolean[] {
    const isStored: boolean[] = [];
    for (const replacement of replacements) isStored.push(isStored[0] !== false && replace(replacement));
    return isStored;
  }

  function replace({ key, expected, value, ttlMs = 0 }: JournalReplacement): boolean {
    const now = Date.now();
    const { changes } =
      expected === undefined
        ? prepared(sql.insert).run(key, value ?? '', now + ttlMs, now)
        : value === undefined
          ? prepared(sql.remove).run(key, expected, now)
          : prepared(sql.update).run(value, now + ttlMs, key, expected, now);
    return Number(changes) === 1;
  }
}

/**
 * The SQL that creates the table of a `sqliteJournal`, which it runs itself on first use.
 *
 * Throws a ConfigurationError that names `table` if it is not a valid name.
 */
export function sqliteJournalTable(options: JournalTableOptions = {}): string {
  checkTable(options);
  return statementsOf(options).create;
}

function statementsOf(options: JournalTableOptions) {
  const { table, schema, local, index } = namesOf(options);
  return {
    local,
    index,
    count: `select count(*) as count from ${schema === '' ? '' : `"${schema}".`}sqlite_master where name in (?, ?)`,
    create: `create table if not exists ${table}
  (key text primary key, value text not null, ends_at integer not null) without rowid;
create index if not exists ${schema === '' ? '' : `"${schema}".`}"${index}" on "${local}" (ends_at)`,
    get: `select value from ${table} where key = ? and ends_at > ?`,
    insert: `insert into ${table} as held (key, value, ends_at) values (?, ?, ?)
      on conflict (key) do update set value = excluded.value, ends_at = excluded.ends_at where held.ends_at <= ?`,
    update: `update ${table} set value = ?, ends_at = ? where key = ? and value = ? and ends_at > ?`,
    remove: `delete from ${table} where key = ? and value = ? and ends_at > ?`,
    over: `delete from ${table} where key in (select key from ${table} where ends_at <= ? limit 200)`,
    list: `select key, value from ${table}
      where key > ? and key >= ? and key < ? and instr(value, ?) = 0 and ends_at > ? order by key limit ?`,
  };
}

/** Errors of `node:sqlite` say in `errstr` what is wrong, always in the same words. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const { errstr } = fieldsOf(thrown);
    throw typeof errstr === 'string' ? storeFailure(`SQLite says: ${errstr}`) : thrown;
  }
}
