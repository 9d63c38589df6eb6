import { whichStore } from '../core/writes/journal/createJournal.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import {
  checkAdapter,
  type JournalAdapterOptions,
  journalOver,
  lasting,
  listedAtOnce,
  readLasting,
} from './adapterOptions.ts';

/** The storage of a Durable Object: `this.ctx.storage`. */
export interface DurableObjectStorage {
  readonly get: (key: string) => Promise<unknown>;
  readonly transaction: <T>(work: (txn: DurableObjectTransaction) => Promise<T>) => Promise<T>;
  /** For `openKeys`. */
  readonly list?: (options: {
    readonly prefix: string;
    readonly startAfter?: string;
    readonly limit: number;
  }) => Promise<ReadonlyMap<string, unknown>>;
}

/** Its storage within a transaction. */
export interface DurableObjectTransaction {
  readonly get: (key: string) => Promise<unknown>;
  readonly put: (key: string, value: unknown) => Promise<unknown>;
  readonly delete?: (key: string) => Promise<unknown>;
}

/**
 * A journal in the storage of a Durable Object, for the calls that the object makes. Expired entries are ignored, but
 * not deleted: delete their keys, which begin with `pagepics`, in an alarm of your own.
 */
export function durableObjectJournal(
  storage: DurableObjectStorage,
  options: JournalAdapterOptions = {},
): Journal {
  checkAdapter('storage', storage, ['transaction'], options);
  return journalOver(
    {
      get: async (key) => readLasting(await storage.get(key)),
      transact: (replacements) =>
        storage.transaction(async (txn) => {
          const stored = await Promise.all(replacements.map(({ key }) => txn.get(key)));
          const isStored = whichStore(replacements, stored.map(readLasting));
          for (const [index, replacement] of replacements.entries()) {
            const { key, value } = replacement;
            if (isStored[index] !== true) continue;
            if (value === undefined && txn.delete) await txn.delete(key);
            else await txn.put(key, lasting(replacement));
          }
          return isStored;
        }),
      list: async function* ({ prefix, without }) {
        let last: string | undefined;
        for (;;) {
          const rows = await storage.list?.({
            prefix,
            limit: listedAtOnce,
            ...(last !== undefined && { startAfter: last }),
          });
          for (const [key, value] of rows ?? []) {
            last = key;
            const text = readLasting(value);
            if (text !== undefined && !text.includes(without)) yield [key, text];
          }
          if ((rows?.size ?? 0) < listedAtOnce) return;
        }
      },
    },
    options,
  );
}
