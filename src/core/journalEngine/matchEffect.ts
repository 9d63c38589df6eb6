import type { KeyedContext } from '../journal/types.ts';
import type { LookupResult, RecentEntry } from '../writes/effectLookup.ts';
import type { Sending } from './entry.ts';

/** Lookups begin at least so many milliseconds before the recorded time: clocks differ. */
const leastMarginMs = 60_000;

/** When what a request made can have been made, by the platform's clock. */
export interface Span {
  /** Rounded down as `created_time` is. */
  readonly from: number;
  readonly until: number;
}

/** What a lookup shows, without what others have published. */
export interface OwnLookupResult extends LookupResult {
  readonly entries: readonly OwnEntry[];
}

interface OwnEntry extends RecentEntry {
  /** It may be another's. */
  readonly isDoubtful: boolean;
}

/** What a lookup shows of a request that may have been sent: `ambiguous` where what fits may be another's. */
export interface EffectMatch {
  readonly kind: 'own' | 'ambiguous' | 'none';
  readonly id?: string;
}

/** When the effect of a request can have come: from its record on, until it cannot be under way any more. */
export function spanOf(
  { journal, clock, platformClock }: KeyedContext,
  { at, since, endsAt = at }: Sending = { at: 0, since: 0 },
): Span {
  // Where the platform's clock was not known then, it may be now. Machines agree better than they do with it.
  const aheadMs = clock.now() - platformClock.timeAt(clock.monotonic()).earliest;
  const began = since === at && Number.isFinite(aheadMs) ? at - aheadMs : since;
  // Machines may differ by half a lease.
  const marginMs = Math.max(leastMarginMs, journal.journalLeaseMs / 2);
  return {
    from: Math.floor((began - marginMs) / 1000) * 1000,
    until: began + (endsAt - at) + journal.journalSettleMs + marginMs,
  };
}

export function matchEffect(
  hasOwnOnly: boolean,
  entries: OwnLookupResult['entries'],
  span: Span,
): EffectMatch {
  // What shows in no list of many can only be its own; what has a time that cannot be read is never taken.
  const [entry, ...more] = entries.filter(({ createdAt }) => hasOwnOnly || !(createdAt < span.from));
  if (entry === undefined) return { kind: 'none' };
  const { createdAt, isDoubtful } = entry;
  const isInTime = createdAt >= span.from && createdAt <= span.until;
  if (hasOwnOnly || (more.length === 0 && isInTime && !isDoubtful)) return { kind: 'own', id: entry.id };
  return { kind: 'ambiguous' };
}
