import { okAsync, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { PlatformClock, PlatformTime } from '../http/platformClock.ts';
import { backoff } from '../http/retry.ts';
import type { JournalContext } from './journal/types.ts';
import { beginWrite, canHaveMade, findEqualWrites, memoryMs, type RecentWrite } from './memory.ts';
import type { EffectLookup, LookupResult, RecentEntry } from './types.ts';

/** When a lost write is looked up: each time after twice the pause before. */
const steps = [1, 2, 3, 4];
/** How long one lookup may take, in milliseconds; all of them together may take twice that, plus their pauses. */
const lookupMs = 5000;

/** What was learned about a lost write. */
export interface Effect {
  readonly id?: string | undefined;
  /** It took effect, but its id could not be learned. */
  readonly isApplied?: boolean | undefined;
}

/**
 * Looks up a write of this call whose response was lost. Lists lag and writes take effect late, so it looks several
 * times: for 7.5 seconds by default, and up to 10 more if the platform is slow.
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
    // For an older write, this process no longer remembers the rivals.
    if (clock.monotonic() - write.startedAt > memoryMs) continue;
    const isLast = step === steps.at(-1);
    const found = matchResult(context, lookup, result.value, { write, isLast });
    if (found?.isSure === true) return found;
    likelyId = found?.id;
    if (result.value.isFinal === true) break;
  }
  return { id: likelyId, isApplied };
}

/**
 * Looks up once what a write created that this or another process may have sent: its id, if it is certain. By the
 * platform's clock, the write had not taken effect before `since`.
 */
export function lookUpEffect<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  since: PlatformTime,
  deadline = Infinity,
): ResultAsync<string | undefined, RequestFailure> {
  return new ResultAsync(lookUpOnce());

  async function lookUpOnce(): Promise<Result<string | undefined, RequestFailure>> {
    const { write, end, forget } = beginWrite(context, lookup);
    // To others, it may have created any matching entry.
    write.startedAt = -Infinity;
    const limits = { attempts: 1, deadline: Math.min(deadline, context.clock.monotonic() + lookupMs) };
    const result = await (lookup.query?.(limits) ?? okAsync<LookupResult>({ entries: [] }));
    const found = result.isOk() ? matchResult(context, lookup, result.value, { write, since }) : undefined;
    const id = found?.isSure === true ? found.id : undefined;
    if (id === undefined) forget();
    else end(lookup.idOf(lookup.toValue(id)));
    return result.map(() => id);
  }
}

/** Whether what a lookup finds can only come from its write. */
export function findsOwnOnly(lookup: Pick<EffectLookup<unknown>, 'list' | 'findsOwnOnly'>): boolean {
  return lookup.list === undefined || lookup.findsOwnOnly === true;
}

interface Found {
  readonly id: string;
  /** Whether the platform's clock is known well enough to be sure that the write came first. */
  readonly isSure: boolean;
}

interface Looked {
  readonly write: RecentWrite;
  readonly since?: PlatformTime;
  readonly isLast?: boolean;
}

/** Which of the entries with its content a write created, given everything that this process remembers. */
function matchResult<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  { entries }: LookupResult,
  { write, since, isLast = false }: Looked,
): Found | undefined {
  const [entry] = entries;
  if (findsOwnOnly(lookup) && entry !== undefined) return { id: entry.id, isSure: true };
  const others: RecentWrite[] = [];
  let { startedAt } = write;
  for (const equal of findEqualWrites(context, write)) {
    if (equal !== write && (equal.resource === undefined || equal.resource !== write.resource)) {
      others.push(equal);
    } else {
      if (equal.id !== undefined) return { id: equal.id, isSure: true };
      startedAt = Math.min(startedAt, equal.startedAt);
    }
  }
  // Until the write's own entry shows, somebody else's may be the only one.
  if (lookup.hidesContent === true && !isLast) return undefined;
  const { timeAt } = context.platformClock;
  return matchOwnWrite(entries, since ?? timeAt(startedAt), others, timeAt);
}

/**
 * How precisely the platform's clock must be known, in milliseconds. A `Date` header is uncertain by a second plus the
 * time that the response took; an identical entry that is older by less than this cannot be told apart.
 */
const sharpMs = 2000;
const likelyMs = 4000;

/** Which entry is a write's own: the only one created since the write began, and not by another write. */
export function matchOwnWrite(
  entries: readonly RecentEntry[],
  { earliest, latest }: PlatformTime,
  others: readonly RecentWrite[],
  timeAt: PlatformClock['timeAt'],
): Found | undefined {
  // Rounded down: `created_time` has one-second resolution.
  const began = Math.floor(earliest / 1000) * 1000;
  const openMs = latest - earliest;
  const isOthers = ({ createdAt }: RecentEntry, made: string | undefined): boolean =>
    others.some((other) => other.id === made && canHaveMade(other, createdAt, timeAt));
  const entry = onlyEntry(
    entries
      // An entry that may be somebody else's, or has an unreadable time, is ignored instead of making the match
      // ambiguous.
      .filter((one) => !one.isDoubtful && one.createdAt >= began && !isOthers(one, one.id))
      .map((one) => ({ ...one, isDoubtful: isOthers(one, undefined) })),
  );
  return entry && openMs <= likelyMs ? { id: entry.id, isSure: openMs <= sharpMs } : undefined;
}

/** The entry, if it is the only one and nobody else's. */
export function onlyEntry([entry, ...more]: readonly RecentEntry[]): RecentEntry | undefined {
  // A list may show one entry twice, for example if another one was added between the reads of two pages.
  return entry?.isDoubtful || more.some(({ id }) => id !== entry?.id) ? undefined : entry;
}
