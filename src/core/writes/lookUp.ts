import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { PlatformClock, PlatformTime } from '../http/platformClock.ts';
import { backoff } from '../http/retry.ts';
import type { JournalContext } from './journal/types.ts';
import { beginWrite, findEqualWrites, memoryMs, type RecentWrite } from './memory.ts';
import type { EffectLookup, LookupResult, RecentEntry } from './types.ts';

/** A lost write is looked up so often, each time after twice the pause of the time before. */
const steps = [1, 2, 3, 4];
/** Milliseconds that one lookup may take; all of them together twice as long beyond their pauses. */
const lookupMs = 5000;

/** What was learnt of a lost write. */
export interface Effect {
  readonly id?: string | undefined;
  /** It took effect, although its id could not be learnt. */
  readonly isApplied?: boolean | undefined;
}

/**
 * Looks up a write that this call sent and whose response was lost. Lists lag and writes land late, so it does so a
 * few times: by default for 7.5 seconds, and up to 10 more where the platform is slow.
 */
export async function lookUpLostWrite<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  write: RecentWrite,
  { signal, deadline }: { readonly signal: AbortSignal | undefined; readonly deadline: number },
): Promise<Effect> {
  const { clock, retry, fetcher } = context;
  const { query } = lookup;
  if (query === undefined) return {};
  let dueAt = clock.monotonic();
  const endsAt = dueAt + 15 * retry.baseDelayMs + 2 * lookupMs;
  let isApplied: boolean | undefined;
  let likelyId: string | undefined;

  for (const step of steps) {
    dueAt += backoff(retry, step);
    const waitMs = Math.max(0, dueAt - clock.monotonic());
    if (clock.monotonic() + waitMs >= deadline) break;
    if ((await fetcher.pause(clock, waitMs, signal)).isErr()) break;
    const leftMs = Math.min(lookupMs, endsAt - clock.monotonic());
    const limits = { attempts: 1, deadline: Math.min(deadline, clock.monotonic() + leftMs) };
    const result = await query(limits);
    // A failed lookup proves nothing; the next one may succeed.
    if (result.isErr()) continue;
    isApplied ||= result.value.isApplied;
    // Of an older write, this process has forgotten the rivals.
    if (clock.monotonic() - write.startedAt > memoryMs) continue;
    const isLast = step === steps.at(-1);
    const match = matchResult(context, lookup, result.value, { write, isLast });
    if (match.kind === 'own') return match;
    likelyId = match.kind === 'likely' ? match.id : undefined;
    if (result.value.isFinal === true) break;
  }
  return { id: likelyId, isApplied };
}

/**
 * Looks up once what a write has made that may have been sent since an instant, by this process or another. Until
 * `since`, by the platform's clock, it had not taken effect.
 */
export function lookUpEffect<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  since: PlatformTime,
  deadline = Infinity,
): ResultAsync<Match, RequestFailure> {
  return new ResultAsync(lookUpOnce());

  async function lookUpOnce(): Promise<Result<Match, RequestFailure>> {
    const { write, end, forget } = await beginWrite(context, lookup);
    // For others, it may have made whatever fits.
    write.startedAt = -Infinity;
    const limits = { attempts: 1, deadline: Math.min(deadline, context.clock.monotonic() + lookupMs) };
    const result = await (lookup.query?.(limits) ?? okAsync<LookupResult>({ entries: [] }));
    if (result.isErr()) {
      forget();
      return err(result.error);
    }
    const match = matchResult(context, lookup, result.value, { write, since });
    if (match.kind === 'own') end(lookup.idOf(lookup.toValue(match.id)));
    else forget();
    return ok(match);
  }
}

function matchResult<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  { entries }: LookupResult,
  {
    write,
    since,
    isLast = false,
  }: { readonly write: RecentWrite; readonly since?: PlatformTime; readonly isLast?: boolean },
): Match {
  const [entry] = entries;
  const isCertain = lookup.list === undefined || lookup.findsOwnOnly === true;
  if (isCertain && entry !== undefined) return { kind: 'own', id: entry.id };
  const others: RecentWrite[] = [];
  let { startedAt } = write;
  for (const equal of findEqualWrites(context, write)) {
    if (equal !== write && (equal.resource === undefined || equal.resource !== write.resource)) {
      others.push(equal);
    } else {
      if (equal.id !== undefined) return { kind: 'own', id: equal.id };
      startedAt = Math.min(startedAt, equal.startedAt);
    }
  }
  // While the own one does not show yet, another's is alone.
  if (lookup.hidesContent === true && !isLast) return { kind: 'ambiguous' };
  const { timeAt } = context.platformClock;
  return matchOwnWrite(entries, since ?? timeAt(startedAt), others, timeAt);
}

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
