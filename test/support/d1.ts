import { DatabaseSync } from 'node:sqlite';

import type { D1Database, D1PreparedStatement } from '../../src/stores/index.ts';

/** A binding of D1 over SQLite in memory, the database behind it, and the statements that it was asked. */
export function createD1() {
  const database = new DatabaseSync(':memory:');
  const statements: string[] = [];
  const prepare = (text: string, values: readonly (string | number | null)[] = []): D1PreparedStatement => ({
    bind: (...bound) => prepare(text, bound),
    all: async () => {
      statements.push(text);
      return { results: database.prepare(text).all(...values) };
    },
  });
  const db: D1Database = { prepare: (text) => prepare(text) };
  return { db, database, statements };
}
