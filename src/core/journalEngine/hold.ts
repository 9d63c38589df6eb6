import type { TransportError } from '../errors.ts';
import type { KeyedContext } from '../journal/types.ts';
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
  /** Changes the entry, and renews the lease. Throws why that fails. */
  readonly store: (
    changes: Partial<Entry>,
    options?: { readonly slot?: Slot; readonly isChecked?: boolean },
  ) => Promise<void>;
  /** Renews the lease if it is due: for those who wait. What fails is tried again later. */
  readonly renew: () => Promise<void>;
  /** Changes the entry with the next time that it is stored. */
  readonly note: (changes: Partial<Entry>) => void;
  /** Ends the renewal, and waits for what is under way. */
  readonly end: () => Promise<void>;
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
  const timer = setInterval(() => void renew(), leaseMs / 3);

  return {
    entry: () => entry,
    isLost: () => isLost,
    note: (changes) => {
      entry = { ...entry, ...changes };
    },
    store: (changes, { slot: through = slot, isChecked = false } = {}) => {
      entry = { ...entry, ...changes };
      return inTurn(() => write(through, isChecked, changes.leaseUntil));
    },
    renew,
    end: async () => {
      clearInterval(timer);
      await last.catch(() => undefined);
    },
  };

  function inTurn(work: () => Promise<void>): Promise<void> {
    const turn = last.then(work, work);
    last = turn;
    return turn;
  }

  async function renew(): Promise<void> {
    if (isLost || clock.now() - entry.updatedAt < leaseMs / 4) return;
    await inTurn(() => write(slot, false)).catch(() => undefined);
  }

  async function write(through: Slot, isChecked: boolean, until?: number): Promise<void> {
    if (isLost) throw busy(leaseMs);
    const now = clock.now();
    entry = { ...entry, updatedAt: now, leaseUntil: until ?? now + leaseMs };
    const text = writeEntry(entry);
    if (doubtful !== undefined && (await through.read()) === doubtful) stored = doubtful;
    doubtful = text;
    const isStored = await through.swap(stored, text);
    const kept = isStored && !isChecked ? text : await through.read();
    doubtful = undefined;
    if (kept === text) {
      stored = text;
    } else if (isStored && kept === stored) {
      throw journalFailure('it did not keep what it said to have stored');
    } else {
      isLost = true;
      throw busy(leaseMs);
    }
  }
}
