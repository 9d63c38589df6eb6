import type { ConfigurationError, TransportError } from '../../errors.ts';
import { entryIn, type KeyEntry, newEntry, writeEntry } from './entry.ts';
import { busy, journalFailure, otherContent } from './failures.ts';
import type { SignedContent } from './fingerprint.ts';
import type { Slot } from './slot.ts';
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
  readonly owner: string;
  /** What is wrong with a call whose key is unused. */
  readonly checkNew: () => ConfigurationError | undefined;
}

/** An entry that another call holds. */
export interface Held {
  readonly held: KeyEntry;
  readonly failure: TransportError;
}

/** How many attempts a claim gets when others come first. */
const most = 10;

/**
 * Claims the entry of a key for a call, unless another call holds it, or an earlier one has published: then that entry
 * is returned. Throws if the key cannot be claimed.
 */
export async function claimEntry(
  { journal, clock }: KeyedContext,
  slot: Slot,
  { content, owner, checkNew }: ClaimOptions,
): Promise<Claim | KeyEntry | Held> {
  const leaseMs = journal.journalLeaseMs;
  for (let attempts = 0; attempts < most; attempts++) {
    // Most keys are new, so the first attempt claims without reading.
    const isGuess = attempts === 0 && slot.isTrusted && checkNew() === undefined;
    const stored = isGuess ? undefined : await slot.read();
    const now = clock.now();
    const fresh = newEntry({ ...content, owner }, now);
    const invalid = stored === undefined ? checkNew() : undefined;
    if (invalid !== undefined) throw invalid;
    // An unreadable entry may belong to a later version, which knows what was published.
    const found = entryIn(stored, 'unknown') ?? fresh;
    const isFree = found.leaseUntil <= now;
    const isSame = found === fresh || content.isOf(found);
    // The content may be corrected until it was sent; what was created for the old content is then useless.
    const isCorrected = isSame === false && isFree && hasSentNothing(found);
    if (isSame === false && !isCorrected) throw otherContent();
    if (found.value !== undefined) return found;
    if (!isFree) return { held: found, failure: busy(found.leaseUntil - now) };

    const base = isCorrected ? { ...fresh, createdAt: found.createdAt } : found;
    const { digest, under, call } = isSame === true ? content : base;
    const entry = { ...base, digest, under, call, owner, leaseUntil: now + leaseMs, updatedAt: now };
    const text = writeEntry(entry);
    const isNew = stored === undefined;
    const isStored = await slot.swap(stored, text);
    if (slot.isTrusted) {
      if (isStored) return { entry, text, isNew };
      continue;
    }
    const kept = await slot.read();
    // Reads back what the store says that it stored: a claim that it did not keep would keep nobody off.
    if (kept === text) return { entry, text, isNew };
    if (kept === stored) {
      throw journalFailure(`it says that it ${isStored ? 'stored' : 'did not store'}, and kept nothing`);
    }
  }
  throw busy(leaseMs);
}

function hasSentNothing({ sending, made, isApplied, value }: KeyEntry): boolean {
  return sending === undefined && made === undefined && isApplied !== true && value === undefined;
}

/** An entry that a call holds. Its changes are stored one after another, each on top of the one before. */
export interface Hold {
  /** The entry as this call wants it stored. */
  readonly entry: () => KeyEntry;
  /** Whether another call has taken over the entry. */
  readonly isLost: () => boolean;
  /**
   * Changes the entry, and renews the lease. Throws if that fails. If the store can do it in one step, `others` are
   * stored with it; resolves to which of them were.
   */
  readonly store: (changes: Partial<KeyEntry>, options?: StoreOptions) => Promise<readonly boolean[]>;
  /** Renews the lease if it is due; called after waits. A failed renewal is repeated later. */
  readonly renew: () => Promise<void>;
  /** Changes the entry without storing it: the next `store` or `renew` does. */
  readonly note: (changes: Partial<KeyEntry>) => void;
  /** Stops renewing, and waits for operations that are under way. */
  readonly end: () => Promise<void>;
}

interface StoreOptions {
  readonly slot?: Slot;
  /** Reads back what a store says that it stored, unless it is trusted. */
  readonly isChecked?: boolean;
  readonly others?: readonly JournalReplacement[];
}

/** An entry that another call holds, for a call that only looks and does not change it. */
export function watch(entry: KeyEntry, failure: TransportError): Hold {
  const nothing = async (): Promise<void> => undefined;
  return {
    entry: () => entry,
    isLost: () => true,
    store: () => Promise.reject(failure),
    renew: nothing,
    note: () => undefined,
    end: nothing,
  };
}

export function holdEntry({ journal, clock }: KeyedContext, slot: Slot, claim: Claim): Hold {
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
    store: (changes, options = {}) => {
      entry = { ...entry, ...changes };
      return inTurn(() => write(options, changes.leaseUntil));
    },
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
    if (!isLost) await inTurn(() => write({})).catch(() => undefined);
  }

  async function write(
    { slot: through = slot, isChecked = false, others = [] }: StoreOptions,
    until?: number,
  ): Promise<readonly boolean[]> {
    if (isLost) throw busy(leaseMs);
    const now = clock.now();
    writtenAt = clock.monotonic();
    entry = { ...entry, updatedAt: now, leaseUntil: until ?? now + leaseMs };
    const text = writeEntry(entry);
    if (doubtful !== undefined && (await through.read()) === doubtful) stored = doubtful;
    doubtful = text;
    const [isStored = false, ...further] = await through.swapWith(stored, text, others);
    const isRead = through.isTrusted ? !isStored : !isStored || isChecked;
    const kept = isRead ? await through.read() : text;
    doubtful = undefined;
    if (kept === text) {
      stored = text;
      return further;
    } else if (isStored && kept === stored) {
      throw journalFailure('it did not keep what it said to have stored');
    } else {
      isLost = true;
      throw kept === undefined ? journalFailure('it has lost the entry of this key') : busy(leaseMs);
    }
  }
}
