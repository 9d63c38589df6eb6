import type { LookedUp } from '../journal/types.ts';
import type { Sending } from './entry.ts';

/** Lookups begin so many milliseconds before the recorded time: clocks differ. */
const marginMs = 60_000;

/** What a lookup shows of a request that may have been sent: `ambiguous` where what fits may be another's. */
export interface EffectMatch {
  readonly kind: 'own' | 'ambiguous' | 'none';
  readonly id?: string;
}

/** From when on an entry can be its effect: rounded down as `created_time` is. */
export function beganAt(sending: Sending | undefined): number {
  return Math.floor(((sending?.since ?? 0) - marginMs) / 1000) * 1000;
}

export function matchEffect(
  hasOwnOnly: boolean,
  entries: LookedUp['entries'],
  sending: Sending | undefined,
): EffectMatch {
  const began = beganAt(sending);
  // What shows in no list of many can only be its own; what has a time that cannot be read is never taken.
  const [entry, ...more] = entries.filter(({ createdAt }) => hasOwnOnly || !(createdAt < began));
  if (entry === undefined) return { kind: 'none' };
  if (hasOwnOnly || (more.length === 0 && entry.createdAt >= began)) return { kind: 'own', id: entry.id };
  return { kind: 'ambiguous' };
}
