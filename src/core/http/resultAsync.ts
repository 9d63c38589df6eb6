import { type Err, type Result, ResultAsync, safeTry as unguarded } from 'neverthrow';

import type { ApiError } from '../errors.ts';
import type { HttpContext } from './types.ts';

/**
 * The result of asynchronous work of several steps, which `close` lets end. The stack of its failure names who called.
 */
export function toResultAsync<TValue, TFailure>(
  context: Pick<HttpContext, 'fetcher'>,
  work: PromiseLike<Result<TValue, TFailure>>,
): ResultAsync<TValue, TFailure | ApiError> {
  return new ResultAsync(context.fetcher.settle(work));
}

type ValueOf<TResult> = TResult extends Result<infer TValue, unknown> ? TValue : never;
type FailureOf<TResult> = TResult extends Result<unknown, infer TFailure> ? TFailure : never;

/** neverthrow's `safeTry` for several steps, guarded as {@link toResultAsync} is. */
export function safeTry<TYielded extends Err<never, unknown>, TReturned extends Result<unknown, unknown>>(
  context: Pick<HttpContext, 'fetcher'>,
  steps: () => AsyncGenerator<TYielded, TReturned>,
): ResultAsync<ValueOf<TReturned>, FailureOf<TYielded> | FailureOf<TReturned> | ApiError> {
  // neverthrow infers the same from the steps, in types of its own that it does not export.
  return toResultAsync(
    context,
    unguarded(steps) as ResultAsync<ValueOf<TReturned>, FailureOf<TYielded> | FailureOf<TReturned>>,
  );
}
