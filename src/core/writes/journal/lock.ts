import type { TransportError } from '../../errors.ts';
import { fieldsOf } from '../../objects.ts';
import { platformNow } from '../../options/clock.ts';
import { type Place, reduceText } from '../memory.ts';
import { newNonce } from './claim.ts';
import {
  entryIn,
  hourMs,
  isHeld,
  isSending,
  isText,
  isUnseen,
  type KeyEntry,
  marginMs,
  type Sending,
  spanOf,
  timeToOver,
  writeEntry,
} from './entry.ts';
import { busy, journalFailure } from './failures.ts';
import { hmac, signerOf } from './fingerprint.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import type { KeyedContext } from './types.ts';

/**
 * The lock of a list and a text: what is equal there is published by one key at a time, from before its request until
 * its outcome is known. Locks are not released: a key that wants one finds its holder settled.
 */
interface LockRecord {
  /** The key that holds it. */
  readonly key: string;
  readonly nonce: string;
  /** Requests of earlier holders that were taken over before their outcome was known. */
  readonly past: readonly PastSending[];
}

/** A request of another key; `''` is a key that was forgotten. */
interface PastSending {
  readonly key: string;
  readonly sending: Sending;
}

/** The lock that a key needs to publish. */
export interface Lock {
  /** What `sending.lock` says. */
  readonly name: string;
  /**
   * Takes the lock, or finds out why not: its holder is at work, or may have published. Before further attempts, one that may
   * expire soon is taken again.
   */
  readonly take: (renew: () => Promise<void>) => Promise<TransportError | undefined>;
  /** Whether this key still holds the lock. */
  readonly isOurs: () => Promise<boolean>;
  /** When other keys, whose outcome is open, may have published the same. */
  readonly doubts: () => Promise<(createdAt: number) => boolean>;
}

/** How often a call looks whether the holder of its lock has finished, in milliseconds. */
const turnMs = 250;
/** How many attempts a replacement gets when others come first. */
const most = 1000;

interface LockOptions {
  readonly place: Pick<Place, 'list' | 'within' | 'text' | 'isScheduled'>;
  readonly limits: SlotLimits;
  /** How long the request takes, in milliseconds. */
  readonly lastsMs: number;
  /** Asks the platform for anything, to learn its time. */
  readonly learnTime: () => Promise<unknown>;
}

export async function lockOf(
  context: KeyedContext,
  key: string,
  { place, limits, lastsMs, learnTime }: LockOptions,
): Promise<Lock> {
  const { journal, clock } = context;
  const name = await nameOf(context, place.list, place.text);
  const { slot } = openSlot(context, storeKey(context, name, '-lock'), limits);
  // From the last attempt on, an hour longer than what it protects can be looked for.
  const ttlMs = place.isScheduled
    ? journal.journalTtlMs
    : 2 * (lastsMs + journal.journalSettleMs + journal.journalLeaseMs + hourMs);

  /** How long ago it was taken. */
  let heldMs = (): number => Infinity;

  return { name, take, isOurs, doubts };

  async function take(renew: () => Promise<void>): Promise<TransportError | undefined> {
    if (heldMs() < ttlMs / 2) return undefined;
    // Mostly nothing is stored: then the first attempt takes it without reading.
    let stored: string | undefined;
    let text: string | undefined;
    for (let attempts = 0; attempts < most; attempts++) {
      let { key: held = key, past = [] } = parseLock(stored) ?? {};
      if (held !== key) {
        const holder = await readHolder(held);
        if (holder.busy !== undefined) {
          const waitMs = Math.min(turnMs, holder.busy.retryAfterMs ?? turnMs);
          if (!holder.isAtWork || clock.monotonic() + waitMs > limits.deadline) return holder.busy;
          await clock.sleep(waitMs, limits.signal);
          if (limits.signal?.aborted === true) return holder.busy;
          await renew();
        } else if (holder.isFree) {
          past = past.filter((one) => one.key !== held);
          if (holder.sending !== undefined) past = [...past, { key: held, sending: holder.sending }];
          held = key;
        }
      }
      if (held === key) {
        const lock = { key, nonce: newNonce(), past: past.filter((one) => one.key !== key && !isGone(one)) };
        text = JSON.stringify(lock);
        const sinceMs = stopwatch(clock);
        if (await slot.swap(stored, text, ttlMs)) {
          heldMs = sinceMs;
          return undefined;
        }
      }
      stored = await slot.read();
      // The store may have stored what it said that it did not.
      if (stored !== undefined && stored === text) return undefined;
    }
    return busy(turnMs, taken);
  }

  /** What the entry of the lock's holder says. A free one can no longer send. */
  async function readHolder(holder: string): Promise<Holder> {
    const { slot: entrySlot } = openSlot(context, storeKey(context, holder), limits);
    const stored = await entrySlot.read();
    const entry = entryIn(stored, 'unknown');
    if (entry === undefined) return { isFree: true };
    const { lease, sending } = entry;
    const why = `an equal publish under the idempotencyKey ${holder} is not settled yet`;
    const isDone = entry.value !== undefined || entry.made !== undefined;
    if (!isDone && isHeld(entry, clock.now(), journal)) {
      return { isFree: false, isAtWork: true, busy: busy(lease - clock.now(), why) };
    }
    let overMs = sending === undefined ? 0 : timeToOver(context, sending);
    if (overMs === undefined) {
      await learnTime();
      overMs = sending && timeToOver(context, sending);
    }
    if (overMs !== undefined && overMs > 0) return { isFree: false, busy: busy(overMs, why) };
    // Fences the entry of a key that is not done: the next write of its holder fails.
    if (!isDone || (sending !== undefined && isUnseen(sending))) {
      const fenced = writeEntry(fence(context, entry));
      const isStored = (await entrySlot.swap(stored, fenced)) || (await entrySlot.read()) === fenced;
      if (!isStored) return { isFree: false };
    }
    if (overMs === 0) return { isFree: true, sending };
    const restMs = (sending?.lastsMs ?? 0) + journal.journalSettleMs + 2 * marginMs;
    return { isFree: false, busy: busy(restMs, why) };
  }

  async function isOurs(): Promise<boolean> {
    return parseLock(await slot.read())?.key === key;
  }

  async function doubts(): Promise<(createdAt: number) => boolean> {
    const { past = [] } = parseLock(await slot.read()) ?? {};
    const wide = place.within === undefined ? undefined : await readWide(place.within);
    const wideOnes = wide === undefined ? [] : [{ key: wide.key, sending: undefined }, ...wide.past];
    const others = await Promise.all(
      [...past, ...wideOnes].map(async (one) => (one.key === key ? [] : openIn(one))),
    );
    const now = platformNow(context);
    const spans = others.flat().map((sending) => spanOf(journal, sending, now));
    return (at) => spans.some(({ from, until }) => !(at < from || at > until));
  }

  /** The lock of the same text in a larger list. */
  async function readWide(within: string): Promise<LockRecord | undefined> {
    const wideName = await nameOf(context, within, place.text);
    return parseLock(await openSlot(context, storeKey(context, wideName, '-lock'), limits).slot.read());
  }

  /** The request of another key, unless its outcome is known. */
  async function openIn({
    key: other,
    sending,
  }: Pick<PastSending, 'key'> & { readonly sending: Sending | undefined }): Promise<readonly Sending[]> {
    const { slot: entrySlot } = openSlot(context, storeKey(context, other), limits);
    const entry = other === '' ? undefined : entryIn(await entrySlot.read(), 'unknown');
    if (entry !== undefined && entry.sending === undefined) return [];
    return [sending, entry?.sending].filter((one) => one !== undefined);
  }

  /** Whether nothing that a request made can be mistaken any more. */
  function isGone({ sending }: PastSending): boolean {
    if (place.isScheduled) return false;
    const now = platformNow(context);
    const { local, platform, seen = now, lastsMs: ms } = sending;
    return Math.max(local, platform ?? seen) + ms + 3 * hourMs < Math.min(now, clock.now());
  }
}

/** Says how many milliseconds have passed since it was made, by the clock by which they are more. */
export function stopwatch({ now, monotonic }: KeyedContext['clock']): () => number {
  const [local, started] = [now(), monotonic()];
  return () => Math.max(now() - local, monotonic() - started);
}

/** Remembers in the lock of a key that is about to be forgotten what it may have sent. */
export async function rememberForgotten(
  context: KeyedContext,
  key: string,
  sending: Sending,
  limits: SlotLimits,
): Promise<void> {
  if (sending.lock === undefined) return;
  const { slot } = openSlot(context, storeKey(context, sending.lock, '-lock'), limits);
  for (let attempts = 0; attempts < most; attempts++) {
    const stored = await slot.read();
    const { key: holder = key, past = [] } = parseLock(stored) ?? {};
    const kept = past.map((one) => (one.key === key ? { ...one, key: '' } : one));
    const lock = { key: holder, nonce: newNonce(), past: [...kept, { key: '', sending }] };
    if (await slot.swap(stored, JSON.stringify(lock), context.journal.journalTtlMs)) return;
  }
  throw busy(turnMs, taken);
}

const taken = 'an equal publish under another idempotencyKey is not settled yet';

interface Holder {
  readonly isFree: boolean;
  /** What it may have sent. */
  readonly sending?: Sending | undefined;
  /** Why it is not free; without that, it was about to change. */
  readonly busy?: TransportError;
  readonly isAtWork?: boolean;
}

/** An entry after another key has met it: only its nonce is new, and when its request was first seen. */
function fence({ clock, platformClock }: KeyedContext, entry: KeyEntry): KeyEntry {
  const { sending } = entry;
  const { latest } = platformClock.timeAt(clock.monotonic());
  const fenced = { ...entry, nonce: newNonce() };
  return sending === undefined || !isUnseen(sending) || !Number.isFinite(latest)
    ? fenced
    : { ...fenced, sending: { ...sending, seen: Math.ceil(latest) } };
}

/** The name of the lock of a list and a text. Without a secret, it could be guessed from a digest: a list has one lock. */
async function nameOf(context: KeyedContext, list: string, text: string | undefined): Promise<string> {
  const signer = signerOf(context);
  const what = JSON.stringify(['lock', list, signer && text !== undefined ? reduceText(text) : null]);
  return (await (signer?.sign(what) ?? hmac(list, what))).slice(0, 32);
}

/** Reads a lock; throws if this version cannot. */
function parseLock(text: string | undefined): LockRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const { key, nonce, past } = fieldsOf(JSON.parse(text));
    if (typeof key === 'string' && isText(nonce) && Array.isArray(past) && past.every(isPast))
      return { key, nonce, past };
  } catch {
    // Invalid JSON is reported below.
  }
  throw journalFailure('what it holds of other keys cannot be read');
}

function isPast(value: unknown): value is PastSending {
  const { key, sending } = fieldsOf(value);
  return typeof key === 'string' && isSending(sending);
}
