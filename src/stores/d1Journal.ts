import { ConfigurationError } from '../core/errors.ts';
import { fieldsOf } from '../core/objects.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import type { JournalTableOptions } from './adapter.ts';
import * as adapter from './adapter.ts';
import { statementsOf } from './sqliteStatements.ts';

/** The binding of a D1 database: `env.DB`. */
export interface D1Database {
  readonly prepare: (text: string) => D1PreparedStatement;
}

export interface D1PreparedStatement {
  readonly bind: (...values: (string | number | null)[]) => D1PreparedStatement;
  readonly all: () => Promise<{ readonly results: readonly unknown[] }>;
}

/** Of the writes that add a text, one in this many first deletes some expired ones. */
const insertsPerCleaning = 16;

/**
 * A journal in a table of Cloudflare's D1, `pagepics_journal`, which is created on first use. It takes the binding of a
 * Worker or a Workflow, not a session (`withSession`), whose reads may lag. Expired entries are deleted on later writes.
 */
export function d1Journal(db: D1Database, options: JournalTableOptions = {}): Journal {
  adapter.checkAdapter('db', db, ['prepare'], options);
  if (fieldsOf(db)['getBookmark'] !== undefined) {
    throw new ConfigurationError('db must not be a session, whose reads may lag', 'db');
  }
  const sql = statementsOf(options);
  return adapter.journalOver(
    {
      get: async (key, now = Date.now()) => {
        const [row] = await run(sql.get, key, now);
        // The columns of our statement.
        return (row as { readonly value: string } | undefined)?.value;
      },
      compareAndSetAll: async (replacements, now = Date.now()) => {
        const adds = replacements.some(({ expected }) => expected === undefined);
        // By chance, since a Worker may make a journal for each request.
        if (adds && Math.random() * insertsPerCleaning < 1) await run(sql.clean, now);
        const values = replacements.flatMap(({ key, expected, value, ttlMs }) => [
          key,
          expected ?? null,
          value,
          now + ttlMs,
        ]);
        const rows = await run(sql.replaceAll(replacements.length), ...values, now);
        return rows.length === replacements.length;
      },
      list: ({ prefix, without, now = Date.now() }) =>
        adapter.entriesAfter((last) =>
          run(sql.list, last, prefix, `${prefix}\u{10FFFF}`, without, now, adapter.listedAtOnce),
        ),
    },
    options,
  );

  async function run(text: string, ...values: (string | number | null)[]): Promise<readonly unknown[]> {
    const statement = db.prepare(text).bind(...values);
    try {
      return (await statement.all()).results;
    } catch (thrown) {
      if (!/no such table/.test(String(fieldsOf(thrown)['message']))) throw thrown;
      for (const part of sql.create.split(';\n')) await db.prepare(part).all();
      return (await statement.all()).results;
    }
  }
}
