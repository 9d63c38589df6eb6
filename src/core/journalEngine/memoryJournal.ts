import type { Journal } from '../journal/types.ts';
import { createJournal } from './createJournal.ts';

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
  return createJournal({
    get: async (key) => read(key),
    compareAndSet: async (key, expected, value, ttlMs) => {
      if (read(key) !== expected) return false;
      const now = Date.now();
      // Deleted and set again, it comes last, so that the first ones are the oldest.
      entries.delete(key);
      entries.set(key, { value, endsAt: now + ttlMs });
      for (const [oldest, { endsAt }] of entries) {
        if (endsAt > now) break;
        entries.delete(oldest);
      }
      return true;
    },
  });
}
