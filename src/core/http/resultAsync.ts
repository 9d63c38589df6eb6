import { type Err, err, type Result, ResultAsync, safeTry as unguarded } from 'neverthrow';

import { ApiError } from '../errors.ts';

/**
 * The result of asynchronous work. The work is not meant to throw: what does is a fault of this SDK, or of a
 * value that imitates another, and becomes an error instead of a rejection.
 *
 * The error tells the kind of fault and where it happened, but not its message, which may quote a response.
 */
export function toResultAsync<TValue, TFailure>(
  work: PromiseLike<Result<TValue, TFailure>>,
): ResultAsync<TValue, TFailure | ApiError> {
  return new ResultAsync<TValue, TFailure | ApiError>(
    Promise.resolve(work).catch((thrown: unknown) => err(unforeseen(thrown))),
  );
}

type ValueOf<TResult> = TResult extends Result<infer TValue, unknown> ? TValue : never;
type FailureOf<TResult> = TResult extends Result<unknown, infer TFailure> ? TFailure : never;

/** neverthrow's `safeTry` for several steps, guarded as {@link toResultAsync} is. */
export function safeTry<TYielded extends Err<never, unknown>, TReturned extends Result<unknown, unknown>>(
  steps: () => AsyncGenerator<TYielded, TReturned>,
): ResultAsync<ValueOf<TReturned>, FailureOf<TYielded> | FailureOf<TReturned> | ApiError> {
  return toResultAsync(
    unguarded(steps) as ResultAsync<ValueOf<TReturned>, FailureOf<TYielded> | FailureOf<TReturned>>,
  );
}

function unforeseen(thrown: unknown): ApiError {
  const { name, stack = '' } = thrown instanceof Error ? thrown : { name: typeof thrown };
  const error = new ApiError(`the SDK failed in a way that it did not foresee (${name})`, {
    outcome: 'unknown',
  });
  const frames = stack.match(/^ +at .+$/gm);
  if (frames !== null) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}
