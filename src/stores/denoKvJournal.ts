import type { Journal } from '../core/writes/journal/types.ts';
import type { JournalAdapterOptions } from './adapter.ts';
import * as adapter from './adapter.ts';

/** What `Deno.openKv()` resolves to. */
export interface DenoKv {
  readonly get: (key: string[]) => Promise<DenoKvEntry>;
  readonly atomic: () => DenoKvAtomic;
  /** For `openKeys`. */
  readonly list?: (selector: { readonly prefix: string[] }) => AsyncIterable<DenoKvRow>;
}

export interface DenoKvEntry {
  readonly value: unknown;
  readonly versionstamp: string | null;
}

/** An entry of a list. */
export interface DenoKvRow {
  readonly key: readonly unknown[];
  readonly value: unknown;
}

export interface DenoKvAtomic {
  readonly check: (entry: { readonly key: string[]; readonly versionstamp: string | null }) => DenoKvAtomic;
  readonly set: (key: string[], value: unknown, options: { readonly expireIn: number }) => DenoKvAtomic;
  readonly commit: () => Promise<{ readonly ok: boolean }>;
}

/** How often a replacement is tried when other writes come first. */
const maxAttempts = 10;

/**
 * A journal in Deno KV, under keys that begin with `pagepics`. Use one connection for a database on disk: if several
 * write at once, Deno refuses some.
 */
export function denoKvJournal(kv: DenoKv, options: JournalAdapterOptions = {}): Journal {
  adapter.checkAdapter('kv', kv, ['atomic'], options);
  return adapter.journalOver(
    {
      get: async (key, now) => adapter.readUnexpired((await kv.get(keyOf(key))).value, now),
      compareAndSetAll: async (replacements, now) => {
        for (let attempts = 0; attempts < maxAttempts; attempts++) {
          let atomic = kv.atomic();
          for (const { key, expected, value, ttlMs } of replacements) {
            const entry = await kv.get(keyOf(key));
            if (adapter.readUnexpired(entry.value, now) !== expected) return false;
            // It is replaced only if nothing was written since it was read.
            atomic = atomic
              .check({ key: keyOf(key), versionstamp: entry.versionstamp })
              .set(keyOf(key), adapter.expiring(value, ttlMs, now), { expireIn: Math.max(1, ttlMs) });
          }
          if ((await atomic.commit()).ok) return true;
        }
        throw adapter.storeFailure('another write came first each time');
      },
      list: async function* ({ prefix, without, now }) {
        for await (const { key, value } of kv.list?.({ prefix: ['pagepics'] }) ?? []) {
          const [name, text] = [String(key[1]), adapter.readUnexpired(value, now)];
          if (text !== undefined && name.startsWith(prefix) && !text.includes(without)) yield [name, text];
        }
      },
    },
    options,
  );
}

function keyOf(key: string): string[] {
  return ['pagepics', key];
}
