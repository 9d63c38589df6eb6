import { err, ok, type Result } from 'neverthrow';

import { withOutcome } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import type { KeyedContext } from '../journal/types.ts';
import type { Effects, OwnLookup } from './effects.ts';
import { createdIds } from './entry.ts';
import { stopped, unsettled } from './failures.ts';
import type { Hold } from './hold.ts';
import { matchEffect, spanOf } from './matchEffect.ts';
import { pagesSince } from './pages.ts';

/** Milliseconds that a lookup may take, all its pages together. */
const lookupMs = 15_000;

interface LookBack {
  readonly hold: Hold;
  readonly effects: Effects;
  readonly deadline: number;
}

/**
 * What became of a request that an earlier call may have sent: its value, or why nothing may be sent. `undefined` where
 * it is to be sent: none was, or a lookup shows nothing of it, long enough after it.
 */
export async function lookBack<TValue>(
  context: KeyedContext,
  { hold, effects, deadline }: LookBack,
  { lookup, query }: OwnLookup<TValue>,
): Promise<Result<TValue, RequestFailure> | undefined> {
  const { journal, clock } = context;
  const { sending, ids, isApplied = false } = hold.entry();
  if (sending === undefined && !isApplied) return undefined;
  const outcome = isApplied ? 'applied' : 'unknown';
  const known = createdIds(ids);
  if (query === undefined) return err(unsettled(outcome, known));
  const pages = pagesSince(() => spanOf(context, sending).from);
  const limits = {
    attempts: 1,
    deadline: Math.min(deadline, clock.monotonic() + lookupMs),
    readPages: pages.read,
  };
  const seen = await query(limits);
  if (seen.isErr()) return err(withOutcome(seen.error, outcome));
  const hasOwnOnly = lookup.list === undefined || lookup.findsOwnOnly === true;
  const span = spanOf(context, sending);
  const { kind, id } = matchEffect(hasOwnOnly, seen.value.entries, span);
  // What is not shown may be older, or pushed out by newer entries.
  const { wholeSince = -Infinity } = seen.value;
  const isWhole = wholeSince < span.from && pages.isWholeSince(span.from);
  if (id !== undefined && (isWhole || hasOwnOnly)) {
    const failure = hasOwnOnly ? undefined : await stopped(effects.own(id));
    if (failure !== undefined) return err(withOutcome(failure, 'unknown'));
    hold.note({ made: id, sending: undefined });
    return ok(lookup.toValue(id));
  }
  if (seen.value.isApplied || isApplied) {
    hold.note({ isApplied: true });
    return err(unsettled('applied', known));
  }
  if (sending === undefined) return err(unsettled('unknown', known));
  const { endsAt = sending.at } = sending;
  const leftMs = endsAt + journal.journalSettleMs - clock.now();
  // Of what others may have made, they may learn it meanwhile.
  if (kind !== 'none') return err(unsettled('unknown', known, leftMs > 0 ? leftMs : undefined));
  if (!isWhole) return err(unsettled('unknown', known));
  // A list that shows nothing proves nothing where it cannot show the effect.
  if (lookup.isBlind === true) return err(unsettled('unknown', known));
  return leftMs > 0 ? err(unsettled('unknown', known, leftMs)) : undefined;
}
