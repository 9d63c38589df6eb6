import { inspect } from 'node:util';

import { Err, Ok } from 'neverthrow';

// neverthrow says only that there is no value, or no error: here, a test that fails says what there was instead.
Err.prototype._unsafeUnwrap = function unwrap(this: Err<unknown, unknown>): never {
  const { error } = this;
  throw withCaller(error instanceof Error ? String(error) : inspect(error), unwrap, error);
};

Ok.prototype._unsafeUnwrapErr = function unwrapErr(this: Ok<unknown, unknown>): never {
  throw withCaller(`no failure, but ${inspect(this.value)}`, unwrapErr, undefined);
};

/** An error whose stack begins at the line of the test. */
function withCaller(message: string, callee: (...args: never) => unknown, cause: unknown): Error {
  const error = new Error(message, { cause });
  Error.captureStackTrace(error, callee);
  return error;
}
