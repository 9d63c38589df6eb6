import { ConfigurationError } from '../../errors.ts';
import { fieldsOf } from '../../objects.ts';
import { anyOption } from '../../options/check.ts';
import { fromCaller } from '../../options/given.ts';
import { engine } from './engine.ts';
import { jointIn, withJoint, writeOf } from './joint.ts';
import type { Journal, JournalReplacement, JournalStore } from './types.ts';

/**
 * Creates a journal of a store of your own, for the option `journal` of a context.
 *
 * Throws a ConfigurationError if it is not such a store.
 *
 * @example
 * const rows = new Map<string, string>(); // stands for your store
 * const journal = createJournal({
 *   get: async (key) => rows.get(key),
 *   compareAndSet: async (key, expected, value) => rows.get(key) === expected && Boolean(rows.set(key, value)),
 * });
 */
export function createJournal(store: JournalStore): Journal {
  return fromCaller('store', () => journalOf(store));
}

function journalOf(store: JournalStore): Journal {
  for (const name of ['get', 'compareAndSet'] as const) {
    if (typeof fieldsOf(store)[name] !== 'function') {
      throw new ConfigurationError(`store must have the method ${name}`, 'store');
    }
  }
  const { list } = store;
  const compareAndSetAll = jointIn(store);
  const journal: Journal = {
    get: (...key) => store.get(...key),
    compareAndSet: (...replacement) => store.compareAndSet(...replacement),
    ...(list && { list: (query) => list.call(store, query) }),
    engine,
  };
  if (!compareAndSetAll) return journal;
  const write = writeOf(store);
  // Where the store's `compareAndSet` was replaced since, this would store past that.
  return withJoint(
    journal,
    async (...all) => writeOf(store) === write && compareAndSetAll.call(store, ...all),
  );
}

/**
 * A journal in the memory of its process, whose entries expire by the clock of the context. For tests, and against double
 * calls within one process: it forgets everything in a crash. It has no options, and throws a ConfigurationError for one.
 *
 * @example
 * const context = createPageContext({ appId, appSecret, journal: memoryJournal() });
 */
export function memoryJournal(): Journal;
export function memoryJournal(options?: unknown): Journal {
  const invalid = anyOption(options);
  if (invalid) throw invalid;
  const entries = new Map<string, { readonly value: string; readonly endsAt: number }>();
  const read = (key: string, now = Date.now()): string | undefined => {
    const { value, endsAt = -Infinity } = entries.get(key) ?? {};
    return endsAt > now ? value : undefined;
  };
  const replaceAll = (replacements: readonly JournalReplacement[], now = Date.now()): boolean => {
    if (replacements.some(({ key, expected }) => read(key, now) !== expected)) return false;
    for (const { key, value, ttlMs } of replacements) {
      // Deleting and setting it again moves it to the end, so the first ones are the oldest.
      entries.delete(key);
      entries.set(key, { value, endsAt: now + ttlMs });
    }
    for (const [oldest, { endsAt }] of entries) {
      if (endsAt > now) break;
      entries.delete(oldest);
    }
    return true;
  };
  return createJournal({
    get: async (...key) => read(...key),
    compareAndSet: async (key, expected, value, ttlMs, now) =>
      replaceAll([{ key, expected, value, ttlMs }], now),
    compareAndSetAll: async (...all) => replaceAll(...all),
    list: async function* ({ prefix, without, now }) {
      for (const key of entries.keys()) {
        const value = read(key, now);
        if (value !== undefined && key.startsWith(prefix) && !value.includes(without)) yield [key, value];
      }
    },
  });
}
