import type { LookedUp } from '../journal/types.ts';
import type { Sending } from './entry.ts';

/** Lookups begin so many milliseconds before the recorded time: clocks differ. */
const marginMs = 60_000;

/** What a lookup shows of a request that may have been sent: `ambiguous` where what fits may be another's. */
export interface EffectMatch {
  readonly kind: 'own' | 'ambiguous' | 'none';
  readonly id?: string;
}

export function matchEffect(
  hasOwnOnly: boolean,
  entries: LookedUp['entries'],
  sending: Sending | undefined,
): EffectMatch {
  // `created_time` is rounded down to the second.
  const began = Math.floor(((sending?.since ?? 0) - marginMs) / 1000) * 1000;
  // What shows in no list of many can only be its own; what has a time that cannot be read is never taken.
  const [entry, ...more] = entries.filter(({ createdAt }) => hasOwnOnly || !(createdAt < began));
  if (entry === undefined) return { kind: 'none' };
  if (hasOwnOnly || (more.length === 0 && entry.createdAt >= began)) return { kind: 'own', id: entry.id };
  return { kind: 'ambiguous' };
}
