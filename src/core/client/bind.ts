import type { Result, ResultAsync } from 'neverthrow';

import { isOfOneEntry } from '../lists/list.ts';

/** A function that takes a context first. */
export type Endpoint<TContext> = (
  context: TContext,
  ...args: never[]
) =>
  | Result<unknown, Error>
  | ResultAsync<unknown, Error>
  | AsyncGenerator<Result<unknown, Error>, void, undefined>;

/** An endpoint function as a method: its context is bound, and its failure is thrown. */
export type Throwing<TEndpoint> = TEndpoint extends (context: never, ...args: infer TArgs) => infer TReturn
  ? (...args: TArgs) => Unwrapped<TReturn>
  : never;

type Unwrapped<TReturn> =
  TReturn extends ResultAsync<infer TValue, unknown>
    ? Promise<TValue>
    : TReturn extends Result<infer TValue, unknown>
      ? TValue
      : TReturn extends AsyncGenerator<infer TResult, void, undefined>
        ? AsyncGenerator<ValueOf<TResult>, void, undefined>
        : never;

type ValueOf<TResult> = TResult extends Result<infer TValue, unknown> ? TValue : never;

/**
 * A bundle of endpoint functions as a client.
 *
 * Mapped over the bundle's own keys: a method keeps the name, the parameters, the doc comment and the definition of its
 * function, so nothing is written twice.
 */
export type Bound<TEndpoints> = {
  readonly [TName in keyof TEndpoints]: Throwing<TEndpoints[TName]>;
};

/**
 * Creates a client of any endpoint functions.
 *
 * @example
 * const client = bind(context, { publishPost, deletePost });
 * await client.deletePost({ postId, pageToken });
 */
export function bind<TContext, TEndpoints extends Readonly<Record<string, Endpoint<TContext>>>>(
  context: TContext,
  endpoints: TEndpoints,
): Bound<TEndpoints> {
  const methods = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    (...args: never[]) => unwrap(endpoint(context, ...args)),
  ]);
  // `fromEntries` loses the names.
  return Object.freeze(Object.fromEntries(methods)) as Bound<TEndpoints>;
}

/** The value of a result, or the values of several, one by one; a failure is thrown. */
export function unwrap<TValue>(
  result:
    | Result<TValue, Error>
    | ResultAsync<TValue, Error>
    | AsyncGenerator<Result<TValue, Error>, void, undefined>,
): TValue | Promise<TValue> | AsyncGenerator<TValue, void, undefined> {
  // Not `instanceof`: neverthrow ships both module kinds, so two copies of the class can meet here.
  if ('then' in result) return Promise.resolve(result).then(orThrow);
  return 'next' in result ? valuesOf(result) : orThrow(result);
}

async function* valuesOf<TValue>(
  results: AsyncIterable<Result<TValue, Error>>,
): AsyncGenerator<TValue, void, undefined> {
  for await (const result of results) {
    // A thrown failure would end a walk that can go on.
    if (result.isErr() && isOfOneEntry(result.error)) continue;
    yield orThrow(result);
  }
}

function orThrow<TValue>(result: Result<TValue, Error>): TValue {
  if (result.isErr()) throw result.error;
  return result.value;
}
