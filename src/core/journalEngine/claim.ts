import type { KeyedContext } from '../journal/types.ts';
import { type Entry, newEntry, readEntry, writeEntry } from './entry.ts';
import { busy, journalFailure, otherContent } from './failures.ts';
import type { Slot } from './slot.ts';

/** An entry that this call holds, and its text in the store. */
export interface Claim {
  readonly entry: Entry;
  readonly text: string;
}

/** How often a claim is tried that others come before. */
const most = 10;

/**
 * Claims the entry of a key for a call, unless another call holds it, or an earlier one has published: then its
 * entry is returned. Throws why the key cannot be claimed.
 */
export async function claimEntry(
  { journal, clock }: KeyedContext,
  slot: Slot,
  { digest, owner }: Pick<Entry, 'digest' | 'owner'>,
): Promise<Claim | Entry> {
  const leaseMs = journal.journalLeaseMs;
  for (let tries = 0; tries < most; tries++) {
    const stored = await slot.read();
    const now = clock.now();
    const found = stored === undefined ? newEntry(digest, owner, now) : readEntry(stored);
    // What cannot be read may be of a later version, which knows what was published.
    if (found === undefined) throw journalFailure('its entry cannot be read', 'unknown');
    const isFree = found.leaseUntil <= now;
    // What the platform refused may be corrected; what was made of the old content is of no use then.
    const isCorrected = found.digest !== digest && isFree && isClean(found);
    if (found.digest !== digest && !isCorrected) throw otherContent();
    if (found.value !== undefined) return found;
    if (!isFree) throw busy(found.leaseUntil - now);

    const base = isCorrected ? { ...newEntry(digest, owner, now), createdAt: found.createdAt } : found;
    const entry = { ...base, owner, leaseUntil: now + leaseMs, updatedAt: now };
    const text = writeEntry(entry);
    const isStored = await slot.swap(stored, text);
    const kept = await slot.read();
    // A store may lie: what it did not keep holds off nobody.
    if (kept === text) return { entry, text };
    if (kept === stored) {
      throw journalFailure(`it says that it ${isStored ? 'stored' : 'did not store'}, and kept nothing`);
    }
  }
  throw busy(leaseMs);
}

function isClean({ isRejected, sending, made, isApplied, value }: Entry): boolean {
  return (
    isRejected === true &&
    sending === undefined &&
    made === undefined &&
    isApplied !== true &&
    value === undefined
  );
}
