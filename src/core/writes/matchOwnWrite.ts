import type { PlatformClock, PlatformTime } from '../http/platformClock.ts';
import type { RecentWrite } from '../options/writeMemory.ts';
import type { RecentEntry } from './effectLookup.ts';

/**
 * What the entries with the content of a write say of it:
 *
 * - `own`: this one only the write can have made;
 * - `likely`: as `own`, but the platform's clock is not known well enough to be sure that the write came first;
 * - `ambiguous`: what fits may be another's;
 * - `none`: nothing fits.
 */
export type Match =
  | { readonly kind: 'own' | 'likely'; readonly id: string }
  | { readonly kind: 'ambiguous' | 'none' };

/**
 * How well the platform's clock has to be known, milliseconds. The `Date` header alone leaves a second open, and
 * the way of the response its time; an equal entry that is older by less than this cannot be told apart.
 */
const sharpMs = 2000;
const likelyMs = 4000;
/** Milliseconds by which `created_time`, which is rounded down, and the `Date` header may differ. */
export const skewMs = 5000;

/** Tells which entry is a write's own: made since it began, by no other write, and alone in that. */
export function matchOwnWrite(
  entries: readonly RecentEntry[],
  since: PlatformTime,
  others: readonly RecentWrite[],
  timeAt: PlatformClock['timeAt'],
): Match {
  // Rounded down: `created_time` has one-second resolution.
  const began = Math.floor(since.earliest / 1000) * 1000;
  const openMs = since.latest - since.earliest;
  const candidates = entries.filter(
    (entry) =>
      !(entry.createdAt < began) && !others.some((other) => other.id === entry.id && isInSpan(entry, other)),
  );
  // One whose time cannot be read is never taken.
  const [entry, ...more] = candidates.filter(({ createdAt }) => createdAt >= began);
  if (entry === undefined) return { kind: candidates.length === 0 ? 'none' : 'ambiguous' };
  const hasRival = others.some((other) => other.id === undefined && isInSpan(entry, other));
  // A list may show one entry twice, as where another one came in between two of its pages.
  const hasDouble = more.some(({ id }) => id !== entry.id);
  if (hasDouble || hasRival || !(openMs <= likelyMs)) return { kind: 'ambiguous' };
  return { kind: openMs > sharpMs ? 'likely' : 'own', id: entry.id };

  /** Whether a write can have made an entry: one that is lost, at any later time. */
  function isInSpan({ createdAt }: RecentEntry, { startedAt, endedAt, id }: RecentWrite): boolean {
    const end = id === undefined ? Infinity : (endedAt ?? Infinity);
    return !(createdAt < timeAt(startedAt).earliest - skewMs) && !(createdAt > timeAt(end).latest + skewMs);
  }
}
