import type { LookupResult, RecentEntry } from '../types.ts';
import type { Sending } from './entry.ts';
import type { JournalTimes, KeyedContext } from './types.ts';

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

/** What a lookup shows of a request that may have been sent. */
export interface EffectMatch {
  /** What only it can have made. */
  readonly id: string | undefined;
  /** What it may have made. */
  readonly candidates: readonly string[];
}

/** When the effect of a request can have come: from its record on, until it cannot be under way any more. */
export function spanOf(
  { journal, clock, platformClock }: KeyedContext,
  { at, since, endsAt = at }: Sending = { at: 0, since: 0 },
): Span {
  // Where the platform's clock was not known then, it may be now. Machines agree better than they do with it.
  const aheadMs = clock.now() - platformClock.timeAt(clock.monotonic()).earliest;
  const began = since === at && Number.isFinite(aheadMs) ? at - aheadMs : since;
  return spanFrom(journal, began, endsAt - at);
}

/** When what begins at a time, by the platform's clock, and may take so long can show. */
export function spanFrom(
  { journalLeaseMs, journalSettleMs }: JournalTimes,
  began: number,
  lastsMs = 0,
): Span {
  // Machines may differ by half a lease.
  const marginMs = Math.max(leastMarginMs, journalLeaseMs / 2);
  return {
    from: Math.floor((began - marginMs) / 1000) * 1000,
    until: began + lastsMs + journalSettleMs + marginMs,
  };
}

export function matchEffect(
  hasOwnOnly: boolean,
  entries: OwnLookupResult['entries'],
  span: Span,
  later?: Span,
): EffectMatch {
  // What shows in no list of many can only be its own; what has a time that cannot be read is never taken.
  const fitting = entries.filter(({ createdAt }) => hasOwnOnly || !(createdAt < span.from));
  const [entry, ...more] = fitting;
  const isIn = ({ from, until }: Span): boolean =>
    entry !== undefined && entry.createdAt >= from && entry.createdAt <= until;
  const isOwn =
    hasOwnOnly ||
    // A list may show one entry twice, as where another one came in between two of its pages.
    (more.every(({ id }) => id === entry?.id) &&
      entry?.isDoubtful === false &&
      (isIn(span) || (later !== undefined && isIn(later))));
  return {
    id: isOwn ? entry?.id : undefined,
    candidates: [...new Set(fitting.map(({ id }) => id))],
  };
}
