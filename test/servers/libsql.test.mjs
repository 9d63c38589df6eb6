// Journals over `libsql`, whose API is that of `better-sqlite3`: two connections to one file.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'libsql';
import { afterAll, describe } from 'vitest';

import { sqliteJournal } from '../../src/stores/index.ts';
import { keepsItsWord } from '../support/journalContract.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagepics-libsql-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('sqliteJournal, over libsql', () => {
  let files = 0;
  const open = () => {
    const path = join(folder, `${files++}.db`);
    return [1, 2].map(() => {
      const db = new Database(path);
      db.exec('pragma journal_mode = wal');
      return sqliteJournal(db);
    });
  };
  keepsItsWord(open);
});
