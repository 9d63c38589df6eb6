import { okAsync, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { PlatformClock, PlatformTime } from '../http/platformClock.ts';
import { backoff } from '../http/retry.ts';
import type { JournalContext } from './journal/types.ts';
import { beginWrite, canHaveMade, findEqualWrites, memoryMs, type RecentWrite } from './memory.ts';
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
    const found = matchResult(context, lookup, result.value, { write, isLast });
    if (found?.isSure === true) return found;
    likelyId = found?.id;
    if (result.value.isFinal === true) break;
  }
  return { id: likelyId, isApplied };
}

/**
 * Looks up once what a write has made that may have been sent since an instant, by this process or another: its id, if
 * it is sure. Until `since`, by the platform's clock, it had not taken effect.
 */
export function lookUpEffect<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  since: PlatformTime,
  deadline = Infinity,
): ResultAsync<string | undefined, RequestFailure> {
  return new ResultAsync(lookUpOnce());

  async function lookUpOnce(): Promise<Result<string | undefined, RequestFailure>> {
    const { write, end, forget } = await beginWrite(context, lookup);
    // For others, it may have made whatever fits.
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

/** Whether what a lookup finds can only be of its write. */
export function findsOwnOnly(lookup: Pick<EffectLookup<unknown>, 'list' | 'findsOwnOnly'>): boolean {
  return lookup.list === undefined || lookup.findsOwnOnly === true;
}

interface Found {
  readonly id: string;
  /** The platform's clock is known well enough to be sure that the write came first. */
  readonly isSure: boolean;
}

interface Looked {
  readonly write: RecentWrite;
  readonly since?: PlatformTime;
  readonly isLast?: boolean;
}

/** What a write made of the entries with its content, by all that this process remembers. */
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
  // While the own one does not show yet, another's is alone.
  if (lookup.hidesContent === true && !isLast) return undefined;
  const { timeAt } = context.platformClock;
  return matchOwnWrite(entries, since ?? timeAt(startedAt), others, timeAt);
}

/**
 * How well the platform's clock has to be known, milliseconds. The `Date` header alone leaves a second open, and
 * the way of the response its time; an equal entry that is older by less than this cannot be told apart.
 */
const sharpMs = 2000;
const likelyMs = 4000;

/** Tells which entry is a write's own: made since it began, by no other write, and alone in that. */
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
      // What may be another's, or has a time that cannot be read, is left out, rather than in the way.
      .filter((one) => !one.isDoubtful && one.createdAt >= began && !isOthers(one, one.id))
      .map((one) => ({ ...one, isDoubtful: isOthers(one, undefined) })),
  );
  return entry && openMs <= likelyMs ? { id: entry.id, isSure: openMs <= sharpMs } : undefined;
}

/** The entry that is alone, and nobody else's. */
export function onlyEntry([entry, ...more]: readonly RecentEntry[]): RecentEntry | undefined {
  // A list may show one entry twice, as where another one came in between two of its pages.
  return entry?.isDoubtful || more.some(({ id }) => id !== entry?.id) ? undefined : entry;
}
