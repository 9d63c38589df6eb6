import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { withIds, withMessage, withOutcome, withPayload } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import { stillMs } from '../http/polling.ts';
import { afterRejection, backoff } from '../http/retry.ts';
import { send } from '../http/send.ts';
import type { GraphRequest } from '../http/types.ts';
import type { PlatformTime } from '../options/clock.ts';
import type { JournalContext } from './journal/types.ts';
import {
  type EffectLookup,
  isBlind,
  type ListedEntries,
  type ListedEntry,
  type LookupLimits,
  type ObjectState,
  placeOf,
} from './lookups.ts';
import {
  beginWrite,
  canHaveMade,
  contentOf,
  type Evidence,
  isShownAs,
  type Look,
  type Looked,
  makersOf,
  matchEntry,
  reduceText,
  type RecentWrite,
  rivalsOf,
  siblingsOf,
  writerOf,
} from './memory.ts';
import { agreedMs, oneLookupMs, preciseEnoughMs, preciseMs } from './tolerances.ts';

/**
 * Sends a write that must not take effect twice. It is sent again only if it was refused; after a lost or unreadable
 * response, the SDK looks several times whether the write took effect.
 *
 * Without an idempotency key, an entry counts as the write's if it was made after the write began, by the platform's
 * clock, if no other write of the context's memory can have created it, and if no other entry matches as well.
 */
export function sendOnce<TValue>(
  context: JournalContext,
  request: GraphRequest<TValue>,
  lookup: EffectLookup<TValue>,
): ResultAsync<TValue, RequestFailure> {
  const { keyedCall, timeoutMs } = context;
  return new ResultAsync(
    keyedCall === undefined
      ? sendAndLook(context, request, lookup)
      : // The keyed call first looks for an earlier call's request, then records this one.
        keyedCall.sendOnce(lookup, request.timeoutMs ?? timeoutMs, ({ look, ...hooks }) =>
          sendAndLook(context, { ...request, ...hooks }, lookup, look),
        ),
  );
}

async function sendAndLook<TValue>(
  context: JournalContext,
  request: GraphRequest<TValue>,
  lookup: EffectLookup<TValue>,
  look: Look = (write, limits, isLast) => lookInMemory(context, lookup, { write, limits, isLast }),
): Promise<Result<TValue, RequestFailure>> {
  const { signal, deadline, timeoutMs: lastsMs = context.timeoutMs } = request;
  const isRepeatable = lookup.kind === 'single' && context.keyedCall === undefined;
  const { write, remember, end, forget } = beginWrite(context, lookup, lastsMs);
  const endWith = (id: string | undefined): void => end(lookup.hasOtherId ? undefined : id);
  const sent = await send(context, {
    ...request,
    deadline,
    mayRepeat: isRepeatable ? undefined : afterRejection,
    onAttempt: () => {
      remember();
      // Earlier attempts were refused.
      if (isRepeatable) return;
      write.startedAt = context.clock.monotonic();
      write.aheadMs = context.clock.now() - write.startedAt;
    },
  });
  if (sent.isOk()) {
    endWith(lookup.idOf(sent.value));
    return sent;
  }
  const failure = withIds(sent.error, lookup.ids);
  if (failure.outcome === 'rejected') {
    forget();
    return err(failure);
  }
  const isApplied = lookup.kind === 'single' && lookup.isRepeat(failure);
  if (!context.retry.onceOnly && !isApplied) {
    end();
    return err(failure);
  }
  const looked: Looked = isBlind(lookup)
    ? { why: notShown, isApplied }
    : isCallOver(failure)
      ? { why: notLookedUp }
      : await lookUpLostWrite(context, look, write, {
          signal,
          deadline,
          whyUnread: notRead(lookup),
          // Once an object is done and no list shows its effect, further lookups learn nothing.
          isFinal: placeOf(lookup)?.query === undefined,
        });
  const found = looked.id === undefined ? undefined : lookup.toValue(looked.id);
  if (found !== undefined) {
    endWith(looked.id);
    return ok(found);
  }
  end();
  // That refusal says so itself.
  if (isApplied) return err(withOutcome(failure, 'applied'));
  return err(describe(failure, looked));
}

/** Why an outcome is unknown; {@link describeOpen} says the reasons that come from a list. */
export const notShown = 'no list shows it';
export const notLookedUp = 'it was not looked up';

export function notRead<TValue>(lookup: EffectLookup<TValue>): string {
  return `${sourceOf(lookup)} could not be read`;
}

/** What shows an effect. Of a list's name, which may begin with a token, it takes the last part: `posts`. */
function sourceOf<TValue>(lookup: EffectLookup<TValue>): string {
  const list = placeOf(lookup)?.list;
  return list ? `the list of ${list.replace(/.*\/| .*/g, '')}` : 'its state';
}

/** The failure, with a message that says what became of the write, since who reads that alone may send it again. */
function describe(failure: RequestFailure, { why, candidates, isApplied }: Looked): RequestFailure {
  const what = isApplied
    ? 'it took effect all the same, and its id is not known'
    : `its outcome is unknown: ${why}`;
  const described = withMessage(failure, `${failure.message}; ${what}`);
  if (isApplied) return withOutcome(described, 'applied');
  return candidates === undefined ? described : withPayload(described, { candidates });
}

function isCallOver(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && /aborted|closed|busy|journal/.test(failure.reason);
}

/** How many lookups a lost write gets: each comes after a pause twice as long as the one before. */
const lookups = 4;

/**
 * Looks up a write of this call whose response was lost. Lists lag and writes take effect late, so it looks several
 * times: for 7.5 seconds by default, and up to 10 more if the platform is slow. Where the process stood still meanwhile,
 * that time does not count.
 */
async function lookUpLostWrite(
  { clock, retry, fetcher }: JournalContext,
  look: Look,
  write: RecentWrite,
  {
    signal,
    deadline,
    whyUnread,
    isFinal,
  }: {
    readonly signal: AbortSignal | undefined;
    readonly deadline: number;
    /** Why the outcome is unknown if no lookup succeeds. */
    readonly whyUnread: string;
    readonly isFinal: boolean;
  },
): Promise<Looked> {
  let dueAt = clock.monotonic();
  // All lookups together may take twice as long as one, plus their pauses.
  let endsAt = dueAt + 15 * retry.baseDelayMs + 2 * oneLookupMs;
  let last: Looked = { why: notLookedUp };

  for (let step = 1, made = 0; step <= lookups && made < 2 * lookups; step++, made++) {
    dueAt += backoff(retry, step);
    const now = clock.monotonic();
    const waitMs = Math.max(0, dueAt - now);
    if (now + waitMs >= deadline) break;
    if ((await fetcher.pause(clock, waitMs, signal)).isErr()) break;
    stoodStill(now + waitMs);
    const lookedAt = clock.monotonic();
    const leftMs = Math.min(oneLookupMs, endsAt - lookedAt);
    const limits = { attempts: 1, deadline: Math.min(deadline, lookedAt + leftMs) };
    const result = await look(write, limits, step === lookups);
    // What it has learned is of before: it looks at least once more.
    if (stoodStill(lookedAt + oneLookupMs)) step = Math.min(step, lookups - 1);
    // A failed lookup proves nothing; the next one may succeed.
    if (result.isErr()) {
      if (last.why === notLookedUp) last = { why: whyUnread };
      continue;
    }
    const { isApplied = last.isApplied } = result.value;
    last = { ...result.value, isApplied };
    if (last.id !== undefined || (isFinal && isApplied)) break;
  }
  return last;

  /** Whether the process did nothing for a while after a time, at which it was to go on: as if its lookups began then. */
  function stoodStill(until: number): boolean {
    const lateMs = clock.monotonic() - until;
    if (lateMs < stillMs) return false;
    endsAt += lateMs;
    dueAt = clock.monotonic();
    return true;
  }
}

/** What the platform shows of a write. */
export interface Observed extends ListedEntries, Partial<ObjectState> {
  /** Why the list of an object that is done could not be read. */
  readonly unread?: RequestFailure;
}

/** Asks the platform once what became of a write. */
export function observe<TValue>(
  lookup: EffectLookup<TValue>,
  limits: LookupLimits,
): ResultAsync<Observed, RequestFailure> {
  if (lookup.kind === 'entry') return lookup.entries.query(limits);
  if (lookup.kind !== 'object') return okAsync({ entries: [], isListUnknown: true });
  return lookup.state(limits).andThen((state): ResultAsync<Observed, RequestFailure> => {
    const query = lookup.entries?.query;
    if (!state.isDone || state.id !== undefined || query === undefined)
      return okAsync({ ...state, entries: [] });
    // It is published, even if its entry is not found.
    return query(limits)
      .map((listed) => ({ ...state, ...listed }))
      .orElse((unread) => okAsync({ ...state, entries: [], unread }));
  });
}

/** When something began, by the platform's clock, and by the local one if that is known. */
export interface Since extends PlatformTime {
  readonly local?: number;
}

interface MemoryLook {
  readonly write: RecentWrite;
  readonly limits: LookupLimits;
  readonly isLast: boolean;
  readonly since?: Since | undefined;
}

/**
 * From when on an entry can be that of a write, and from when on each clock says so. A `Date` header may be that of a proxy
 * whose clock is wrong, so it counts alone only where the local clock agrees.
 */
function beginsOf({ earliest, latest, local = earliest }: Since): {
  readonly first: number;
  readonly sure: number;
} {
  const isAgreed = local >= earliest - agreedMs && local <= latest + agreedMs;
  const other = isAgreed ? earliest : local;
  // Rounded down: `created_time` has one-second resolution.
  const toSecond = (time: number): number => Math.floor(time / 1000) * 1000;
  return { first: toSecond(Math.min(earliest, other)), sure: toSecond(Math.max(earliest, other)) };
}

/** Looks once for what a write without a key has created, given everything that this process remembers. */
async function lookInMemory<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  { write, limits, isLast, since }: MemoryLook,
): Promise<Result<Looked, RequestFailure>> {
  const { timeAt } = context.platformClock;
  const observed = await observe(lookup, limits);
  if (observed.isErr()) return err(observed.error);
  const { isDone, id, entries, unread } = observed.value;
  if (unread !== undefined && since !== undefined) return err(unread);
  const text = placeOf(lookup)?.text;
  const siblings = siblingsOf(context, write);
  const sibling = siblings.find((one) => one.id !== undefined)?.id;
  const known = id ?? sibling;
  if (known !== undefined) return ok({ id: known, why: '' });
  const rivals = rivalsOf(context, write);
  const startedAt = Math.min(write.startedAt, ...siblings.map((one) => one.startedAt));
  const began = since ?? { ...timeAt(startedAt), local: startedAt + write.aheadMs };
  const { earliest, latest } = began;
  const { first, sure } = beginsOf(began);
  const evidenceSince = (from: number): Evidence => ({
    entries,
    text,
    span: { from, until: Infinity },
    ownerOf: ({ id: made, createdAt, isOwn }) =>
      isOwn !== true && rivals.some((other) => other.id === made && canHaveMade(other, createdAt, timeAt))
        ? 'other'
        : undefined,
    isDoubtful: (entry) =>
      rivals.some((other) => other.id === undefined && canHaveMade(other, entry.createdAt, timeAt)) ||
      isOfOther(entry),
  });
  /** Whether another write has the text of an entry, which is that of this one but for a name in it. */
  const isOfOther = (entry: ListedEntry): boolean =>
    reduceText(entry.text ?? '') !== contentOf(text ?? '') &&
    (writerOf(context, write, entry) ?? makersOf(context, entry.id)[0]) !== undefined;
  // What is older by either clock is no more than a candidate.
  const { entry, isInferred } = matchEntry(evidenceSince(sure));
  const { open } = matchEntry(evidenceSince(first));
  const isPrecise = latest - earliest <= (isLast ? preciseEnoughMs : preciseMs);
  if (entry !== undefined && (!isInferred || isPrecise)) return ok({ id: entry.id, why: '' });
  // Without the platform's time, any entry could be a candidate.
  const all = Number.isFinite(earliest) ? open : entry === undefined ? [] : [entry];
  // What has the text of another write is no candidate of this one.
  const isOwnText = (shown: string | undefined): boolean =>
    text !== undefined && shown !== undefined && isShownAs(text, shown);
  const candidates = all.filter((one) => isOwnText(one.text) || writerOf(context, write, one) === undefined);
  return ok({ isApplied: isDone, ...describeOpen(lookup, candidates, observed.value) });
}

/** Why the outcome of a write is unknown after its list was read. */
export function describeOpen<TValue>(
  lookup: EffectLookup<TValue>,
  open: readonly ListedEntry[],
  { entries, isListUnknown }: ListedEntries,
): Pick<Looked, 'why' | 'candidates'> {
  if (isListUnknown) return { why: notShown };
  if (open.length === 0) return { why: `not found in ${sourceOf(lookup)} (${entries.length} read)` };
  const candidates = open.map(({ id }) => id).filter((id) => id !== '');
  return { why: open.length === 1 ? 'one candidate' : `${open.length} candidates`, candidates };
}

/**
 * Looks up once the effect of a write that this or another process may have sent: the id, if it is certain. The write
 * cannot have taken effect before `since`, by the platform's clock.
 */
export function lookUpEffect<TValue>(
  context: JournalContext,
  lookup: EffectLookup<TValue>,
  since: Since,
  deadline = Infinity,
): ResultAsync<string | undefined, RequestFailure> {
  return new ResultAsync(lookUpOnce());

  async function lookUpOnce(): Promise<Result<string | undefined, RequestFailure>> {
    const { write, end, forget } = beginWrite(context, lookup, context.timeoutMs);
    // For other writes, this one may have created any matching entry.
    write.startedAt = -Infinity;
    const limits = { attempts: 1, deadline: Math.min(deadline, context.clock.monotonic() + oneLookupMs) };
    const looked = await lookInMemory(context, lookup, { write, limits, isLast: false, since });
    const id = looked.isOk() ? looked.value.id : undefined;
    if (id === undefined) forget();
    else end(id);
    return looked.map(() => id);
  }
}
