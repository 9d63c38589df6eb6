import { fieldsOf } from '../core/objects.ts';
import type { Journal, JournalReplacement } from '../core/writes/journal/types.ts';
import type { JournalTableOptions } from './adapter.ts';
import * as adapter from './adapter.ts';
import { statementsOf } from './sqliteStatements.ts';

/** A database of `node:sqlite`, `better-sqlite3`, `libsql` or `bun:sqlite`. */
export interface SqliteDatabase {
  readonly exec: (text: string) => unknown;
  readonly prepare: (text: string) => SqliteStatement;
  /** In `node:sqlite`. */
  readonly isTransaction?: boolean;
  /** In the others. */
  readonly inTransaction?: boolean;
}

export interface SqliteStatement {
  readonly get: (...values: (string | number)[]) => unknown;
  readonly run: (...values: (string | number)[]) => { readonly changes: number | bigint };
  /** For `openKeys`. */
  readonly all?: (...values: (string | number)[]) => unknown[];
}

/** The runtime's own timer: journals keep working if a test replaces it later. */
const startTimer = setTimeout;

/** How long an operation tries again while another process holds the lock, and the least pause in between, in milliseconds. */
const busyMs = 5000;
const pauseMs = 5;

/** One in this many inserts first deletes some expired entries. */
const insertsPerCleaning = 16;

/**
 * A journal in a table of SQLite, `pagepics_journal`, which is created on first use. It takes a `DatabaseSync` of
 * `node:sqlite` or a database of `better-sqlite3`, `libsql` or `bun:sqlite`, which must not be inside a transaction. While
 * another process holds the lock, an operation tries again for up to 5 seconds without blocking the event loop. Expired
 * entries are deleted on later writes.
 */
export function sqliteJournal(db: SqliteDatabase, options: JournalTableOptions = {}): Journal {
  adapter.checkAdapter('db', db, ['prepare'], options);
  const sql = statementsOf(options);
  const statements = new Map<string, SqliteStatement>();
  let inserts = 0;
  let isReady = false;
  let readBusyTimeout: SqliteStatement | undefined;

  return adapter.journalOver(
    {
      get: async (key, now) => {
        const row = await retryWhileLocked(() => prepared(sql.get).get(key, now ?? Date.now()));
        // The columns of our statement.
        return (row as { readonly value: string } | undefined)?.value;
      },
      compareAndSetAll: (replacements, now = Date.now()) =>
        retryWhileLocked(() => {
          if (db.isTransaction === true || db.inTransaction === true) {
            throw adapter.storeFailure('the database is inside a transaction, which may roll back');
          }
          const isCleaning = replacements.some(
            ({ expected }) => expected === undefined && inserts++ % insertsPerCleaning === 0,
          );
          if (isCleaning) prepared(sql.clean).run(now);
          const replaceAll = (): boolean => replacements.every((one) => replace(one, now));
          return replacements.length === 1 ? replaceAll() : inTransaction(replaceAll);
        }),
      list: ({ prefix, without, now }) =>
        adapter.entriesAfter((last) => {
          const values = [
            last,
            prefix,
            `${prefix}\u{10FFFF}`,
            without,
            now ?? Date.now(),
            adapter.listedAtOnce,
          ];
          return retryWhileLocked(() => prepared(sql.list).all?.(...values) ?? []);
        }),
    },
    options,
  );

  function replace({ key, expected, value, ttlMs }: JournalReplacement, now: number): boolean {
    const endsAt = now + ttlMs;
    const { changes } =
      expected === undefined
        ? prepared(sql.insert).run(key, value, endsAt, now)
        : prepared(sql.update).run(value, endsAt, key, expected, now);
    return Number(changes) === 1;
  }

  /** Keeps what was written if all of it was. */
  function inTransaction(work: () => boolean): boolean {
    prepared('begin immediate').run();
    let isDone = false;
    try {
      isDone = work();
      if (isDone) prepared('commit').run();
      return isDone;
    } catch (thrown) {
      isDone = false;
      throw thrown;
    } finally {
      if (!isDone) prepared('rollback').run();
    }
  }

  function prepared(text: string): SqliteStatement {
    if (!isReady) {
      const { count } = fieldsOf(db.prepare(sql.count).get(sql.local, sql.index));
      if (Number(count) < 2) db.exec(sql.create);
      isReady = true;
    }
    const statement = statements.get(text) ?? db.prepare(text);
    statements.set(text, statement);
    return statement;
  }

  /** Runs one statement, again and again while another process holds the lock. */
  async function retryWhileLocked<T>(work: () => T): Promise<T> {
    const endsAt = performance.now() + busyMs;
    for (;;) {
      try {
        return withoutWaiting(work);
      } catch (thrown) {
        if (!isLocked(thrown) || performance.now() > endsAt) throw explained(thrown);
      }
      await new Promise((resolve) => void startTimer(resolve, pauseMs * (1 + Math.random())));
    }
  }

  /**
   * SQLite waits for a lock by blocking the thread, for as long as the owner of the database has set. A statement of the
   * journal must not wait.
   */
  function withoutWaiting<T>(work: () => T): T {
    readBusyTimeout ??= db.prepare('pragma busy_timeout');
    const { timeout } = fieldsOf(readBusyTimeout.get());
    if (timeout === 0) return work();
    db.exec('pragma busy_timeout = 0');
    try {
      return work();
    } finally {
      db.exec(`pragma busy_timeout = ${Number(timeout)}`);
    }
  }
}

/**
 * The SQL that creates the table of a `sqliteJournal` or a `d1Journal`, which run it themselves on first use.
 *
 * Throws a ConfigurationError that names `table` if it is not a valid name.
 */
export function sqliteJournalTable(options: JournalTableOptions = {}): string {
  adapter.checkTable(options);
  return statementsOf(options).create;
}

/** Whether another connection holds the lock: the codes of `node:sqlite`, and those of the others. */
function isLocked(thrown: unknown): boolean {
  const { errcode, code } = fieldsOf(thrown);
  return [5, 6].includes(Number(errcode) & 0xff) || /^SQLITE_(?:BUSY|LOCKED)/.test(String(code));
}

/** The `errstr` of `node:sqlite` says what is wrong in fixed words, which hold no data. */
function explained(thrown: unknown): unknown {
  const { errstr } = fieldsOf(thrown);
  return typeof errstr === 'string' ? adapter.storeFailure(`SQLite says: ${errstr}`) : thrown;
}
