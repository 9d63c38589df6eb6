import type { ConfigurationError, TransportError } from '../../errors.ts';
import { entryIn, hasSentNothing, type KeyEntry, newEntry, writeEntry } from './entry.ts';
import { busy, journalFailure, otherContent, otherSecret } from './failures.ts';
import type { SignedContent } from './fingerprint.ts';
import type { Slot } from './slot.ts';
import { isHeld, keptMs } from './times.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/** An entry that this call holds, and its text in the store. */
export interface Claim {
  readonly entry: KeyEntry;
  readonly text: string;
  /** Whether the key is unused. */
  readonly isNew: boolean;
}

interface ClaimOptions {
  readonly content: SignedContent;
  /** When the platform is to publish it, in milliseconds since 1970. */
  readonly scheduledAt: number | undefined;
  /** What is wrong with a call whose key is unused. */
  readonly checkNew: () => ConfigurationError | undefined;
}

/** An entry that another call holds. */
export interface Held {
  readonly held: KeyEntry;
  readonly failure: TransportError;
}

/** How many attempts a claim gets when others come first. */
const maxAttempts = 10;

/** A text that no other record has. Runtimes have a supply of these: bytes of its own would cost ten times as much. */
export function newNonce(): string {
  return crypto.randomUUID().slice(0, 18);
}

/**
 * Claims the entry of a key for a call, unless another call holds it, or an earlier one has published: then that entry
 * is returned. Throws if the key cannot be claimed.
 */
export async function claimEntry(
  context: KeyedContext,
  slot: Slot,
  { content, scheduledAt, checkNew }: ClaimOptions,
): Promise<Claim | KeyEntry | Held> {
  const { journal, clock } = context;
  const leaseMs = journal.journalLeaseMs;
  /** What the last attempt has replaced, or has tried to, and by what. */
  let last: { readonly stored: string | undefined; readonly text: string } | undefined;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    // Most keys are new, so the first attempt claims without reading.
    const isGuess = attempts === 0 && checkNew() === undefined;
    const stored = isGuess ? undefined : await slot.read();
    // Once, an entry may have expired between the attempt and this read.
    if (last !== undefined && stored === last.stored && (stored !== undefined || attempts > 1)) {
      throw journalFailure('it says that it did not store, although nothing has changed');
    }
    const invalid = stored === undefined ? checkNew() : undefined;
    if (invalid !== undefined) throw invalid;
    const now = clock.now();
    const fresh = newEntry(content, now);
    // An unreadable entry may belong to a later version, which knows what was published.
    const found = entryIn(stored, 'unknown') ?? fresh;
    // The store may have stored what it said that it did not.
    if (stored !== undefined && stored === last?.text)
      return { entry: found, text: stored, isNew: attempts === 1 };
    const isFree = !isHeld(found, now, journal);
    const base = withContent(content, found, isFree ? fresh : undefined);
    if (found.value !== undefined) return found;
    if (!isFree) return { held: found, failure: busy(found.lease - now) };

    const { digest, under, call } = content;
    const changes = {
      digest,
      under,
      call,
      scheduledAt,
      nonce: newNonce(),
      lease: now + leaseMs,
      updatedAt: now,
    };
    const entry = { ...base, ...changes };
    last = { stored, text: writeEntry(entry) };
    if (await slot.swap(stored, last.text, keptMs(context, entry)))
      return { entry, text: last.text, isNew: stored === undefined };
  }
  throw busy(leaseMs);
}

/**
 * The entry with which a call of this content goes on: that of the key, or, until anything was sent, a fresh one: what was
 * created for the old content is then useless. Throws if the key is that of other content.
 */
function withContent(content: SignedContent, found: KeyEntry, fresh: KeyEntry | undefined): KeyEntry {
  const isSame = content.isOf(found);
  if (isSame === true) return found;
  const isUnsent = hasSentNothing(found);
  // Contents that cannot be compared may differ.
  if (isSame === undefined && !isUnsent) throw otherSecret();
  if (isUnsent && fresh !== undefined)
    return { ...fresh, version: found.version, createdAt: found.createdAt };
  if (isSame === false) throw otherContent(found.value);
  return found;
}

/** An entry that a call holds. Its changes are stored one after another, each on top of the one before. */
export interface Hold {
  /** The entry as this call wants it stored. */
  readonly entry: () => KeyEntry;
  /** Whether another call has taken over the entry. */
  readonly isLost: () => boolean;
  /** Changes the entry, and renews the lease. Throws if that fails. */
  readonly store: (changes: Partial<KeyEntry>, slot?: Slot) => Promise<void>;
  /**
   * The same in one step with other records. Resolves to whether it stored all; otherwise nothing has changed, and each
   * is to be stored by itself. Throws if the store fails.
   */
  readonly storeWith: (
    others: readonly JournalReplacement[],
    changes: Partial<KeyEntry>,
    slot?: Slot,
  ) => Promise<boolean>;
  /** Renews the lease if it is due; called after waits. A failed renewal is repeated later. */
  readonly renew: () => Promise<void>;
  /** Changes the entry without storing it: the next `store` or `renew` does. */
  readonly note: (changes: Partial<KeyEntry>) => void;
  /** Stops renewing, and waits for operations that are in flight. */
  readonly end: () => Promise<void>;
}

/** An entry that another call holds, for a call that only looks: it changes nothing, and sends nothing. */
export function watch(entry: KeyEntry): Hold {
  const nothing = async (): Promise<void> => undefined;
  const note = (): void => undefined;
  const storeWith = async (): Promise<boolean> => false;
  return {
    entry: () => entry,
    isLost: () => true,
    store: nothing,
    storeWith,
    renew: nothing,
    note,
    end: nothing,
  };
}

export function holdEntry(context: KeyedContext, slot: Slot, claim: Claim): Hold {
  const { journal, clock } = context;
  const leaseMs = journal.journalLeaseMs;
  let { entry, text: stored } = claim;
  /** A text that failed to be stored: the store may hold it nevertheless. */
  let doubtful: string | undefined;
  let isLost = false;
  let last: Promise<unknown> = Promise.resolve();
  /** By the monotonic clock. */
  let writtenAt = clock.monotonic();
  const timer = setInterval(() => void renewNow(), leaseMs / 3);

  return {
    entry: () => entry,
    isLost: () => isLost,
    note: (changes) => {
      entry = { ...entry, ...changes };
    },
    store: (changes, through = slot) => {
      entry = { ...entry, ...changes };
      return inTurn(() => write(through, changes.lease));
    },
    storeWith: (others, changes, through = slot) => inTurn(() => writeWith(others, changes, through)),
    renew: async () => {
      if (clock.monotonic() - writtenAt >= leaseMs / 4) await renewNow();
    },
    end: async () => {
      clearInterval(timer);
      await last.catch(() => undefined);
    },
  };

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  }

  async function renewNow(): Promise<void> {
    if (!isLost) await inTurn(() => write(slot)).catch(() => undefined);
  }

  function renewed(to: KeyEntry, until?: number): KeyEntry {
    const now = clock.now();
    writtenAt = clock.monotonic();
    return { ...to, nonce: newNonce(), updatedAt: now, lease: until ?? now + leaseMs };
  }

  async function writeWith(
    others: readonly JournalReplacement[],
    changes: Partial<KeyEntry>,
    through: Slot,
  ): Promise<boolean> {
    // After a write whose answer was lost, it is not known what to replace.
    if (isLost || doubtful !== undefined || through.swapWith === undefined) return false;
    const both = renewed({ ...entry, ...changes }, changes.lease);
    doubtful = writeEntry(both);
    if (!(await through.swapWith(others, stored, doubtful, keptMs(context, both)))) return false;
    [entry, stored, doubtful] = [both, doubtful, undefined];
    return true;
  }

  async function write(through: Slot, until?: number): Promise<void> {
    if (isLost) throw busy(leaseMs);
    entry = renewed(entry, until);
    const text = writeEntry(entry);
    const before = doubtful;
    doubtful = text;
    const ttlMs = keptMs(context, entry);
    let kept = (await through.swap(stored, text, ttlMs)) ? text : await through.read();
    // A write whose answer was lost may have been stored after all.
    if (kept !== text && kept !== undefined && kept === before)
      kept = (await through.swap(before, text, ttlMs)) ? text : await through.read();
    doubtful = undefined;
    if (kept === text) {
      stored = text;
      return;
    }
    isLost = true;
    throw kept === undefined ? journalFailure('it has lost the entry of this key') : busy(leaseMs);
  }
}
