import type { Journal } from '../journal/types.ts';
import { engine } from './engine.ts';

/**
 * Makes a journal of a store of your own. Where modules are loaded one by one, as in Node, the option `journal` takes
 * the store as it is; in a bundle, this brings along what works with it.
 *
 * @example
 * const rows = new Map<string, string>(); // stands for your store
 * const journal = createJournal({
 *   get: async (key) => rows.get(key),
 *   compareAndSet: async (key, expected, value) => rows.get(key) === expected && Boolean(rows.set(key, value)),
 * });
 */
export function createJournal(store: Pick<Journal, 'get' | 'compareAndSet'>): Journal {
  return {
    get: (key) => store.get(key),
    compareAndSet: (...replacement) => store.compareAndSet(...replacement),
    engine,
  };
}
