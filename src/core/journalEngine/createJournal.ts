import type { Journal, JournalStore } from '../journal/types.ts';
import { engine } from './engine.ts';

/**
 * Makes a journal of a store of your own, for the option `journal` of a context.
 *
 * @example
 * const rows = new Map<string, string>(); // stands for your store
 * const journal = createJournal({
 *   get: async (key) => rows.get(key),
 *   compareAndSet: async (key, expected, value) => rows.get(key) === expected && Boolean(rows.set(key, value)),
 * });
 */
export function createJournal(store: JournalStore): Journal {
  return {
    get: (key) => store.get(key),
    compareAndSet: (...replacement) => store.compareAndSet(...replacement),
    engine,
  };
}
