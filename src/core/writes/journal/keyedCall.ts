import { err, ok, type Result } from 'neverthrow';

import { repeatsOf } from '../../codes.ts';
import { withIds, withOutcome, withRetryAfter } from '../../deriveError.ts';
import type { RequestFailure, TransportError } from '../../errors.ts';
import { backoff } from '../../http/retry.ts';
import type { CallLimits } from '../../http/types.ts';
import { fieldsOf } from '../../objects.ts';
import { type EffectLookup, isBlind, type Place, placeOf } from '../lookups.ts';
import { notLookedUp, notRead, notShown, observe } from '../sendOnce.ts';
import { laterLookupMs, refusedLookupMs } from '../tolerances.ts';
import type { Hold } from './claim.ts';
import { createdIds, hasSentNothing, type KeyEntry, listedIdsIn, type Sending, toStored } from './entry.ts';
import { busy, failing, journalFailure, stopped } from './failures.ts';
import { type Lock, lockOf, stopwatch } from './lock.ts';
import { keepsOpen, look, lookAgainStep, type LookParts, noteTime, resolveEarlier, unread } from './look.ts';
import { type Others, othersOf } from './others.ts';
import { ownerName, type Owners } from './owners.ts';
import type { Slot, SlotLimits } from './slot.ts';
import { isKnown, msUntilOver, timesNow, withEarlier } from './times.ts';
import type { JournalEvent, KeyedCall, KeyedContext } from './types.ts';

interface CallParts extends Pick<KeyedCall, 'files'>, Pick<CallLimits, 'trace'> {
  readonly key: string;
  readonly hold: Hold;
  readonly owners: Owners;
  readonly limits: SlotLimits;
  /** Also for writes after an abort. */
  readonly finalSlot: Slot;
  readonly tell: (event: JournalEvent['event']) => void;
}

/** What a response says was published. */
interface Published {
  readonly id: string;
  /** Whether lists also show it under another id: the request stays open to other keys. */
  readonly isOpen: boolean;
}

/** A request that failed, or whose outcome is unknown. */
interface FailedRequest {
  /** That of an earlier call, whose outcome is open. */
  readonly earlier: Sending | undefined;
  /** By the monotonic clock. */
  readonly startedAt: number;
  readonly lastsMs: number;
  /** Why a lookup did not find its effect. */
  readonly why: string;
}

/** The keyed call that the work gets, and what its response said. */
export function makeKeyedCall(
  context: KeyedContext,
  parts: CallParts,
): KeyedCall & { readonly published: () => Published | undefined } {
  const { key, hold, owners, limits, files, tell } = parts;
  const { deadline } = limits;
  let published: Published | undefined;

  const sendOnce: KeyedCall['sendOnce'] = async (lookup, lastsMs, send) => {
    const { made, sending: earlier } = hold.entry();
    const known = made === undefined ? undefined : lookup.toValue(made);
    if (known !== undefined) return found(ok(known));
    // A lookup may show the rest of the value.
    if (made !== undefined) hold.note({ applied: true });
    const prepared = await prepare(lookup, lastsMs);
    if (prepared.isErr()) return err(prepared.error);
    const { lock } = prepared.value;
    const looking: LookParts = { hold, owners, ...prepared.value };
    const settled = await resolveEarlier(context, looking, lookup, deadline);
    if (settled !== undefined) return found(settled);
    if (hold.isLost()) return err(busy(context.journal.journalLeaseMs));

    let stop: TransportError | undefined;
    let why = isBlind(lookup) ? notShown : notLookedUp;
    let startedAt = context.clock.monotonic();
    const result = await send({
      beforeAttempt: async () => {
        // Nothing shows whether an earlier request for a single one has had its effect.
        const open = lookup.kind === 'single' ? earlier : undefined;
        stop = await recordSending(lock, lastsMs, open);
        startedAt = context.clock.monotonic();
        if (stop === undefined) tell('sent');
        return stop;
      },
      beforeRetry: async () => {
        // A process that dies while it waits has sent nothing more. If it fails, the next attempt finds out why.
        await hold.store({ sending: earlier }).catch(() => undefined);
      },
      look: async (write, lookLimits) => {
        const looked = await look(context, looking, lookup, lookLimits, write);
        why = looked.isOk() ? looked.value.why : notRead(lookup);
        return looked;
      },
    });
    if (result.isOk()) {
      // A lookup has recorded the entry that it took.
      if (hold.entry().made === undefined) takeResponse(lookup, result.value);
      return result;
    }
    if (stop !== undefined) {
      // Attempts before the stopped one were refused.
      hold.note({ sending: earlier });
      return err(stop);
    }
    return failed(lookup, result.error, { earlier, startedAt, lastsMs, why });
  };

  return {
    resource: ownerName(key),
    isSent: () => !hasSentNothing(hold.entry()),
    ids: () => hold.entry().ids,
    files,
    record: async (ids) => {
      const known = hold.entry().ids;
      if (JSON.stringify({ ...known, ...ids }) === JSON.stringify(known)) return ok();
      const failure = await stopped(hold.store({ ids: { ...hold.entry().ids, ...ids } }));
      return failure === undefined ? ok() : err(failure);
    },
    sendOnce,
    published: () => published,
  };

  /** Notes what a failure says of the request, and says when a further call knows more. */
  async function failed<TValue>(
    lookup: EffectLookup<TValue>,
    error: RequestFailure,
    { earlier, startedAt, lastsMs, why }: FailedRequest,
  ): Promise<Result<TValue, RequestFailure>> {
    const failure = reported(error, lookup, earlier);
    const isRefused = error.outcome === 'rejected';
    // Nothing is known of the earlier request, or there is evidence of it.
    if (isRefused && failure.outcome !== 'rejected') hold.note({ sending: earlier, why });
    else hold.note(changesAfterRequest(failure, startedAt + lastsMs, why));
    if (failure.outcome === 'applied') hold.note({ applied: true });
    if (failure.outcome !== 'unknown') return err(failure);
    // What finds nothing sends again: what was refused, no sooner than after the refusal of a first request.
    const lookAgainMs = isRefused
      ? (error.retryAfterMs ?? refusedLookupMs)
      : backoff(context.retry, lookAgainStep);
    const isPassing = isRefused && error.retryAfterMs !== undefined;
    if (why !== notShown || isPassing) return err(withRetryAfter(failure, lookAgainMs));
    // What nothing shows can be settled once the request is over, counted from when the platform's time is known; if it
    // is refused for good, by a person.
    const isOpen = isBlind(lookup) && lookup.kind !== 'none' && !isRefused;
    const { sending } = hold.entry();
    if (!isOpen || sending === undefined) return err(failure);
    if (!isKnown(sending)) await learnTime(lookup);
    const timed = noteTime(context, hold, { startedAt });
    return err(withRetryAfter(failure, msUntilOver(context, timed) ?? lookAgainMs));
  }

  function found<T>(settled: Result<T, RequestFailure>): Result<T, RequestFailure> {
    if (settled.isOk()) tell('found');
    return settled;
  }

  /** Asks where the effect will appear, and takes the lock that protects it. */
  async function prepare<TValue>(
    lookup: EffectLookup<TValue>,
    lastsMs: number,
  ): Promise<Result<Pick<LookParts, 'lock' | 'others'>, RequestFailure>> {
    const shown = placeOf(lookup);
    if (shown === undefined) return ok({ lock: undefined, others: undefined });
    const located = await locate(lookup, shown);
    if (located.isErr()) return err(located.error);
    const place = { ...shown, list: located.value };
    const others: Others = othersOf(context, key, place, limits);
    if (!isMistakable(lookup)) return ok({ lock: undefined, others });
    const lock = await lockOf(context, key, {
      place,
      limits,
      lastsMs,
      scheduledAt: hold.entry().scheduledAt,
      isShared: lookup.kind === 'single',
      learnTime: () => learnTime(lookup),
      renew: hold.renew,
    });
    const { sending, applied } = hold.entry();
    // A first request takes it later: with its record, in one step if the store can.
    const isTakenLater = sending === undefined && applied !== true;
    const failure = hold.isLost() || isTakenLater ? undefined : await stopped(lock.take());
    return failure === undefined ? ok({ lock, others }) : err(failure);
  }

  /** Asks the platform for anything, to learn its time. */
  async function learnTime<TValue>(lookup: EffectLookup<TValue>): Promise<unknown> {
    const lookLimits = {
      attempts: 1,
      deadline: Math.min(deadline, context.clock.monotonic() + laterLookupMs),
    };
    return lookup.kind === 'single' ? lookup.time(lookLimits) : observe(lookup, lookLimits);
  }

  async function locate<TValue>(
    lookup: EffectLookup<TValue>,
    { list, locate: ask }: Place,
  ): Promise<Result<string, RequestFailure>> {
    const located = ask === undefined ? ok(list) : await ask({ deadline });
    if (located.isOk()) return ok(located.value ?? list);
    const { sending, applied } = hold.entry();
    const isEarlier = sending !== undefined || applied === true;
    return err(
      isEarlier ? unread(context, hold, lookup, located.error) : withOutcome(located.error, 'rejected'),
    );
  }

  /**
   * Records that the request is about to be sent. Fails if anybody has claimed or fenced the entry, or taken the lock. It
   * counts as begun with an earlier one whose outcome is `open`.
   */
  async function recordSending(
    lock: Lock | undefined,
    lastsMs: number,
    open: Sending | undefined,
  ): Promise<TransportError | undefined> {
    const { journal, clock } = context;
    let tookMs = stopwatch(clock);
    const failure = await stopped(lockAndStore());
    if (failure !== undefined) return failure;
    // By each clock, most of the lease must be left.
    const leftMs = journal.journalLeaseMs - tookMs();
    return leftMs > journal.journalLeaseMs / 2 ? undefined : busy(leftMs);

    async function lockAndStore(): Promise<void> {
      if ((await lock?.takeWith((taken) => hold.storeWith([taken], toSending()))) === true) return;
      await lock?.take();
      // It may have waited for the lock. From here on, each step is timed, also how long ago that was.
      tookMs = stopwatch(clock);
      await lock?.take();
      await hold.store(toSending());
    }

    function toSending(): Partial<KeyEntry> {
      const now = timesNow(context, lastsMs);
      const sending =
        open === undefined ? { ...now, lock: lock?.name, bare: lock?.bare } : withEarlier(context, now, open);
      return { sending, sentAt: now.local, why: undefined, others: undefined };
    }
  }

  /** Notes what the response says was published, which the end of the call records. */
  function takeResponse<TValue>(lookup: EffectLookup<TValue>, value: TValue): void {
    const id = lookup.idOf(value);
    const isOpen = keepsOpen(lookup);
    if (id !== undefined) published = { id, isOpen };
    // Without an id, that is all there is to say that it took effect, should the call die in a later step.
    else hold.note({ applied: true, ...(!isOpen && { sending: undefined }) });
  }

  /** The changes to an entry after its request failed, which could take until `endsAt`. */
  function changesAfterRequest(failure: RequestFailure, endsAt: number, why: string): Partial<KeyEntry> {
    const { sending } = hold.entry();
    if (failure.outcome === 'rejected') return { sending: undefined, why: undefined };
    // The request has ended: nobody waits for it any more.
    const restMs = Math.max(0, Math.floor(endsAt - context.clock.monotonic()));
    return { sending: sending && { ...sending, lastsMs: Math.max(0, sending.lastsMs - restMs) }, why };
  }
}

/** Whether its effect could be taken for that of another key, or the other way round. */
function isMistakable<TValue>(lookup: EffectLookup<TValue>): boolean {
  const place = placeOf(lookup);
  return place?.text !== undefined || (lookup.kind === 'object' && place?.query !== undefined);
}

/**
 * How a failed request is reported. A refusal as a duplicate is evidence for an earlier request, not against it; and where
 * nothing shows an effect, any other refusal says nothing of it.
 */
function reported<TValue>(
  failure: RequestFailure,
  lookup: EffectLookup<TValue>,
  earlier: Sending | undefined,
): RequestFailure {
  if (earlier === undefined || failure.outcome !== 'rejected') return failure;
  if (lookup.kind === 'single') return withOutcome(failure, lookup.isRepeat(failure) ? 'applied' : 'unknown');
  return isDuplicate(failure) ? withOutcome(failure, 'unknown') : failure;
}

/** Whether the platform may refuse a request as a duplicate of an earlier one under the key. */
function isDuplicate(failure: RequestFailure): boolean {
  return failure.name !== 'TransportError' && repeatsOf(failure) !== undefined;
}

/** Stores how a call ended, and releases its entry. Even if that fails, the call keeps its result. */
export async function finishCall<TValue, TFailure>(
  { journal, retry }: KeyedContext,
  { trace, hold, finalSlot, owners }: CallParts,
  published: Published | undefined,
  result: Result<TValue, TFailure>,
): Promise<Result<TValue, TFailure>> {
  await hold.end();
  // The id in a response always counts.
  if (published !== undefined) hold.note({ made: published.id });
  // Lists show what is not recorded as this key's: then the request stays open to other keys.
  const settled = published?.isOpen === false ? { sending: undefined } : {};
  const { ids } = hold.entry();
  // A ConfigurationError has an outcome as well, which is all that is read of one.
  const failure = result.isErr() ? (result.error as RequestFailure) : undefined;
  const changes =
    failure === undefined
      ? { lease: 0, why: undefined, others: undefined, value: toStored(result.unwrapOr(undefined)) }
      : changesAfterCall(failure, { ...hold.entry(), ...settled });
  /** Others under which lists show it. */
  const further = listedIdsIn(changes.value, hold.entry()).filter((id) => id !== published?.id);
  if (published === undefined || !(await storeWithOwner(published.id))) {
    const thrown =
      failure !== undefined && hold.isLost() ? undefined : await stopped(hold.store(changes, finalSlot));
    report(thrown);
    // Not before the value: until then, a later call of this key would take the post of a video for the video.
    if (thrown === undefined) await Promise.all(further.map((id) => failing(owners.claim(id))));
  }
  const name: string | undefined = failure?.name;
  if (failure === undefined || name === 'ConfigurationError') return result;
  const described = describe(failure, hold, ids);
  // What passes by itself still does where an earlier request is open.
  const againMs = mayHelp(described, hold)
    ? backoff(retry, lookAgainStep)
    : described.outcome === failure.outcome
      ? undefined
      : failure.retryAfterMs;
  // A copy of the failure, of the same class.
  return err((againMs === undefined ? described : withRetryAfter(described, againMs)) as TFailure);

  function report(thrown: TransportError | undefined): void {
    if (thrown !== undefined) journal.onJournalError?.(Object.assign(thrown, trace.of));
  }

  /** Records the owner in one step with the end of the call; if it cannot, that of the effect alone. Resolves to whether it did both. */
  async function storeWithOwner(id: string): Promise<boolean> {
    const records = [...new Set([id, ...further])].map((one) => owners.record(one));
    const both = await failing(hold.storeWith(records, { ...changes, ...settled }, finalSlot));
    if (both.unwrapOr(false)) return true;
    const owned = both.isErr() ? both : await failing(owners.claim(id));
    if (owned.unwrapOr(false)) hold.note(settled);
    else report(owned.isErr() ? owned.error : journalFailure('another idempotencyKey has the same effect'));
    return false;
  }
}

/**
 * Whether the same call may get further although its outcome is unknown: the store failed, nothing was published yet, or
 * another call has taken over the key, and knows more.
 */
function mayHelp(failure: RequestFailure, hold: Hold): boolean {
  const isOfStore = failure.name === 'TransportError' && failure.reason === 'journal';
  return failure.outcome === 'unknown' && (isOfStore || hold.isLost() || hasSentNothing(hold.entry()));
}

/** The changes to the entry of a failed call. */
function changesAfterCall(failure: RequestFailure, entry: KeyEntry): Partial<KeyEntry> {
  const applied = failure.outcome === 'applied' || entry.applied || undefined;
  return {
    lease: 0,
    applied,
    refused: failure.outcome === 'rejected' && entry.sending === undefined ? true : undefined,
    // The ids help to find what may have been published.
    ids: hasSentNothing({ ...entry, applied }) ? withoutDead(entry.ids, failure) : entry.ids,
  };
}

/** What earlier requests under the key did, or those of a call that has taken it over, this call's failure does not say. */
function describe(failure: RequestFailure, hold: Hold, ids: KeyEntry['ids']): RequestFailure {
  const isOwn = failure.name === 'TransportError' && /busy|journal/.test(failure.reason);
  const shown = isOwn ? withIds(failure, createdIds(ids)) : failure;
  const isOpen = hold.entry().sending !== undefined || (!isOwn && hold.isLost());
  return isOpen && shown.outcome === 'rejected' ? withOutcome(shown, 'unknown') : shown;
}

/** The ids that can still be used, without those that the platform has given up. */
function withoutDead(ids: KeyEntry['ids'], failure: RequestFailure): KeyEntry['ids'] {
  const { name, code, subcode, category, payload } = fieldsOf(failure);
  // That of a container, or of one of a carousel's.
  const { status_code } = fieldsOf(payload);
  const isDead =
    status_code === 'ERROR' ||
    status_code === 'EXPIRED' ||
    (code === 100 && subcode === 33) ||
    (category === 'media' && ids.video_id !== undefined && name === 'ApiError');
  return isDead ? {} : ids;
}
