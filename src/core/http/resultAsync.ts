import { err, type Err, type Result, type ResultAsync, safeTry as unnamed } from 'neverthrow';

import type { ApiError } from '../errors.ts';
import { unforeseen } from './lifecycle.ts';

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
