import type { Journal } from '../core/writes/journal/types.ts';
import type { JournalAdapterOptions } from './adapter.ts';
import * as adapter from './adapter.ts';

/** The storage of a Durable Object: `this.ctx.storage`. */
export interface DurableObjectStorage {
  readonly get: (key: string) => Promise<unknown>;
  readonly transaction: <T>(work: (transaction: DurableObjectTransaction) => Promise<T>) => Promise<T>;
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
}

/**
 * A journal in the storage of a Durable Object, for the calls that the object makes. Expired entries are ignored, but
 * not deleted: delete their keys, which begin with `pagepics`, in an alarm of your own.
 */
export function durableObjectJournal(
  storage: DurableObjectStorage,
  options: JournalAdapterOptions = {},
): Journal {
  adapter.checkAdapter('storage', storage, ['transaction'], options);
  return adapter.journalOver(
    {
      get: async (key, now) => adapter.readUnexpired(await storage.get(key), now),
      compareAndSetAll: (replacements, now) =>
        storage.transaction(async (transaction) => {
          for (const { key, expected } of replacements)
            if (adapter.readUnexpired(await transaction.get(key), now) !== expected) return false;
          for (const { key, value, ttlMs } of replacements)
            await transaction.put(key, adapter.expiring(value, ttlMs, now));
          return true;
        }),
      list: async function* ({ prefix, without, now }) {
        let last: string | undefined;
        for (;;) {
          const rows = await storage.list?.({
            prefix,
            limit: adapter.listedAtOnce,
            ...(last !== undefined && { startAfter: last }),
          });
          for (const [key, value] of rows ?? []) {
            last = key;
            const text = adapter.readUnexpired(value, now);
            if (text !== undefined && !text.includes(without)) yield [key, text];
          }
          if ((rows?.size ?? 0) < adapter.listedAtOnce) return;
        }
      },
    },
    options,
  );
}
