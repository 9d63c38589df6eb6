import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';

import { memoryJournal } from '../../src/core/index.ts';
import {
  createJournal,
  type DenoKv,
  denoKvJournal,
  durableObjectJournal,
  redisJournal,
  sqliteJournal,
} from '../../src/journal/index.ts';
import { keepsItsWord } from '../support/journalContract.ts';

const folder = mkdtempSync(join(tmpdir(), 'pagepics-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

// By a variable: its types need packages that are not installed.
const miniflare: string = 'miniflare';

interface MiniflareModule {
  readonly Miniflare: new (options: object) => {
    readonly dispatchFetch: (address: string, init: object) => Promise<Response>;
    readonly dispose: () => Promise<void>;
  };
}

describe('memoryJournal', () =>
  keepsItsWord(() => {
    const journal = memoryJournal();
    return [journal, journal];
  }));

describe('sqliteJournal, two connections to one file', () => {
  let file = 0;
  keepsItsWord(() => {
    const path = join(folder, `${file++}.db`);
    return [sqliteJournal(new DatabaseSync(path)), sqliteJournal(new DatabaseSync(path))];
  });
});

describe('durableObjectJournal, in a Worker', () => {
  const script = build({
    stdin: {
      contents: `
        import { durableObjectJournal } from './src/journal/index.ts';
        export class Keeper {
          constructor(state) { this.journal = durableObjectJournal(state.storage); }
          async fetch(request) {
            const [operation, ...values] = await request.json();
            const result = await this.journal[operation](...values.map((value) => value ?? undefined));
            return Response.json({ result });
          }
        }
        export default {
          fetch: (request, env) => env.KEEPER.get(env.KEEPER.idFromName(new URL(request.url).pathname)).fetch(request),
        };`,
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const started = script.then(async ({ outputFiles }) => {
    const { Miniflare } = (await import(miniflare)) as MiniflareModule;
    return new Miniflare({
      modules: true,
      script: outputFiles[0]?.text ?? '',
      compatibilityDate: '2025-01-01',
      durableObjects: { KEEPER: 'Keeper' },
    });
  });
  afterAll(async () => (await started).dispose());
  let object = 0;
  keepsItsWord(async () => {
    const worker = await started;
    const address = `http://worker/${object++}`;
    async function ask(...operation: unknown[]): Promise<never> {
      const response = await worker.dispatchFetch(address, {
        method: 'POST',
        body: JSON.stringify(operation),
      });
      const { result } = (await response.json()) as { readonly result: never };
      return result;
    }
    const journal = createJournal({
      get: (key) => ask('get', key),
      compareAndSet: (key, expected, value, ttlMs) =>
        ask('compareAndSet', key, expected ?? null, value, ttlMs),
    });
    return [journal, journal];
  });
});

describe('durableObjectJournal', () => {
  test('replaces within a transaction', async () => {
    const stored = new Map<string, unknown>();
    let transactions = 0;
    const journal = durableObjectJournal({
      get: async (key) => stored.get(key),
      transaction: async (work) => {
        transactions++;
        return work({
          get: async (key) => stored.get(key),
          put: async (key, value) => stored.set(key, value),
        });
      },
    });
    expect(await journal.compareAndSet('a', undefined, '1', 1000)).toBe(true);
    expect(transactions).toBe(1);
  });
});

describe('denoKvJournal, over a store of its interface', () => {
  keepsItsWord(() => {
    const entries = new Map<
      string,
      { readonly value: unknown; readonly versionstamp: string; readonly endsAt: number }
    >();
    let version = 0;
    const read = (key: readonly string[]) => {
      const entry = entries.get(key.join(' '));
      return entry !== undefined && entry.endsAt > Date.now() ? entry : { value: null, versionstamp: null };
    };
    const kv: DenoKv = {
      get: async (key) => read(key),
      atomic: () => {
        const checks: (() => boolean)[] = [];
        const sets: (() => void)[] = [];
        const atomic: ReturnType<DenoKv['atomic']> = {
          check: ({ key, versionstamp }) => {
            checks.push(() => read(key).versionstamp === versionstamp);
            return atomic;
          },
          set: (key, value, { expireIn }) => {
            sets.push(
              () =>
                void entries.set(key.join(' '), {
                  value,
                  versionstamp: `${++version}`,
                  endsAt: Date.now() + expireIn,
                }),
            );
            return atomic;
          },
          commit: async () => {
            const isHeld = checks.every((check) => check());
            if (isHeld) for (const set of sets) set();
            return { ok: isHeld };
          },
        };
        return atomic;
      },
    };
    return [denoKvJournal(kv), denoKvJournal(kv)];
  });
});

describe('redisJournal', () => {
  test('evaluates one script, through either client', async () => {
    const sent: unknown[] = [];
    const io = redisJournal({
      get: async () => null,
      call: async (...values) => {
        sent.push(values);
        return 1;
      },
    });
    const node = redisJournal({
      get: async () => null,
      sendCommand: async (values) => {
        sent.push(values);
        return 0;
      },
    });
    expect(await io.get('a')).toBeUndefined();
    expect(await io.compareAndSet('a', undefined, 'v', 5)).toBe(true);
    expect(await node.compareAndSet('a', 'old', 'v', 5)).toBe(false);
    const script = expect.stringContaining("redis.call('GET', KEYS[1])") as string;
    expect(sent).toEqual([
      ['EVAL', script, '1', 'a', 'v', '5'],
      ['EVAL', script, '1', 'a', 'v', '5', 'old'],
    ]);
  });
});
