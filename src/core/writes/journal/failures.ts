import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError, type CreatedIds, type Outcome, TransportError } from '../../errors.ts';
import { describeCause } from '../../http/networkFailure.ts';
import { isWellFormed, notWellFormed } from '../../options/rules.ts';

/** The result of work. Failures are thrown within the engine, but never leave it that way. */
export async function failing<T>(work: Promise<T>): Promise<Result<T, TransportError>> {
  try {
    return ok(await work);
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}

/** The failure that work threw. */
export async function stopped(work: Promise<unknown>): Promise<TransportError | undefined> {
  const result = await failing(work);
  return result.isErr() ? result.error : undefined;
}

/** Turns whatever was thrown into a failure. */
export function toFailure(thrown: unknown): TransportError {
  return thrown instanceof TransportError ? thrown : journalFailure(describeCause(thrown));
}

/** The store failed. */
export function journalFailure(why: string, outcome?: Outcome): TransportError {
  return new TransportError('journal', `the journal failed: ${why}`, { outcome });
}

/** Another call holds the key, or an identical publish under another key is not settled. */
export function busy(
  retryAfterMs: number,
  message = 'another call holds this idempotencyKey, or died with it: call again after retryAfterMs',
): TransportError {
  return new TransportError('busy', message, {
    outcome: 'unknown',
    retryAfterMs: Math.max(0, Math.ceil(retryAfterMs)),
  });
}

/** The outcome of an earlier request is not known, or its id is not. */
export function unsettled({ outcome, why, ids, retryAfterMs, candidates }: Unsettled): TransportError {
  const message =
    outcome === 'applied'
      ? 'an earlier call under this idempotencyKey published; its id is unknown'
      : `an earlier call under this idempotencyKey may have published: ${why}`;
  const payload = candidates === undefined ? ids : { ...ids, candidates };
  return new TransportError('network', message, { outcome, payload, ids, retryAfterMs });
}

interface Unsettled {
  readonly outcome: Outcome;
  readonly why: string;
  readonly ids: CreatedIds;
  readonly retryAfterMs?: number | undefined;
  /** Ids of what it may have created. */
  readonly candidates?: readonly string[] | undefined;
}

/** What is wrong with a key; `undefined` if nothing is. */
export function checkKey(key: unknown, option = 'idempotencyKey'): ConfigurationError | undefined {
  if (typeof key !== 'string' || !/^.{1,255}$/su.test(key)) {
    return new ConfigurationError(`${option} must have 1 to 255 characters`, option);
  }
  if (!isWellFormed(key)) return new ConfigurationError(`${option} ${notWellFormed}`, option);
  // Postgres cannot store it.
  return key.includes('\0') ? new ConfigurationError(`${option} must not contain U+0000`, option) : undefined;
}

/** The key is already used for something else, and may have published that: the value, if it has. */
export function otherContent(published?: unknown): ConfigurationError {
  const message = 'idempotencyKey was used for another function or other content';
  if (published === undefined) return new ConfigurationError(message, 'idempotencyKey');
  const told = `${message}, which is published: payload.published tells its ids`;
  return Object.assign(new ConfigurationError(told, 'idempotencyKey'), { payload: { published } });
}

/** The key is already used, and may have published, but nobody can tell whether for the same content. */
export function otherSecret(): ConfigurationError {
  const message =
    'idempotencyKey was made by an app with another secret, so contents cannot be compared, and it has been sent: journalState tells what is recorded';
  return new ConfigurationError(message, 'idempotencyKey');
}
