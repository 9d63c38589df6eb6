import { whichStore } from '../core/writes/journal/createJournal.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import {
  checkAdapter,
  type JournalAdapterOptions,
  journalOver,
  lasting,
  readLasting,
  storeFailure,
} from './adapterOptions.ts';

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
  readonly delete?: (key: string[]) => DenoKvAtomic;
  readonly commit: () => Promise<{ readonly ok: boolean }>;
}

/** How many attempts a step gets when other writes come first. */
const most = 10;

/**
 * A journal in Deno KV, under keys that begin with `pagepics`. Use one connection for a database on disk: if several
 * write at once, Deno refuses some.
 */
export function denoKvJournal(kv: DenoKv, options: JournalAdapterOptions = {}): Journal {
  checkAdapter('kv', kv, ['atomic'], options);
  return journalOver(
    {
      get: async (key) => readLasting((await kv.get(keyOf(key))).value),
      transact: async (replacements) => {
        for (let attempts = 0; attempts < most; attempts++) {
          const entries = await Promise.all(replacements.map(({ key }) => kv.get(keyOf(key))));
          const isStored = whichStore(
            replacements,
            entries.map(({ value }) => readLasting(value)),
          );
          if (!isStored.includes(true)) return isStored;
          // Only if nothing was written since they were read.
          let step = kv.atomic();
          for (const [index, replacement] of replacements.entries()) {
            const { key, value, ttlMs = 0 } = replacement;
            const versionstamp = entries[index]?.versionstamp ?? null;
            step = step.check({ key: keyOf(key), versionstamp });
            if (isStored[index] !== true) continue;
            step =
              value === undefined && step.delete
                ? step.delete(keyOf(key))
                : step.set(keyOf(key), lasting(replacement), { expireIn: Math.max(1, ttlMs) });
          }
          if ((await step.commit()).ok) return isStored;
        }
        throw storeFailure('others wrote first each time');
      },
      list: async function* ({ prefix, without }) {
        for await (const { key, value } of kv.list?.({ prefix: ['pagepics'] }) ?? []) {
          const [name, text] = [String(key[1]), readLasting(value)];
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
