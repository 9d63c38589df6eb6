import { err, ok, type Result } from 'neverthrow';

import { withOutcome } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import type { JournalContext, KeyedLookup } from '../journal/types.ts';
import { createdIds } from './entry.ts';
import { unsettled } from './failures.ts';
import type { Hold } from './hold.ts';
import { beganAt, matchEffect } from './matchEffect.ts';

/** Milliseconds that a lookup may take. */
const lookupMs = 5000;

/**
 * What became of a request that an earlier call may have sent: its value, or why nothing may be sent. `undefined` where
 * it is to be sent: none was, or a lookup shows nothing of it, long enough after it.
 */
export async function lookBack<TValue>(
  { journal, clock }: JournalContext,
  hold: Hold,
  lookup: KeyedLookup<TValue>,
  deadline: number,
): Promise<Result<TValue, RequestFailure> | undefined> {
  const { sending, ids, isApplied = false } = hold.entry();
  if (sending === undefined && !isApplied) return undefined;
  const outcome = isApplied ? 'applied' : 'unknown';
  const known = createdIds(ids);
  if (lookup.query === undefined) return err(unsettled(outcome, known));
  const limits = { attempts: 1, deadline: Math.min(deadline, clock.now() + lookupMs) };
  const seen = await lookup.query(limits);
  if (seen.isErr()) return err(withOutcome(seen.error, outcome));
  const hasOwnOnly = lookup.list === undefined || lookup.findsOwnOnly === true;
  const { kind, id } = matchEffect(hasOwnOnly, seen.value.entries, sending);
  if (id !== undefined) {
    hold.note({ made: id, sending: undefined });
    return ok(lookup.toValue(id));
  }
  if (seen.value.isApplied || isApplied) {
    hold.note({ isApplied: true });
    return err(unsettled('applied', known));
  }
  if (kind !== 'none' || sending === undefined) return err(unsettled('unknown', known));
  // Newer entries may have pushed it out of what a list shows.
  const isSeen = !(seen.value.wholeSince !== undefined && seen.value.wholeSince >= beganAt(sending));
  if (!isSeen) return err(unsettled('unknown', known));
  // A list that shows nothing proves nothing where it cannot show the effect.
  if (lookup.isBlind === true) return err(unsettled('unknown', known));
  const leftMs = sending.at + (journal?.settleMs ?? 0) - clock.now();
  return leftMs > 0 ? err(unsettled('unknown', known, leftMs)) : undefined;
}
