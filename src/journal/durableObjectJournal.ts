import type { Journal } from '../core/journal/types.ts';
import { createJournal } from '../core/journalEngine/createJournal.ts';
import { lasting, readLasting } from './lasting.ts';

/** The storage of a Durable Object: `this.ctx.storage`. */
export interface DurableObjectStorage {
  readonly get: (key: string) => Promise<unknown>;
  readonly transaction: <T>(work: (txn: DurableObjectTransaction) => Promise<T>) => Promise<T>;
}

/** Its storage within a transaction. */
export interface DurableObjectTransaction {
  readonly get: (key: string) => Promise<unknown>;
  readonly put: (key: string, value: unknown) => Promise<unknown>;
}

/**
 * A journal in the storage of a Durable Object, for the calls that the object makes. Entries that are over read as
 * none; delete their keys, which begin with `pagepics`, in an alarm of yours.
 */
export function durableObjectJournal(storage: DurableObjectStorage): Journal {
  return createJournal({
    get: async (key) => readLasting(await storage.get(key)),
    compareAndSet: (key, expected, value, ttlMs) =>
      storage.transaction(async (txn) => {
        if (readLasting(await txn.get(key)) !== expected) return false;
        await txn.put(key, lasting(value, ttlMs));
        return true;
      }),
  });
}
