import { err, ok } from 'neverthrow';

import { withOutcome } from '../../deriveError.ts';
import type { RequestFailure, TransportError } from '../../errors.ts';
import type { EffectLookup } from '../types.ts';
import type { Hold } from './claim.ts';
import type { Effects } from './effects.ts';
import type { KeyEntry, Sending } from './entry.ts';
import { busy, failing, stopped } from './failures.ts';
import { lookBack } from './lookBack.ts';
import type { Rivals } from './rivals.ts';
import type { JournalEvent, KeyedCall, KeyedContext } from './types.ts';

interface CallParts extends Pick<KeyedCall, 'files'> {
  readonly hold: Hold;
  readonly effects: Effects;
  readonly deadline: number;
  readonly tell: (event: JournalEvent['event']) => void;
}

interface AttemptParts extends Pick<CallParts, 'hold' | 'deadline'> {
  readonly enter: Rivals['enter'];
  /** How long the request may take, in milliseconds. */
  readonly lastsMs: number;
}

/** The keyed call that the work gets, and how the call ends. */
export interface CallUnderKey extends KeyedCall {
  /** Tells other keys that what this key published is recorded, or that it published nothing. */
  readonly rivals: () => Pick<Rivals, 'left' | 'leave'> | undefined;
  /** Whether an earlier call has published. */
  readonly isFound: () => boolean;
}

export function makeKeyedCall(
  context: KeyedContext,
  { hold, effects, deadline, files, tell }: CallParts,
): CallUnderKey {
  let isFound = false;
  let rivals: Pick<Rivals, 'left' | 'leave'> | undefined;

  const sendOnce: KeyedCall['sendOnce'] = async (lookup, lastsMs, send) => {
    const own = effects.withoutOthers(lookup);
    rivals = own;
    const { made, sending: earlier } = hold.entry();
    const settled =
      made === undefined
        ? await lookBack(context, { hold, effects, deadline }, own.lookup)
        : ok(lookup.toValue(made));
    isFound = settled?.isOk() === true;
    if (isFound) tell('found');
    if (settled !== undefined) return settled;
    if (hold.isLost()) return err(busy(context.journal.journalLeaseMs));
    let isStopped = false;
    const result = await send(own.lookup, {
      beforeAttempt: async () => {
        const failure = await beforeAttempt(context, { hold, deadline, enter: own.enter, lastsMs });
        isStopped = failure !== undefined;
        if (!isStopped) tell('sent');
        return failure;
      },
      beforeRetry: async () => {
        // If it fails, the next attempt finds out why.
        if (lookup.isRepeatable !== true) await takeBack(hold, own, earlier).catch(() => undefined);
      },
    });
    if (result.isOk()) {
      const id = lookup.idOf(result.value);
      // Without an id, the record of the request shows that it was published.
      if (id !== undefined) hold.note({ made: id, sending: undefined });
      return result;
    }
    // Attempts before the stopped one were refused.
    const failure = isStopped ? result.error : reported(result.error, lookup, earlier);
    const open = isStopped || result.error.outcome === 'rejected' ? earlier : hold.entry().sending;
    hold.note(isStopped ? { sending: open } : changesAfterRequest(failure, open, context.clock.now()));
    return err(failure);
  };

  return {
    isSent: () => {
      const { sending, made, isApplied = false } = hold.entry();
      return sending !== undefined || made !== undefined || isApplied;
    },
    ids: () => hold.entry().ids,
    files,
    record: async (ids) => {
      const known = hold.entry().ids;
      if (JSON.stringify({ ...known, ...ids }) === JSON.stringify(known)) return ok();
      const failure = await stopped(hold.store({ ids: { ...hold.entry().ids, ...ids } }));
      return failure === undefined ? ok() : err(failure);
    },
    sendOnce,
    rivals: () => rivals,
    isFound: () => isFound,
  };
}

/** Records that an attempt was refused: a process that dies while waiting for the next one has sent nothing. */
async function takeBack(
  hold: Hold,
  { left, leave }: Pick<Rivals, 'left' | 'leave'>,
  earlier: Sending | undefined,
): Promise<void> {
  const others = earlier === undefined ? left() : [];
  const [isLeft] = await hold.store({ sending: earlier }, { others });
  if (earlier === undefined) await leave(isLeft);
}

/** How a failed request is reported: a refusal as a duplicate is evidence for an earlier request, not against it. */
function reported<TValue>(
  failure: RequestFailure,
  { isRepeat }: EffectLookup<TValue>,
  earlier: Sending | undefined,
): RequestFailure {
  if (earlier === undefined || failure.outcome !== 'rejected') return failure;
  if (isRepeat?.(failure)) return withOutcome(failure, 'applied');
  return isDuplicate(failure) ? withOutcome(failure, 'unknown') : failure;
}

/** The changes to an entry after its request failed, or after an earlier one was not found. */
function changesAfterRequest(
  { outcome }: RequestFailure,
  open: Sending | undefined,
  endsAt: number,
): Partial<KeyEntry> {
  if (outcome === 'applied') return { isApplied: true };
  // The request has ended: nobody waits for it any more.
  return { sending: outcome === 'unknown' && open !== undefined ? { ...open, endsAt } : undefined };
}

/** Whether the platform refuses a request as a duplicate, perhaps of an earlier one under the key. */
function isDuplicate(failure: RequestFailure): boolean {
  return failure.name !== 'TransportError' && (failure.code === 506 || failure.subcode === 1_366_051);
}

/** How often a call checks whether it is its turn, in milliseconds. */
const turnMs = 250;

/**
 * Records that the request is about to be sent, and makes sure that no other call can believe that it holds the entry.
 */
async function beforeAttempt(
  { journal, clock, platformClock }: KeyedContext,
  { hold, deadline, enter, lastsMs }: AttemptParts,
): Promise<TransportError | undefined> {
  for (;;) {
    const at = clock.now();
    const { earliest } = platformClock.timeAt(clock.monotonic());
    const since = Math.floor(Number.isFinite(earliest) ? earliest : at);
    const sending = { at, since, endsAt: at + lastsMs };
    const entered = await failing(
      enter(sending, (told, others) =>
        hold.store({ sending: { ...sending, ...told }, sentAt: at }, { isChecked: true, others }),
      ),
    );
    if (entered.isErr()) return entered.error;
    const waitMs = Math.min(entered.value, turnMs);
    if (waitMs > 0) {
      if (clock.monotonic() + waitMs > deadline) {
        return busy(entered.value, 'an equal publish under another idempotencyKey is not settled yet');
      }
      await clock.sleep(waitMs);
      await hold.renew();
      continue;
    }
    const leftMs = hold.entry().leaseUntil - clock.now();
    return leftMs > journal.journalLeaseMs / 2 ? undefined : busy(leftMs);
  }
}
