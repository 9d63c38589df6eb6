/// <reference lib="esnext.disposable" preserve="true" />
import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from './context.ts';
import { withMessage } from './deriveError.ts';
import { ConfigurationError, type RequestFailure } from './errors.ts';
import type { InFlight } from './http/types.ts';
import { isEntryFailure, type List } from './lists/list.ts';
import { batch, type BatchOptions, type BatchPart, type BatchResults } from './lowLevel/batch.ts';
import { type Entry, iterate, paginate, type PaginateOptions } from './lowLevel/paginate.ts';
import { del, get, type Method, post, request, type RequestOptions } from './lowLevel/request.ts';
import { isRecord } from './objects.ts';
import { check, checkContext } from './options/check.ts';
import { longestTimer } from './options/clock.ts';
import { fromCaller } from './options/given.ts';
import * as rule from './options/rules.ts';

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
 * Creates a client of any endpoint functions. Throws a ConfigurationError for anything else.
 *
 * @example
 * const client = bind(context, { publishPost, deletePost });
 * await client.deletePost({ postId, pageToken });
 */
export function bind<TContext, TEndpoints extends Readonly<Record<string, Endpoint<TContext>>>>(
  context: TContext,
  endpoints: TEndpoints,
): Bound<TEndpoints> {
  const functions = fromCaller('endpoints', () => {
    if (!isRecord(endpoints)) throw new ConfigurationError('endpoints must be an object', 'endpoints');
    return Object.entries<Endpoint<TContext>>(endpoints);
  });
  const methods = functions.map(([name, endpoint]) => {
    if (typeof endpoint === 'function')
      return [name, (...args: never[]) => unwrap(endpoint(context, ...args))];
    throw new ConfigurationError(`endpoints.${name} must be a function`, `endpoints.${name}`);
  });
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
  let unreadable = 0;
  let first: RequestFailure | undefined;
  for await (const result of results) {
    // Thrown at once, it would end a walk that can go on.
    if (result.isErr() && isEntryFailure(result.error)) {
      unreadable++;
      first ??= result.error;
    } else {
      yield orThrow(result);
    }
  }
  if (first === undefined) return;
  const more = unreadable === 1 ? '' : ` (and ${unreadable - 1} more such)`;
  throw withMessage(first, first.message + more);
}

function orThrow<TValue>(result: Result<TValue, Error>): TValue {
  if (result.isErr()) throw result.error;
  return result.value;
}

const lowLevel = { request, get, post, delete: del, paginate, iterate, batch };

/** What every client has besides its endpoints. Its methods throw what the functions return as failures. */
export interface BaseClient<TContext extends Context> {
  /** The context that the methods are bound to, for the functions. */
  readonly context: TContext;
  /**
   * Sends any request, and returns its JSON.
   *
   * @example
   * const node = await client.request('GET', '4', { token, params: { fields: ['id', 'name'] } });
   *
   * @throws {ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}
   */
  readonly request: <TOutput = unknown>(
    method: Method,
    url: string,
    options?: RequestOptions<TOutput>,
  ) => Promise<TOutput>;
  /**
   * Sends a GET, as `request` does.
   *
   * @example
   * const node = await client.get('4', { token, params: { fields: ['id', 'name'] } });
   *
   * @throws {ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}
   */
  readonly get: <TOutput = unknown>(url: string, options?: RequestOptions<TOutput>) => Promise<TOutput>;
  /**
   * Sends a POST, as `request` does. It is not once-only: it is retried as the policy says, and can take effect
   * twice.
   *
   * @example
   * const liked = await client.post(`${postId}/likes`, { token });
   *
   * @throws {ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}
   */
  readonly post: <TOutput = unknown>(url: string, options?: RequestOptions<TOutput>) => Promise<TOutput>;
  /**
   * Sends a DELETE, as `request` does.
   *
   * @example
   * const unliked = await client.delete(`${postId}/likes`, { token });
   *
   * @throws {ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}
   */
  readonly delete: <TOutput = unknown>(url: string, options?: RequestOptions<TOutput>) => Promise<TOutput>;
  /**
   * Collects the entries of a list over all its pages.
   *
   * @example
   * const posts = await client.paginate(`${pageId}/feed`, { token, maxItems: 50 });
   *
   * @throws {ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}
   */
  readonly paginate: <TEntry = Entry>(
    url: string,
    options?: PaginateOptions<TEntry>,
  ) => Promise<List<TEntry>>;
  /**
   * Yields the entries that `paginate` collects, one by one. If the platform could not deliver some of them, it throws
   * the first such failure at its end, unless `onUnreadable` is given.
   *
   * @example
   * for await (const post of client.iterate(`${pageId}/feed`, { token })) console.log(post['id']);
   *
   * @throws {ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}
   */
  readonly iterate: <TEntry = Entry>(
    url: string,
    options?: PaginateOptions<TEntry>,
  ) => AsyncGenerator<TEntry, void, undefined>;
  /**
   * Sends many requests in a few batches. It throws only if a part or an option is invalid: every other failure is in
   * the Result of its part.
   *
   * @example
   * const [me] = await client.batch([{ method: 'GET', path: 'me' }], { token });
   * if (me.isOk()) console.log(me.value);
   *
   * @throws {ConfigurationError}
   */
  readonly batch: <const TParts extends readonly BatchPart[]>(
    parts: TParts,
    options: BatchOptions,
  ) => Promise<BatchResults<TParts>>;
  /**
   * Closes the client: calls in flight are aborted, and later ones fail with a TransportError. With `drainMs`, running
   * calls first get that long to finish. It resolves once all have ended, at most 5 seconds after the abort.
   *
   * @example
   * await client.close({ drainMs: 10_000 });
   *
   * @throws {ConfigurationError} when `drainMs` is not a duration
   */
  readonly close: (options?: CloseOptions) => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

// Some runtimes still lack the symbol; `await using` is compiled to this one there.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose);

/** Creates a client of a context and a bundle of endpoint functions. */
export function createClient<
  TContext extends Context,
  TEndpoints extends Readonly<Record<string, Endpoint<TContext>>>,
>(context: Result<TContext, Error>, endpoints: TEndpoints): Bound<TEndpoints> & BaseClient<TContext> {
  if (context.isErr()) throw context.error;
  const bound = context.value;
  const end = async (options: CloseOptions = {}): Promise<void> => {
    orThrow(await close(bound, options));
  };
  const client = {
    ...bind(bound, endpoints),
    ...bind(bound, lowLevel),
    context: bound,
    close: end,
    [asyncDispose]: () => end(),
  };
  // Otherwise Node would print all of its functions.
  Object.defineProperty(client, Symbol.for('nodejs.util.inspect.custom'), {
    value: () => `client of ${bound.graphBase}`,
  });
  // Each part has its type, but the compiler cannot combine them, since one depends on a type parameter.
  return Object.freeze(client) as Bound<TEndpoints> & BaseClient<TContext>;
}

export interface CloseOptions {
  /**
   * How long running calls may still take before they are aborted, in milliseconds. From 0 to 2_147_483_647.
   * @default 0
   */
  readonly drainMs?: number | undefined;
}

/**
 * Closes a context: calls in flight are aborted, and later ones fail with a TransportError whose `reason` is `closed`.
 * A `fetch` that you passed in is left alone.
 *
 * With `drainMs`, running calls, with all their requests, first get that long to finish.
 *
 * With options, even `{}`, it resolves once every call has ended, after `onCallEnd` and the call's own result; but at most
 * 5 seconds after the abort. A loop over an iterator that is at an entry is not waited for.
 *
 * Fails with ConfigurationError when `drainMs` is not a duration.
 *
 * @example
 * close(context);
 * await close(context, { drainMs: 10_000 });
 */
export function close(context: Context): Result<void, never>;
export function close(context: Context, options: CloseOptions): ResultAsync<void, ConfigurationError>;
export function close(
  context: Context,
  options?: CloseOptions,
): Result<void, ConfigurationError> | ResultAsync<void, ConfigurationError> {
  if (options === undefined) {
    const invalid = checkContext(context);
    if (invalid) return err(invalid);
    stopAll(context.fetcher.inFlight);
    return ok();
  }
  const checked = check(context, options, {
    drainMs: rule.optional(drainTime),
    signal: rule.noSignal,
  });
  return checked.isErr()
    ? errAsync(checked.error)
    : ResultAsync.fromSafePromise(drain(context, checked.value.drainMs));
}

const drainTime = rule.between(0, longestTimer);

/** How often to check whether all calls have ended, in milliseconds. */
const pollMs = 10;
/** How long aborted calls may take to end, in milliseconds: as long as the last writes of a call to its journal. */
const lastMs = 5000;

/** Gives running calls at most `drainMs` to finish; then aborts what is in flight, and lets the calls end. */
async function drain({ fetcher: { inFlight } }: Context, drainMs = 0): Promise<void> {
  inFlight.isClosing = true;
  if (drainMs > 0) await untilIdle(() => inFlight.calls === 0, drainMs);
  stopAll(inFlight);
  // A loop that has an entry in hand may be what waits for this.
  await untilIdle(() => inFlight.calls === inFlight.yielded, lastMs);
}

/** Aborts what is in flight. */
function stopAll(inFlight: InFlight): void {
  inFlight.isClosing = true;
  inFlight.isClosed = true;
  for (const stop of inFlight.stops) stop('closed');
}

/** Waits until no call is running, but at most `ms`. The last call has then delivered its result: a timer fires later. */
async function untilIdle(isIdle: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  for (let left = ms; left > 0 && !isIdle(); left = end - performance.now())
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, left)));
}
