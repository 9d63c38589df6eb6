// Journals in Deno KV, over one connection: of several that write at once, a database on disk refuses some.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createJournal } from '../../src/stores/index.ts';
import { keepsItsWord } from '../support/journalContract.ts';

const deno = createRequire(import.meta.url).resolve('deno/bin.cjs');
const folder = mkdtempSync(join(tmpdir(), 'pagepics-deno-'));

/** Two journals in a Deno process. */
async function startDeno(database) {
  const script = new URL('denoKv.ts', import.meta.url).pathname;
  const flags = ['--unstable-kv', '--allow-all', '--cached-only', '--no-lock', '--no-check'];
  const child = spawn(process.execPath, [deno, 'run', ...flags, script, database], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  let asked = 0;
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    const [id, { result, failure }] = JSON.parse(decodeURIComponent(line));
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failure === undefined) resolve(result);
    else reject(new Error(failure));
  });
  const ask = (...operation) =>
    new Promise((resolve, reject) => {
      waiting.set(++asked, { resolve, reject });
      child.stdin.write(`${encodeURIComponent(JSON.stringify([asked, ...operation]))}\n`);
    });
  const pair = [0, 1].map((at) =>
    createJournal({
      get: (key) => ask(at, 'get', key),
      compareAndSet: (...values) => ask(at, 'compareAndSet', ...values.map((value) => value ?? null)),
      list: async function* (query) {
        yield* await ask(at, 'list', query);
      },
    }),
  );
  return { child, pair };
}

describe('denoKvJournal, in Deno', () => {
  let started;
  beforeAll(async () => {
    started = await startDeno(join(folder, 'kv.db'));
  });
  afterAll(async () => {
    started?.child.kill();
    if (started) await once(started.child, 'exit');
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
