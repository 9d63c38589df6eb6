import type { ConfigurationError, TransportError } from '../errors.ts';
import type { KeyedContext } from '../journal/types.ts';
import { type Entry, newEntry, readEntry, writeEntry } from './entry.ts';
import { busy, journalFailure, otherContent } from './failures.ts';
import type { Content } from './fingerprint.ts';
import type { Slot } from './slot.ts';

/** An entry that this call holds, and its text in the store. */
export interface Claim {
  readonly entry: Entry;
  readonly text: string;
  /** Whether nobody has used the key. */
  readonly isNew: boolean;
}

interface ClaimOptions {
  readonly content: Content;
  readonly owner: string;
  /** What is wrong with a call whose key nobody has used. */
  readonly checkNew: () => ConfigurationError | undefined;
}

/** An entry that another call holds. */
export interface Held {
  readonly held: Entry;
  readonly failure: TransportError;
}

/** How often a claim is tried that others come before. */
const most = 10;

/**
 * Claims the entry of a key for a call, unless another call holds it, or an earlier one has published: then that
 * entry is returned. Throws why the key cannot be claimed.
 */
export async function claimEntry(
  { journal, clock }: KeyedContext,
  slot: Slot,
  { content, owner, checkNew }: ClaimOptions,
): Promise<Claim | Entry | Held> {
  const leaseMs = journal.journalLeaseMs;
  for (let tries = 0; tries < most; tries++) {
    // A key is new, mostly: then nothing is read.
    const isGuess = tries === 0 && slot.isTrusted && checkNew() === undefined;
    const stored = isGuess ? undefined : await slot.read();
    const now = clock.now();
    const fresh = newEntry({ ...content, owner }, now);
    const invalid = stored === undefined ? checkNew() : undefined;
    if (invalid !== undefined) throw invalid;
    const found = stored === undefined ? fresh : readEntry(stored);
    // What cannot be read may be of a later version, which knows what was published.
    if (found === undefined) throw journalFailure('its entry cannot be read', 'unknown');
    const isFree = found.leaseUntil <= now;
    const isSame = found === fresh || (await content.isOf(found));
    // Content may be corrected until it was sent; what was made of the old one is of no use then.
    const isCorrected = isSame === false && isFree && isUnsent(found);
    if (isSame === false && !isCorrected) throw otherContent();
    if (found.value !== undefined) return found;
    if (!isFree) return { held: found, failure: busy(found.leaseUntil - now) };

    const base = isCorrected ? { ...fresh, createdAt: found.createdAt } : found;
    const { digest, under } = isSame === true ? content : base;
    const entry = { ...base, digest, under, owner, leaseUntil: now + leaseMs, updatedAt: now };
    const text = writeEntry(entry);
    const isNew = stored === undefined;
    const isStored = await slot.swap(stored, text);
    if (slot.isTrusted) {
      if (isStored) return { entry, text, isNew };
      continue;
    }
    const kept = await slot.read();
    // A store may lie: what it did not keep holds off nobody.
    if (kept === text) return { entry, text, isNew };
    if (kept === stored) {
      throw journalFailure(`it says that it ${isStored ? 'stored' : 'did not store'}, and kept nothing`);
    }
  }
  throw busy(leaseMs);
}

function isUnsent({ sending, made, isApplied, value }: Entry): boolean {
  return sending === undefined && made === undefined && isApplied !== true && value === undefined;
}
