import { type Err, err, type Result, ResultAsync, safeTry as unguarded } from 'neverthrow';

import { withCaller } from '../deriveError.ts';
import { ApiError } from '../errors.ts';
import type { HttpContext } from './types.ts';

/**
 * The result of asynchronous work of several steps, which `close` lets end. The stack of its failure names who called.
 *
 * The work is not meant to throw: what does is a fault of this SDK, or of a value that imitates another, and becomes
 * an error instead of a rejection. That error tells the kind of fault and where it happened, but not its message,
 * which may quote a response.
 */
export function toResultAsync<TValue, TFailure>(
  context: Pick<HttpContext, 'fetcher'>,
  work: PromiseLike<Result<TValue, TFailure>>,
): ResultAsync<TValue, TFailure | ApiError> {
  return new ResultAsync(settle(context, work));
}

async function settle<TValue, TFailure>(
  { fetcher }: Pick<HttpContext, 'fetcher'>,
  work: PromiseLike<Result<TValue, TFailure>>,
): Promise<Result<TValue, TFailure | ApiError>> {
  fetcher.enter();
  try {
    const result = await work;
    return result.isErr() ? err(withCaller(result.error)) : result;
  } catch (thrown) {
    return err(withCaller(unforeseen(thrown)));
  } finally {
    fetcher.leave();
  }
}

type ValueOf<TResult> = TResult extends Result<infer TValue, unknown> ? TValue : never;
type FailureOf<TResult> = TResult extends Result<unknown, infer TFailure> ? TFailure : never;

/** neverthrow's `safeTry` for several steps, guarded as {@link toResultAsync} is. */
export function safeTry<TYielded extends Err<never, unknown>, TReturned extends Result<unknown, unknown>>(
  context: Pick<HttpContext, 'fetcher'>,
  steps: () => AsyncGenerator<TYielded, TReturned>,
): ResultAsync<ValueOf<TReturned>, FailureOf<TYielded> | FailureOf<TReturned> | ApiError> {
  return toResultAsync(
    context,
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
