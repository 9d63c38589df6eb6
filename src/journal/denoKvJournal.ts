import type { Journal } from '../core/journal/types.ts';
import { createJournal } from '../core/journalEngine/createJournal.ts';
import { lasting, readLasting } from './lasting.ts';

/** What `Deno.openKv()` resolves to. */
export interface DenoKv {
  readonly get: (key: string[]) => Promise<DenoKvEntry>;
  readonly atomic: () => DenoKvAtomic;
}

export interface DenoKvEntry {
  readonly value: unknown;
  readonly versionstamp: string | null;
}

export interface DenoKvAtomic {
  readonly check: (entry: { readonly key: string[]; readonly versionstamp: string | null }) => DenoKvAtomic;
  readonly set: (key: string[], value: unknown, options: { readonly expireIn: number }) => DenoKvAtomic;
  readonly commit: () => Promise<{ readonly ok: boolean }>;
}

/**
 * A journal in Deno KV, under keys that begin with `pagepics`. A database on disk is for one connection: of several that
 * write at once, Deno refuses some.
 */
export function denoKvJournal(kv: DenoKv): Journal {
  return createJournal({
    get: async (key) => readLasting((await kv.get(keyOf(key))).value),
    compareAndSet: async (key, expected, value, ttlMs) => {
      const entry = await kv.get(keyOf(key));
      if (readLasting(entry.value) !== expected) return false;
      // Only if nobody has written since it was read.
      const { ok } = await kv
        .atomic()
        .check({ key: keyOf(key), versionstamp: entry.versionstamp })
        .set(keyOf(key), lasting(value, ttlMs), { expireIn: ttlMs })
        .commit();
      return ok;
    },
  });
}

function keyOf(key: string): string[] {
  return ['pagepics', key];
}
