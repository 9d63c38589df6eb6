import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import type { RequestFailure, TransportError } from '../../core/errors.ts';

/**
 * The value, or `instead` where the platform refused or gave no usable answer. A failure of the network
 * stays one.
 */
export function unlessRefused<TValue>(
  result: ResultAsync<TValue, RequestFailure>,
  instead: TValue,
): ResultAsync<TValue, TransportError> {
  return result.orElse((failure): Result<TValue, TransportError> =>
    failure.name === 'TransportError' ? err(failure) : ok(instead),
  );
}

/** A refusal by code. */
type Coded = Exclude<RequestFailure, TransportError>;

/**
 * Takes a refusal for success where it says that the work is done, and an earlier attempt, whose answer was
 * lost, can have done it.
 */
export function unlessDoneBefore(
  result: ResultAsync<true, RequestFailure>,
  saysDone: (refusal: Coded) => boolean,
): ResultAsync<true, RequestFailure> {
  return result.orElse((failure): Result<true, RequestFailure> => {
    if (failure.name === 'TransportError' || failure.outcome !== 'unknown') return err(failure);
    const { status = 0, code } = failure;
    // A refusal by itself is sure: only what went before it leaves the outcome open.
    const isRefusal = code !== undefined && status >= 400 && status < 500;
    return isRefusal && saysDone(failure) ? ok(true) : err(failure);
  });
}
