import {
  err,
  type Err,
  errAsync,
  ok,
  type Result,
  ResultAsync,
  safeTry as neverthrowSafeTry,
} from 'neverthrow';

import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';
import { unforeseen } from './calls.ts';
import type {
  CallLimits,
  CallWork,
  GraphRequest,
  GraphResponse,
  HttpContext,
  Lane,
  Method,
} from './types.ts';

/** A request, which is a GET unless it says otherwise. */
type Sendable<TOutput> = Omit<GraphRequest<TOutput>, 'method'> & { readonly method?: Method };

/** What changes nothing, which is most requests: they need no more of it. */
export const GET: Method = { name: 'GET' };

/** Sends one request, and checks the response by its schema. */
export function send<TOutput>(
  context: HttpContext,
  request: Sendable<TOutput>,
): ResultAsync<TOutput, RequestFailure> {
  // The same as `sendForResponse(…).map(…)` with four promises fewer: every call comes through here.
  return new ResultAsync(context.fetcher(context, { method: GET, ...request }, ({ value }) => value));
}

/** Like {@link send}, but returns the whole response. */
export function sendForResponse<TOutput>(
  context: HttpContext,
  request: Sendable<TOutput>,
): ResultAsync<GraphResponse<TOutput>, RequestFailure> {
  return new ResultAsync(context.fetcher(context, { method: GET, ...request }, (response) => response));
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

/**
 * Does the work of a function as one call, once its options are checked. `lane` is how urgent it is for a governor, if that
 * does not follow from its requests.
 */
export function perform<TOptions, TInvalid extends object, TValue, TFailure>(
  context: HttpContext,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  work: CallWork<TOptions, TValue, TFailure>,
  lane?: Lane,
): ResultAsync<TValue, TFailure | TInvalid> {
  return checked.isErr()
    ? errAsync(Object.assign(checked.error, { operation }))
    : new ResultAsync(context.fetcher.perform(context, operation, checked.value, work, lane));
}

/** Like {@link perform}, for a function whose work is one request. */
export function performRequest<TOptions, TInvalid extends object, TOutput>(
  context: HttpContext,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  toRequest: (options: TOptions) => Omit<Sendable<TOutput>, keyof CallLimits>,
  lane?: Lane,
): ResultAsync<TOutput, RequestFailure | TInvalid> {
  return perform(
    context,
    operation,
    checked,
    (call, options) =>
      context.fetcher(context, { ...call, method: GET, ...toRequest(options) }, ({ value }) => value),
    lane,
  );
}

/** Adds the name of the function to the error of a check. There is no call id to add, since no call has begun. */
export function withOperation<TOptions, TInvalid extends object>(
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
  return neverthrowSafeTry(steps) as ReturnType<typeof safeTry<TYielded, TReturned>>;
}

/** Does `work`, which must not reject, for each item, a few at a time. The results are in the order of the items. */
export async function mapConcurrent<TItem, TResult>(
  items: readonly TItem[],
  work: (item: TItem) => PromiseLike<TResult>,
  most = 5,
): Promise<TResult[]> {
  const results: TResult[] = [];
  // The workers share one iterator: each takes the next item as soon as it is free.
  const queue = items.entries();
  async function takeItems(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeItems));
  return results;
}

/** Whether the caller ended the call. */
export function isOver(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && (failure.reason === 'aborted' || failure.reason === 'closed');
}
