// Journals in SQLite that many processes open at once, or many calls use. What one process does with it is in test/stores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, expect, test } from 'vitest';

import { sqliteJournal } from '../../src/stores/index.ts';
import { publishesEqualOnes } from '../support/journalContract.ts';
import { together } from './together.mjs';

const shared = mkdtempSync(join(tmpdir(), 'pagepics-sqlite-'));
afterAll(() => rmSync(shared, { recursive: true }));

publishesEqualOnes(() =>
  [1, 2].map(() => {
    const db = new DatabaseSync(join(shared, 'equal.db'));
    db.exec('pragma journal_mode = wal');
    return sqliteJournal(db);
  }),
);

test('eight processes make the table at the same time, and one of them gets the key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-sqlite-'));
  try {
    const seen = await together(8, 'sqlite', join(folder, 'journal.db'), 'a');

    expect(seen.map(({ code }) => code)).toEqual(Array(8).fill(0));
    const winners = seen.filter(({ isStored }) => isStored).map(({ pid }) => `${pid}`);
    expect(winners.length).toBe(1);
    expect(new Set(seen.map(({ value }) => value))).toEqual(new Set(winners));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
