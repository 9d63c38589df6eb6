import { ConfigurationError } from '../../errors.ts';
import { fieldsOf } from '../../options/check.ts';
import { engine } from './engine.ts';
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
  for (const name of ['get', 'compareAndSet'] as const) {
    if (typeof fieldsOf(store)[name] !== 'function') {
      throw new ConfigurationError(`store must have the method ${name}`, 'store');
    }
  }
  const { transact, list } = store;
  return {
    get: (key) => store.get(key),
    compareAndSet: (...replacement) => store.compareAndSet(...replacement),
    ...(transact && { transact: (replacements) => transact.call(store, replacements) }),
    ...(list && { list: (query) => list.call(store, query) }),
    engine,
  };
}

/** A journal over a store of this SDK, whose `transact` serves for single replacements too. */
export function atomicJournal(store: Required<Pick<JournalStore, 'get' | 'transact' | 'list'>>): Journal {
  return createJournal({
    ...store,
    compareAndSet: async (key, expected, value, ttlMs) => {
      const [isStored = false] = await store.transact([{ key, expected, value, ttlMs }]);
      return isStored;
    },
  });
}

/** Which of the replacements succeed, given what is stored under the key of each. */
export function whichStore(
  replacements: readonly JournalReplacement[],
  stored: readonly (string | undefined)[],
): boolean[] {
  const fits = replacements.map(({ expected }, index) => stored[index] === expected);
  return fits.map((fit) => fit && fits[0] === true);
}

/**
 * A journal in the memory of its process, with the entries of the last `journalTtlMs`. For tests, and against double
 * calls within one process: it forgets everything in a crash.
 *
 * @example
 * const context = createPageContext({ appId, appSecret, journal: memoryJournal() });
 */
export function memoryJournal(): Journal {
  const entries = new Map<string, { readonly value: string; readonly endsAt: number }>();
  const read = (key: string): string | undefined => {
    const { value, endsAt = 0 } = entries.get(key) ?? {};
    return endsAt > Date.now() ? value : undefined;
  };
  const replace = ({ key, value, ttlMs = 0 }: JournalReplacement): void => {
    const now = Date.now();
    // Deleting and setting it again moves it to the end, so the first ones are the oldest.
    entries.delete(key);
    if (value !== undefined) entries.set(key, { value, endsAt: now + ttlMs });
    for (const [oldest, { endsAt }] of entries) {
      if (endsAt > now) break;
      entries.delete(oldest);
    }
  };
  return atomicJournal({
    get: async (key) => read(key),
    transact: async (replacements) => {
      const stored = replacements.map(({ key }) => read(key));
      const isStored = whichStore(replacements, stored);
      for (const [index, replacement] of replacements.entries()) if (isStored[index]) replace(replacement);
      return isStored;
    },
    list: async function* ({ prefix, without }) {
      for (const key of entries.keys()) {
        const value = read(key);
        if (value !== undefined && key.startsWith(prefix) && !value.includes(without)) yield [key, value];
      }
    },
  });
}
