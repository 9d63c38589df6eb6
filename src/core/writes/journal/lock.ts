import * as v from 'valibot';

import type { TransportError } from '../../errors.ts';
import type { ListedEntry, Place } from '../lookups.ts';
import { aheadOf, contentOf, hasEnded, isOutside, mentioning, reduceText, type Span } from '../memory.ts';
import { busyMs, glanceMs, turnMs } from '../tolerances.ts';
import { newNonce } from './claim.ts';
import { entryIn, type KeyEntry, type Sending, sendingSchema, writeEntry } from './entry.ts';
import { busy, journalFailure } from './failures.ts';
import { hmac, signerOf } from './fingerprint.ts';
import { jointOf } from './joint.ts';
import { ownerName } from './owners.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import {
  effectSpan,
  isGone,
  isHeld,
  keptMs,
  lockMs,
  msUntilOver,
  wholeMs,
  withPlatformTime,
} from './times.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/** A request of another key; `''` is a key that was forgotten. */
const pastSchema = v.object({ key: v.string(), sending: sendingSchema });
type PastSending = Readonly<v.InferOutput<typeof pastSchema>>;

const lockFields = {
  /** The key that holds it. */
  key: v.string(),
  nonce: v.pipe(v.string(), v.nonEmpty()),
  /** Requests of earlier holders that were taken over before their outcome was known. */
  past: v.array(pastSchema),
};
const lockSchema = v.pipe(v.string(), v.parseJson(), v.object(lockFields));

/**
 * The lock of a list and a text: one key at a time may publish this text there, from before its request until its
 * outcome is known. Locks are not released: a key takes one over once its holder is settled.
 */
type LockRecord = Readonly<v.InferOutput<typeof lockSchema>>;

/** The lock that a key needs to publish. */
export interface Lock {
  /** What `sending.lock` says. */
  readonly name: string;
  /** What `sending.bare` says. */
  readonly bare: string | undefined;
  /**
   * Takes the lock; throws if its holder is at work, or may have published. Called again before each further attempt, it
   * renews a lock that may expire soon.
   */
  readonly take: () => Promise<void>;
  /**
   * Takes the lock in one step with the record of a request, by `store`, if nothing is stored of it. Resolves to whether
   * it did.
   */
  readonly takeWith: (store: (lock: JournalReplacement) => Promise<boolean>) => Promise<boolean>;
  /** Whether this key still holds the lock. */
  readonly isOurs: () => Promise<boolean>;
  /**
   * Whether another key, whose outcome is open, may have made an entry: one that had this lock, or one whose text is shown
   * like that of the entry. Unless `hasMade` says that an entry of a span is on record as that key's, which another call of
   * it will find.
   */
  readonly isDoubtful: (
    entry: ListedEntry,
    hasMade: (key: string, span: Span) => Promise<boolean>,
  ) => Promise<boolean>;
}

/** How often a replacement is tried when other writes come first. */
const maxAttempts = 1000;

interface LockOptions {
  readonly place: Pick<Place, 'list' | 'within' | 'target' | 'text' | 'isScheduled'>;
  readonly limits: SlotLimits;
  /** How long the request takes, in milliseconds. */
  readonly lastsMs: number;
  readonly scheduledAt: number | undefined;
  /** Whether nothing that has this lock takes an entry by its text: keys then need not wait for each other's outcome. */
  readonly isShared: boolean;
  /** Asks the platform for anything, to learn its time. */
  readonly learnTime: () => Promise<unknown>;
  /** Renews the lease of the key, if that is due. */
  readonly renew: () => Promise<void>;
}

export async function lockOf(
  context: KeyedContext,
  key: string,
  { place, limits, lastsMs, scheduledAt, isShared, learnTime, renew }: LockOptions,
): Promise<Lock> {
  const { journal, clock, fetcher } = context;
  const { list, target, text: content } = place;
  const part = target === undefined ? list : partOf(list, target);
  const name = lockName(context, part, content);
  const bare = contentOf(content ?? '') === mentioning ? bareLock(context, part, content) : undefined;
  const lockKey = storeKey(context, name, '-lock');
  const { slot } = openSlot(context, lockKey, limits);
  // Counted from the last attempt. It outlives the entry of its key: others tell by it whose an effect is.
  const protectsMs = lockMs(context, { lastsMs });
  const ttlMs = protectsMs + keptMs(context, place.isScheduled ? { scheduledAt } : {});

  /** How long ago it was taken. */
  let heldMs = (): number => Infinity;
  /** What the holder at work had stored when it was last looked at, and since when that is the same. */
  let atWork: { readonly stored?: string | undefined; readonly since: number } = { since: 0 };

  /** Whether something seems to be stored. */
  let isStored = false;

  return { name, bare, take, takeWith, isOurs, isDoubtful };

  async function takeWith(store: (lock: JournalReplacement) => Promise<boolean>): Promise<boolean> {
    if (heldMs() < Infinity || jointOf(journal.journal) === undefined) return false;
    if (ahead().length > 0) {
      isStored = true;
      return false;
    }
    const sinceMs = stopwatch(clock);
    const value = JSON.stringify({ key, nonce: newNonce(), past: [] });
    const isTaken = await store({ key: lockKey, expected: undefined, value, ttlMs });
    if (isTaken) heldMs = sinceMs;
    isStored = !isTaken;
    return isTaken;
  }

  async function take(): Promise<void> {
    if (heldMs() < protectsMs / 2) return;
    let stored: string | undefined;
    let text: string | undefined;
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      // Mostly nothing is stored: then the first attempt takes it without reading.
      if (attempts > 0 || isStored) {
        await lineUp();
        stored = await slot.read();
        // A store may report a failure, but have stored the text.
        if (stored !== undefined && stored === text) return;
      }
      const { key: held = key, past = [] } = parseLock(stored) ?? {};
      const freed = held === key ? {} : await free(held);
      if (freed === undefined) continue;
      const kept = past.filter((one) => one.key !== key && one.key !== held && !isForgotten(one));
      const { sending } = freed;
      const lock = {
        key,
        nonce: newNonce(),
        past: sending === undefined ? kept : [...kept, { key: held, sending }],
      };
      text = JSON.stringify(lock);
      const sinceMs = stopwatch(clock);
      if (await slot.swap(stored, text, ttlMs)) {
        heldMs = sinceMs;
        // Nobody need wait for these: the runtime ended them, or they wait for something else.
        for (const other of ahead()) other.lock = undefined;
        return;
      }
    }
    throw busy(turnMs, taken);
  }

  /**
   * Waits while calls of this process are ahead of this one: they ask the store, and this call asks it the less often the
   * more they are. It must ask if the line does not move, since the runtime may have ended them, or another process have
   * the lock.
   */
  async function lineUp(): Promise<void> {
    const begun = clock.monotonic();
    let [fewest, movedAt] = [Infinity, begun];
    for (let others = ahead().length; others > 0; others = ahead().length) {
      const now = clock.monotonic();
      if (others < fewest) [fewest, movedAt] = [others, now];
      const patienceMs = Math.min(others * turnMs, busyMs);
      // Time must be left to ask, and to send.
      if (now >= Math.min(movedAt + patienceMs, (begun + limits.deadline) / 2)) return;
      await pause(Math.min(others * glanceMs, turnMs));
    }
  }

  async function pause(ms: number): Promise<void> {
    const paused = await fetcher.pause(clock, ms, limits.signal);
    if (paused.isErr()) throw paused.error;
    await renew();
  }

  /** The calls of this process that are ahead of this one. */
  function ahead(): ReturnType<typeof aheadOf> {
    return aheadOf(context, ownerName(key), lockKey);
  }

  /**
   * Ensures that the lock's holder can no longer send, and returns what it may have sent; `undefined` if it must be asked
   * again. Throws if the lock is not free.
   */
  async function free(holder: string): Promise<Partial<Pick<PastSending, 'sending'>> | undefined> {
    const { slot: entrySlot } = openSlot(context, storeKey(context, holder), limits);
    const stored = await entrySlot.read();
    const entry = entryIn(stored, 'unknown');
    if (entry === undefined) return {};
    const isDone = entry.value !== undefined || entry.made !== undefined;
    const state = isDone
      ? 'done, but one could be taken for the other until its request is over'
      : 'not settled yet';
    const busyFor = (ms: number): TransportError =>
      busy(ms, `an equal publish under the idempotencyKey ${holder} is ${state}`);
    const now = clock.now();
    if (!isDone && isHeld(entry, now, journal)) {
      const leftMs = entry.lease - now;
      if (await isAtWork(holder, stored, leftMs)) throw busyFor(leftMs);
      return undefined;
    }
    const overMs = isShared ? 0 : await msUntilSettled(entry);
    if (overMs !== undefined && overMs > 0) throw busyFor(overMs);
    const met = entry.sending && withPlatformTime(context, entry.sending);
    // Fences the entry of a key that is not done: the next write of its holder fails.
    if (!isDone || met !== entry.sending) {
      const fenced = writeEntry({ ...entry, nonce: newNonce(), sending: met });
      const isStored =
        (await entrySlot.swap(stored, fenced, keptMs(context, entry))) || (await entrySlot.read()) === fenced;
      if (!isStored) return undefined;
    }
    if (overMs === 0) return met === undefined ? {} : { sending: met };
    throw busyFor((met && msUntilOver(context, met)) ?? wholeMs(context, met ?? { lastsMs }));
  }

  /** Waits for a holder at work, unless it has been at it for long, or no time is left: then it is not asked again. */
  async function isAtWork(holder: string, stored: string | undefined, leftMs: number): Promise<boolean> {
    const now = clock.monotonic();
    if (atWork.stored !== stored) atWork = { stored, since: now };
    const waitMs = Math.min(turnMs, leftMs);
    if (now - atWork.since >= busyMs || now + waitMs > limits.deadline) return true;
    // Of this process, it mostly stores its end just now.
    const isEnding = hasEnded(context, ownerName(holder), now - turnMs);
    if (ahead().length === 0) await pause(isEnding ? glanceMs : waitMs);
    return false;
  }

  /** How long a holder's request may still have its effect; `undefined` if that is not known. */
  async function msUntilSettled({ sending }: KeyEntry): Promise<number | undefined> {
    if (sending === undefined) return 0;
    const leftMs = msUntilOver(context, sending);
    if (leftMs !== undefined) return leftMs;
    await learnTime();
    return msUntilOver(context, sending);
  }

  async function isOurs(): Promise<boolean> {
    return parseLock(await slot.read())?.key === key;
  }

  async function isDoubtful(
    { text = '', createdAt }: ListedEntry,
    hasMade: (key: string, span: Span) => Promise<boolean>,
  ): Promise<boolean> {
    const locks = locksOf(context, place, text);
    const doubts = await Promise.all(
      [...new Set([name, ...locks.all])].map(async (one) => {
        const isOwn = one === name;
        for (const { key: other, sending } of await requestsUnder(context, one, limits)) {
          // Who holds it now has no part in what was made before.
          if (other === key || (isOwn && sending === undefined)) continue;
          for (const { request, span } of await openIn(other, sending)) {
            if (isOutside(span, createdAt) || !(isOwn || isShownBare(request, locks))) continue;
            // What it took by its text may be another one's, as long as its own may appear.
            const mayAppear = !isOwn && msUntilOver(context, request) !== 0;
            if (mayAppear || !(await hasMade(other, span))) return true;
          }
        }
        return false;
      }),
    );
    return doubts.includes(true);
  }

  /** The requests by which another key may have published, and when; none if its outcome is known. */
  async function openIn(
    other: string,
    sending: Sending | undefined,
  ): Promise<readonly { readonly request: Sending; readonly span: Span }[]> {
    const { slot: entrySlot } = openSlot(context, storeKey(context, other), limits);
    const entry = other === '' ? undefined : entryIn(await entrySlot.read(), 'unknown');
    if (entry !== undefined && entry.sending === undefined) return [];
    const isScheduled = entry === undefined ? place.isScheduled : entry.scheduledAt !== undefined;
    return [sending, entry?.sending]
      .filter((one) => one !== undefined)
      .map((request) => ({ request, span: effectSpan(context, request, isScheduled) }));
  }

  /** Whether the lock no longer needs to name a request. What is scheduled a person may publish at any time. */
  function isForgotten({ sending }: PastSending): boolean {
    return place.isScheduled !== true && isGone(context, sending);
  }
}

/** Measures the milliseconds since it was created, by the clock that shows more of them. */
export function stopwatch({ now, monotonic }: KeyedContext['clock']): () => number {
  const [local, started] = [now(), monotonic()];
  return () => Math.max(now() - local, monotonic() - started);
}

/** Remembers in the lock of a key that is about to be forgotten what it may have sent. */
export async function rememberForgotten(
  context: KeyedContext,
  key: string,
  entry: KeyEntry,
  limits: SlotLimits,
): Promise<void> {
  const { sending } = entry;
  if (sending?.lock === undefined) return;
  const { slot } = openSlot(context, storeKey(context, sending.lock, '-lock'), limits);
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const stored = await slot.read();
    const { key: holder = key, past = [] } = parseLock(stored) ?? {};
    const kept = past.map((one) => (one.key === key ? { ...one, key: '' } : one));
    const lock = { key: holder, nonce: newNonce(), past: [...kept, { key: '', sending }] };
    if (await slot.swap(stored, JSON.stringify(lock), keptMs(context, entry))) return;
  }
  throw busy(turnMs, taken);
}

const digits = Array.from({ length: 10 }, (_, digit) => `${digit}`);

/** A tenth of a list: what a write answers decides which, so that it waits for few of the others. */
const partOf = (list: string, target: string): string => `${list} ${/\d$/.exec(target)?.[0] ?? '0'}`;

const taken = 'an equal publish under another idempotencyKey is not settled yet';

/** The name of the lock of a list and a text. Without a secret, the text could be guessed from its digest, so a list has one lock for all texts. */
export function lockName(context: KeyedContext, list: string, text: string | undefined): string {
  const signer = signerOf(context);
  const what = JSON.stringify(['lock', list, signer && text !== undefined ? contentOf(text) : null]);
  return (signer?.sign(what) ?? hmac(list, what)).slice(0, 32);
}

/** The lock of what a text is without its mentions: what the platform shows if it shows nothing in their place. */
export function bareLock(context: KeyedContext, list: string, text: string | undefined): string {
  return lockName(context, list, reduceText(text ?? '') || undefined);
}

/** Whether what a request publishes may be shown as a text that has one of these locks, with nothing in the place of mentions. */
export function isShownBare({ bare, lock }: Sending, { plain }: TextLocks): boolean {
  const shown = bare ?? lock;
  return shown === undefined || plain.includes(shown);
}

/** The keys that have a lock, or had it while their outcome was open, with the requests that these had sent. */
export async function requestsUnder(
  context: KeyedContext,
  name: string,
  limits: SlotLimits,
): Promise<readonly (Pick<PastSending, 'key'> & Partial<Pick<PastSending, 'sending'>>)[]> {
  const lock = parseLock(await openSlot(context, storeKey(context, name, '-lock'), limits).slot.read());
  return lock === undefined ? [] : [{ key: lock.key }, ...lock.past];
}

/** The names of the locks under which an entry of a list may have been made: that of its text, and that of all with names in them. */
export function locksOf(
  context: KeyedContext,
  { list, within }: Pick<Place, 'list' | 'within'>,
  text: string,
): TextLocks {
  const lists = [list, ...(within === undefined ? [] : digits.map((digit) => partOf(within, digit)))];
  const plain = lists.map((one) => bareLock(context, one, text));
  return { plain, all: [...new Set([...plain, ...lists.map((one) => lockName(context, one, mentioning))])] };
}

interface TextLocks {
  /** Those of the text alone. */
  readonly plain: readonly string[];
  readonly all: readonly string[];
}

/** Reads a lock; throws if this version cannot. */
function parseLock(stored: string | undefined): LockRecord | undefined {
  if (stored === undefined) return undefined;
  const read = v.safeParse(lockSchema, stored);
  if (!read.success) throw journalFailure('what it holds of other keys cannot be read');
  return read.output;
}
