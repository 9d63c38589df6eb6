// Journals in Deno KV, over one connection: of several that write at once, a database on disk refuses some.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { keepsItsWord } from '../support/journalContract.ts';
import { startRemote } from './remote.mjs';

const deno = createRequire(import.meta.url).resolve('deno/bin.cjs');
const folder = mkdtempSync(join(tmpdir(), 'pagepics-deno-'));

describe('denoKvJournal, in Deno', () => {
  let started;
  beforeAll(async () => {
    const script = new URL('deno.ts', import.meta.url).pathname;
    const flags = ['--unstable-kv', '--allow-all', '--cached-only', '--no-lock', '--no-check'];
    const run = [deno, 'run', ...flags, script, join(folder, 'kv.db')];
    started = await startRemote(process.execPath, run);
  });
  afterAll(async () => {
    await started?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  // Deno KV takes values of up to 64 KiB. Entries have a hundredth of that.
  keepsItsWord(() => started.pair, { valueLength: 60_000 });

  test('rejects a value that is too large for it', async () => {
    const [journal] = started.pair;
    await expect(journal.compareAndSet('a', undefined, 'x'.repeat(70_000), 60_000)).rejects.toThrow(
      'too large',
    );
    expect(await journal.get('a')).toBeUndefined();
  });
});
