import { err, type Err, errAsync, ok, type Result, ResultAsync, safeTry as unnamed } from 'neverthrow';

import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';
import { unforeseen } from './lifecycle.ts';
import type { CallWork, GraphRequest, GraphResponse, HttpContext } from './types.ts';

/** Sends one request, and checks the response by its schema. */
export function send<TOutput>(
  context: HttpContext,
  request: GraphRequest<TOutput>,
): ResultAsync<TOutput, RequestFailure> {
  // The same as `sendForResponse(…).map(…)` with four promises fewer: every call comes through here.
  return new ResultAsync(context.fetcher(context, request, ({ value }) => value));
}

/** Like {@link send}, with what came besides the value. */
export function sendForResponse<TOutput>(
  context: HttpContext,
  request: GraphRequest<TOutput>,
): ResultAsync<GraphResponse<TOutput>, RequestFailure> {
  return new ResultAsync(context.fetcher(context, request, (response) => response));
}

/**
 * When the time of a call that begins now is up, by the monotonic clock; `NaN` if the context is closing, so that no
 * call may begin.
 */
export function deadlineOf({ fetcher, clock, deadlineMs }: HttpContext): number {
  return fetcher.underWay.isClosing ? NaN : clock.monotonic() + deadlineMs;
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

/** The result of work; an ApiError if it throws, for callers who must do something afterwards. */
export async function settled<TValue, TFailure>(
  work: PromiseLike<Result<TValue, TFailure>>,
): Promise<Result<TValue, TFailure | ApiError>> {
  try {
    return await work;
  } catch (thrown) {
    return err(unforeseen(thrown));
  }
}

type ValueOf<TResult> = TResult extends Result<infer TValue, unknown> ? TValue : never;
type FailureOf<TResult> = TResult extends Result<unknown, infer TFailure> ? TFailure : never;

/** neverthrow's `safeTry` for several steps. */
export function safeTry<TYielded extends Err<never, unknown>, TReturned extends Result<unknown, unknown>>(
  steps: () => AsyncGenerator<TYielded, TReturned>,
): ResultAsync<ValueOf<TReturned>, FailureOf<TYielded> | FailureOf<TReturned>> {
  // neverthrow infers the same from the steps, but in types that it does not export.
  return unnamed(steps) as ReturnType<typeof safeTry<TYielded, TReturned>>;
}
