import { type Result, ResultAsync } from 'neverthrow';

import { type AnySdkError, ConfigurationError, isSdkError } from './errors.ts';
import { failedCallOf } from './http/calls.ts';
import { guardHook } from './http/guardHook.ts';
import { createLifecycle } from './http/lifecycle.ts';
import { fieldsOf } from './objects.ts';
import { checkOptions } from './options/check.ts';
import { type Clock, hasAborted, systemClock, withMonotonic } from './options/clock.ts';
import * as rule from './options/rules.ts';

/** A failed call that is made again after a wait. */
export interface Wait {
  readonly error: AnySdkError;
  /** Milliseconds until the call is made again. */
  readonly waitMs: number;
  /** How many calls have been made, 1 after the first. */
  readonly attempt: number;
}

export interface UntilSettledOptions {
  /**
   * Milliseconds from the first call: no wait is begun that would end later. `Infinity` waits as long as it takes.
   * @default 900_000, 15 minutes
   */
  readonly forMs?: number | undefined;
  /** Ends a wait. Pass it to the call as well, to end that too. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The passage of time.
   * @default that of the context of the call
   */
  readonly clock?: Clock | undefined;
  /** Called before each wait. Anything it throws is ignored. */
  readonly onWait?: ((wait: Wait) => unknown) | undefined;
}

/**
 * Makes a call, and makes it again as long as its failure has a `retryAfterMs`, which is where that may help and cannot
 * publish twice.
 *
 * It waits for `retryAfterMs`; while another process has the `idempotencyKey` of the call (`busy`), for a second at most,
 * since only the journal is asked. The last failure is the result when it is final, when `forMs` leaves no room for the
 * next wait, when the call was aborted, at `signal`, and when the context of the call is closed.
 *
 * `call` returns what a function returns, a ResultAsync, or what a client's method returns, a promise; so does this
 * function, with the same types. A promise of a Result is also understood.
 *
 * Throws a ConfigurationError for an invalid option.
 *
 * @example
 * const post = await untilSettled(() =>
 *   client.publishPost({ pageId, pageToken, message: 'Hello', idempotencyKey: 'row-7' }),
 * );
 */
export function untilSettled<TValue, TFailure>(
  call: () => ResultAsync<TValue, TFailure>,
  options?: UntilSettledOptions,
): ResultAsync<TValue, TFailure>;
export function untilSettled<TValue>(
  call: () => PromiseLike<TValue>,
  options?: UntilSettledOptions,
): Promise<TValue>;
export function untilSettled(call: () => unknown, options: UntilSettledOptions = {}): unknown {
  if (typeof call !== 'function') throw new ConfigurationError('call must be a function', 'call');
  const checked = checkOptions(options, {
    forMs: rule.optional(waitMs),
    clock: rule.optional(rule.clock),
    onWait: rule.optional(rule.hook),
    signal: rule.signal,
  });
  if (checked.isErr()) throw checked.error;
  const value = { ...checked.value, call };
  const first = call();
  // Not `instanceof`: two copies of neverthrow can meet here.
  return 'andThen' in Object(first)
    ? new ResultAsync(repeat(first, value) as Promise<Result<unknown, unknown>>)
    : repeat(first, value);
}

/** While another process holds a key, how long to wait at most, in milliseconds. */
const busyMs = 1000;

async function repeat(
  first: unknown,
  { call, forMs = 900_000, signal, clock: given, onWait }: Checked,
): Promise<unknown> {
  const tell = guardHook(onWait);
  let clock = withMonotonic(given ?? systemClock);
  let begunAt = clock.monotonic();
  for (let attempt = 1, calling = first; ; attempt++, calling = call()) {
    const { error, end } = await outcomeOf(calling);
    const { reason, retryAfterMs } = fieldsOf(error);
    if (!isSdkError(error) || typeof retryAfterMs !== 'number') return end();
    // The caller has ended it. It may help later, but not of itself.
    if (reason === 'aborted' || reason === 'closed') return end();
    const failed = failedCallOf(error);
    if (attempt === 1 && given === undefined && failed !== undefined) {
      clock = failed.context.clock;
      begunAt = failed.startedAt;
    }
    const waitMs = reason === 'busy' ? Math.min(retryAfterMs, busyMs) : retryAfterMs;
    if (clock.monotonic() - begunAt + waitMs > forMs || hasAborted(signal)) return end();
    tell?.({ error, waitMs, attempt });
    // Closing the context of the call ends the wait.
    const { pause } = failed?.context.fetcher ?? createLifecycle();
    if ((await pause(clock, waitMs, signal)).isErr()) return end();
  }
}

type Checked = UntilSettledOptions & { readonly call: () => unknown };

/** The error that a call ended with, if any, and how to end as the call did. */
async function outcomeOf(
  calling: unknown,
): Promise<{ readonly error?: unknown; readonly end: () => unknown }> {
  try {
    const value = await calling;
    // A Result, by what it has: two copies of neverthrow can meet here.
    return { error: 'isErr' in Object(value) ? fieldsOf(value)['error'] : undefined, end: () => value };
  } catch (error) {
    return {
      error,
      end: () => {
        throw error;
      },
    };
  }
}

/**
 * Whether somebody has to change something before the same call can help: the options, the token, the app, the file. It is
 * the absence of `retryAfterMs`. What is no error of this SDK is not final: it says nothing about the call.
 *
 * @example
 * const published = await publishPost(context, { pageId, pageToken, message: 'Hello', idempotencyKey: 'row-7' });
 * if (published.isErr() && isFinal(published.error)) console.error(`a person must look: ${published.error.message}`);
 */
export function isFinal(error: unknown): boolean {
  return isSdkError(error) && fieldsOf(error)['retryAfterMs'] === undefined;
}

const waitMs = rule.between(0, Infinity);
