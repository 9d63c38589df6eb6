// Journals over `bun:sqlite`, in Bun: two connections to one file.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe } from 'vitest';

import { keepsItsWord } from '../support/journalContract.ts';
import { startRemote } from './remote.mjs';

// The program is in a package of its platform's; an install script, where such run, moves it.
const arch = process.arch.replace('arm64', 'aarch64');
const packages = [`@oven/bun-${process.platform}-${arch}/bin/bun`, 'bun/bin/bun.exe'];
const bun = packages.map((path) => join(import.meta.dirname, 'node_modules', path)).find(existsSync);
const folder = mkdtempSync(join(tmpdir(), 'pagepics-bun-'));

describe('sqliteJournal over bun:sqlite, in Bun', () => {
  let started;
  beforeAll(async () => {
    const script = new URL('bun.ts', import.meta.url).pathname;
    started = await startRemote(bun, [script, join(folder, 'journal.db')]);
  });
  afterAll(async () => {
    await started?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  keepsItsWord(() => started.pair);
});
