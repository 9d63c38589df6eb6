import type { Journal, JournalReplacement } from '../journal/types.ts';
import { atomicJournal, whichStore } from './createJournal.ts';

/**
 * A journal in the memory of its process, with the entries of the last `journalTtlMs`. For tests, and against double
 * calls within one process: after a crash, it has forgotten.
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
    // Deleted and set again, it comes last, so that the first ones are the oldest.
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
