import { err, type Result } from 'neverthrow';

import { withIds, withOutcome } from '../../deriveError.ts';
import type { RequestFailure } from '../../errors.ts';
import type { CallLimits } from '../../http/types.ts';
import { fieldsOf } from '../../options/check.ts';
import type { Hold } from './claim.ts';
import type { Effects } from './effects.ts';
import { createdIds, ended, type KeyEntry, toStored } from './entry.ts';
import { stopped } from './failures.ts';
import type { Rivals } from './rivals.ts';
import type { Slot } from './slot.ts';
import type { KeyedContext } from './types.ts';

interface Finish extends Pick<CallLimits, 'trace'> {
  readonly hold: Hold;
  readonly effects: Effects;
  readonly rivals: Pick<Rivals, 'left' | 'leave'> | undefined;
  /** Also for writes after an abort. */
  readonly lastly: Slot;
}

/** Stores how a call ended, and releases its entry. Even if that fails, the call keeps its own result. */
export async function finishCall<TValue, TFailure>(
  { journal }: KeyedContext,
  { trace, hold, effects, rivals, lastly }: Finish,
  result: Result<TValue, TFailure>,
): Promise<Result<TValue, TFailure>> {
  await hold.end();
  const { made, sending, ids } = hold.entry();
  // A ConfigurationError has an outcome as well, which is all that is read of one.
  const failure = result.isErr() ? (result.error as RequestFailure) : undefined;
  const isOpen = made === undefined && (failure === undefined || sending !== undefined);
  const owned = made === undefined ? [] : [effects.owned(made)];
  const others = [...owned, ...(isOpen ? [] : (rivals?.left() ?? []))];
  const changes =
    failure === undefined
      ? { ...ended, value: toStored(result.unwrapOr(undefined)) }
      : changesAfterCall(failure, hold.entry());
  let stored: readonly boolean[] = [];
  const isDone = async (work: () => Promise<void>): Promise<boolean> => {
    const thrown = await stopped(work());
    if (thrown !== undefined) {
      journal.onJournalError?.(Object.assign(thrown, trace.of));
    }
    return thrown === undefined;
  };
  const storing =
    failure !== undefined && hold.isLost()
      ? undefined
      : isDone(async () => {
          stored = await hold.store(changes, { slot: lastly, others });
        });
  // Whatever could not be stored with the entry is stored separately.
  if (lastly.isTrusted) await storing;
  const [, isOwn] = await Promise.all([
    storing,
    made === undefined || stored[0] === true || isDone(() => effects.own(made)),
  ]);
  const isLeft = stored[owned.length] === true;
  // What another call under the key has announced since belongs to that call. Rivals are only told that the write is
  // done once the owner of the effect is recorded.
  if (isOwn && !isOpen && !hold.isLost()) await isDone(async () => rivals?.leave(isLeft));
  const name: string | undefined = failure?.name;
  if (failure === undefined || name === 'ConfigurationError') return result;
  // A copy of the failure, of the same class.
  return err(describe(failure, hold.entry(), ids) as TFailure);
}

/** The changes to the entry of a failed call. */
function changesAfterCall(
  failure: RequestFailure,
  { made, sending, ids, isApplied }: KeyEntry,
): Partial<KeyEntry> {
  const isNowApplied = failure.outcome === 'applied' || isApplied || undefined;
  const isUnsent = made === undefined && sending === undefined && isNowApplied === undefined;
  return {
    leaseUntil: 0,
    isApplied: isNowApplied,
    isRejected: failure.outcome === 'rejected' && sending === undefined ? true : undefined,
    // The ids help to find what may have been published.
    ids: isUnsent ? withoutDead(ids, failure) : ids,
  };
}

/** The outcome of an earlier request under the key is unknown, whatever this call failed with. */
function describe(failure: RequestFailure, { sending }: KeyEntry, ids: KeyEntry['ids']): RequestFailure {
  const isOwn = failure.name === 'TransportError' && /busy|journal/.test(failure.reason);
  const told = isOwn ? withIds(failure, createdIds(ids)) : failure;
  return sending !== undefined && told.outcome === 'rejected' ? withOutcome(told, 'unknown') : told;
}

/** The ids that can still be used, without those that the platform has given up. */
function withoutDead(ids: KeyEntry['ids'], failure: RequestFailure): KeyEntry['ids'] {
  const { name, code, subcode, category, statusCode } = fieldsOf(failure);
  const isDead =
    (name === 'ContainerNotReadyError' && (statusCode === 'ERROR' || statusCode === 'EXPIRED')) ||
    (code === 100 && subcode === 33) ||
    (category === 'media' && ids.video_id !== undefined && name === 'ApiError');
  return isDead ? {} : ids;
}
