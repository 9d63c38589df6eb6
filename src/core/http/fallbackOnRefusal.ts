import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';

/**
 * The value, or `instead` where the platform refused or gave no usable response. A failure of the network
 * stays one.
 */
export function fallbackOnRefusal<TValue>(
  result: ResultAsync<TValue, RequestFailure>,
  instead: TValue,
): ResultAsync<TValue, TransportError> {
  return result.orElse((failure): Result<TValue, TransportError> =>
    failure instanceof ApiError ? ok(instead) : err(failure),
  );
}
