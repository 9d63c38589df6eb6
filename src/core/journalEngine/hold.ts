import type { TransportError } from '../errors.ts';
import type { JournalReplacement, KeyedContext } from '../journal/types.ts';
import type { Claim } from './claim.ts';
import { type Entry, writeEntry } from './entry.ts';
import { busy, journalFailure } from './failures.ts';
import type { Slot } from './slot.ts';

/** An entry that a call holds. Its changes are stored one after another, each on top of the one before. */
export interface Hold {
  /** The entry as this call wants it stored. */
  readonly entry: () => Entry;
  /** Whether another call has taken the entry. */
  readonly isLost: () => boolean;
  /**
   * Changes the entry, and renews the lease. Throws why that fails. What belongs to it is stored with it where that is
   * one step; tells which of it was.
   */
  readonly store: (changes: Partial<Entry>, options?: StoreOptions) => Promise<readonly boolean[]>;
  /** Renews the lease if it is due: for those who wait. What fails is tried again later. */
  readonly renew: () => Promise<void>;
  /** Changes the entry with the next time that it is stored. */
  readonly note: (changes: Partial<Entry>) => void;
  /** Ends the renewal, and waits for what is under way. */
  readonly end: () => Promise<void>;
}

interface StoreOptions {
  readonly slot?: Slot;
  /** Reads back what a store says that it stored, unless it is trusted. */
  readonly isChecked?: boolean;
  readonly others?: readonly JournalReplacement[];
}

/** An entry that another call holds, for one that looks, and leaves it alone. */
export function watch(entry: Entry, failure: TransportError): Hold {
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
  /** A text whose storing failed: the store may hold it all the same. */
  let doubtful: string | undefined;
  let isLost = false;
  let last: Promise<unknown> = Promise.resolve();
  /** By the clock that nobody sets back. */
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
      throw busy(leaseMs);
    }
  }
}
