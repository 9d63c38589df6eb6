import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';
import type { CallWork, GraphRequest, GraphResponse, HttpContext } from './types.ts';

/** Sends one request, and checks the response by its schema. */
export function send<TOutput>(
  context: HttpContext,
  request: GraphRequest<TOutput>,
): ResultAsync<TOutput, RequestFailure> {
  // The same as `sendForResponse(…).map(…)` with three promises fewer: every call comes through here.
  return new ResultAsync(
    context.fetcher(context, request).then((result) => result.map(({ value }) => value)),
  );
}

/** Like {@link send}, with what came besides the value. */
export function sendForResponse<TOutput>(
  context: HttpContext,
  request: GraphRequest<TOutput>,
): ResultAsync<GraphResponse<TOutput>, RequestFailure> {
  return new ResultAsync(context.fetcher(context, request));
}

/**
 * When the time of a call that begins now is up, by the monotonic clock; `NaN` if the context is closing, so that no
 * call may begin.
 */
export function deadlineOf({ fetcher, clock, deadlineMs }: HttpContext): number {
  return fetcher.isClosing() ? NaN : clock.monotonic() + deadlineMs;
}

/**
 * The value, or `instead` if the platform refused or gave no usable response. A network failure stays a failure.
 */
export function fallbackOnRefusal<TValue>(
  result: ResultAsync<TValue, RequestFailure>,
  instead: TValue,
): ResultAsync<TValue, TransportError> {
  return result.orElse((failure): Result<TValue, TransportError> =>
    failure instanceof ApiError ? ok(instead) : err(failure),
  );
}

/** Does the work of a function as one call, once its options are checked. */
export function perform<TOptions, TInvalid extends object, TValue, TFailure>(
  context: HttpContext,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  work: CallWork<TOptions, TValue, TFailure>,
): ResultAsync<TValue, TFailure | TInvalid> {
  const own = named(operation, checked);
  return own.isErr()
    ? errAsync(own.error)
    : new ResultAsync(context.fetcher.perform(context, operation, own.value, work));
}

/** What a check gave; its error tells the function, and no call: none has begun. */
export function named<TOptions, TInvalid extends object>(
  operation: string,
  checked: Result<TOptions, TInvalid>,
): Result<TOptions, TInvalid> {
  return checked.mapErr((error) => Object.assign(error, { operation }));
}
