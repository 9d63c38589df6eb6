import { err, type Result } from 'neverthrow';

import { withIds, withOutcome } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import type { KeyedContext } from '../journal/types.ts';
import type { Effects } from './effects.ts';
import { createdIds, type Entry, toStored } from './entry.ts';
import { toFailure } from './failures.ts';
import type { Hold } from './hold.ts';
import type { Slot } from './slot.ts';

interface Finish {
  readonly hold: Hold;
  readonly effects: Effects;
  readonly leave: () => Promise<void>;
  /** For what is written after an abort, too. */
  readonly lastly: Slot;
}

/** Stores how a call ended, and lets its entry go. Whatever becomes of that, the call's own result stands. */
export async function finishCall<TValue, TFailure>(
  { journal }: KeyedContext,
  { hold, effects, leave, lastly }: Finish,
  result: Result<TValue, TFailure>,
): Promise<Result<TValue, TFailure>> {
  await hold.end();
  const { made, sending, ids } = hold.entry();
  const failure = result.isErr() ? (result.error as RequestFailure) : undefined;
  const isOpen = made === undefined && (failure === undefined || sending !== undefined);
  try {
    if (made !== undefined) await effects.own(made);
    // What another call under the key has told since is its own.
    if (!isOpen && !hold.isLost()) await leave();
    if (failure === undefined) {
      await hold.store({ ...ended, value: toStored(result.unwrapOr(undefined)) }, { slot: lastly });
    } else if (!hold.isLost()) {
      const isRejected = failure.outcome === 'rejected' && sending === undefined ? true : undefined;
      const isApplied = failure.outcome === 'applied' || hold.entry().isApplied || undefined;
      // What may have been published is found by its ids.
      const kept = made !== undefined || isOpen || isApplied ? ids : withoutDead(ids, failure);
      const changes = { ...ended, sending, isApplied, isRejected, ids: kept };
      await hold.store(changes, { slot: lastly });
    }
  } catch (thrown) {
    journal.onJournalError?.(toFailure(thrown));
  }
  if (failure === undefined || failure.name === ('ConfigurationError' as string)) return result;
  return err(describe(failure, hold.entry(), ids) as TFailure);
}

const ended = { leaseUntil: 0, sending: undefined };

/** What an earlier request under the key did is not known, whatever this call failed with. */
function describe(failure: RequestFailure, { sending }: Entry, ids: Entry['ids']): RequestFailure {
  const isOwn = failure.name === 'TransportError' && /busy|journal/.test(failure.reason);
  const told = isOwn ? withIds(failure, createdIds(ids)) : failure;
  return sending !== undefined && told.outcome === 'rejected' ? withOutcome(told, 'unknown') : told;
}

/** The ids that can still be used: none of what the platform has given up. */
function withoutDead(ids: Entry['ids'], failure: RequestFailure): Entry['ids'] {
  const { name, code, subcode, category, statusCode } = failure as unknown as Partial<
    Record<string, unknown>
  >;
  const isDead =
    (name === 'ContainerNotReadyError' && (statusCode === 'ERROR' || statusCode === 'EXPIRED')) ||
    (code === 100 && subcode === 33) ||
    (category === 'media' && ids.video_id !== undefined && name === 'ApiError');
  return isDead ? {} : ids;
}
