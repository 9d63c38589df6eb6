import { err, type Err, errAsync, ok, Result, ResultAsync, safeTry as neverthrowSafeTry } from 'neverthrow';

import { ApiError, type RequestFailure, type TransportError, type ErrorCategory } from '../errors.ts';
import { unforeseen } from './calls.ts';
import type { CallLimits, CallWork, GraphRequest, GraphResponse, HttpContext, Params } from './types.ts';

/** Sends one request, and checks the response by its schema. */
export function send<TOutput>(
  context: HttpContext,
  request: GraphRequest<TOutput>,
): ResultAsync<TOutput, RequestFailure> {
  // The same as `sendForResponse(…).map(…)` with four promises fewer: every call comes through here.
  return new ResultAsync(context.fetcher(context, request, ({ value }) => value));
}

/** Like {@link send}, but returns the whole response. */
export function sendForResponse<TOutput>(
  context: HttpContext,
  request: GraphRequest<TOutput>,
): ResultAsync<GraphResponse<TOutput>, RequestFailure> {
  return new ResultAsync(context.fetcher(context, request, (response) => response));
}

/**
 * The deadline of a call that begins now, by the monotonic clock; `NaN` if the context is closing, since no call may
 * begin then.
 */
export function deadlineOf({ fetcher, clock, deadlineMs }: HttpContext): number {
  return fetcher.inFlight.isClosing ? NaN : clock.monotonic() + deadlineMs;
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
  return withOperation(operation, checked).asyncAndThen(
    (options) => new ResultAsync(context.fetcher.perform(context, operation, options, work)),
  );
}

/** What a function requests: a GET unless it says otherwise. Its call adds the rest. */
type OwnRequest<TOutput> = Omit<GraphRequest<TOutput>, 'method' | keyof CallLimits> & {
  readonly method?: string;
};

/** Like {@link perform}, for a function whose work is one request. */
export function performRequest<TOptions, TInvalid extends object, TOutput>(
  context: HttpContext,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  toRequest: (options: TOptions) => OwnRequest<TOutput>,
): ResultAsync<TOutput, RequestFailure | TInvalid> {
  return perform(context, operation, checked, (call, options) =>
    context.fetcher(context, { method: 'GET', ...call, ...toRequest(options) }, ({ value }) => value),
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

/** Refusals that can concern one metric of a batch. Any other would also refuse each metric separately. */
const perMetric: readonly ErrorCategory[] = ['validation', 'permission', 'media'];

/**
 * Reads those metrics that the platform still has. One retired metric fails a batch: each is then requested separately.
 * Refused metrics are left out; a network failure says nothing about the metrics, and stays an error.
 */
export function fetchMetrics<TValue>(
  metrics: readonly string[],
  ask: (metrics: string) => ResultAsync<Readonly<Record<string, TValue>>, RequestFailure>,
): ResultAsync<Readonly<Record<string, TValue>>, TransportError> {
  const names = [...new Set(metrics)];
  return ask(names.join(',')).orElse((failure) => {
    const isLast = failure.name === 'TransportError' || failure.code === undefined || names.length === 1;
    if (isLast || !perMetric.includes(failure.category)) return fallbackOnRefusal(errAsync(failure), {});
    const each = mapConcurrent(names, (metric) => fallbackOnRefusal(ask(metric), {}));
    // From entries, not by assignment: a name from the platform can be `__proto__`.
    return new ResultAsync(each.then((responses) => Result.combine([...responses]))).map((found) =>
      Object.fromEntries(found.flatMap((values) => Object.entries(values))),
    );
  });
}

/** A refusal that concerns one of the requested metrics. */
export function isAboutMetric(failure: RequestFailure): boolean {
  return (
    failure.name !== 'TransportError' &&
    failure.category === 'validation' &&
    failure.code !== undefined &&
    /metric/i.test(failure.message)
  );
}

/** Whether the caller ended the call. */
export function isOver(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && (failure.reason === 'aborted' || failure.reason === 'closed');
}

/**
 * Like {@link fetchMetrics}, but only a metric that the platform does not have is left out, and any other refusal is an
 * error. So is the refusal of all.
 */
export function livingMetrics<TValue>(
  metrics: readonly string[],
  ask: (metrics: string) => ResultAsync<Readonly<Record<string, TValue>>, RequestFailure>,
): ResultAsync<Readonly<Record<string, TValue>>, RequestFailure> {
  const names = metricNames(metrics);
  return ask(names.join(',')).orElse((refusal) =>
    names.length === 1 || !isAboutMetric(refusal)
      ? errAsync(refusal)
      : new ResultAsync(mapConcurrent(names, ask, 4).then(livingOf)),
  );
}

/** The names of metrics, each once: an option may name several in one text. */
export function metricNames(metrics: readonly string[]): readonly string[] {
  return [...new Set(metrics.join().split(/\s*,\s*/))];
}

/** The metrics that were not refused; a refusal if all were. */
function livingOf<TValue>(
  each: readonly Result<Readonly<Record<string, TValue>>, RequestFailure>[],
): Result<Readonly<Record<string, TValue>>, RequestFailure> {
  const found: [string, TValue][] = [];
  for (const result of each) {
    if (result.isOk()) found.push(...Object.entries(result.value));
    else if (!isAboutMetric(result.error)) return err(result.error);
  }
  const [first] = each;
  return first?.isErr() === true && each.every((result) => result.isErr())
    ? err(first.error)
    : ok(Object.fromEntries(found));
}

/** What no encoding changes. To look takes a tenth of the time of encoding. */
const plain = /^[\w.*-]*$/;

/**
 * Builds a request path, each id encoded as one segment: an untrusted id cannot reach another edge (`../me`), another
 * host (`//host`) or the query (`?`).
 *
 * @example
 * path`${pageId}/feed`
 */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.reduce((made, part, at) => made + encode(String(ids[at - 1])) + part);
}

/** A text as a part of an address. One from a response can be ill-formed, and cannot be encoded as it is. */
function encode(text: string): string {
  return plain.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** The address of a request, with its query. */
export function addressOf(
  graphBase: string,
  { path, query = {} }: Pick<GraphRequest<unknown>, 'path' | 'query'>,
): string {
  // A fragment is not sent, and would swallow the query.
  const target = path.replace(/#.*/s, '');
  const base = /^https?:\/\//i.test(target) ? target : `${graphBase}/${target.replace(/^\/+/, '')}`;
  const text = toQuery(query);
  return text === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${text}`;
}

/** Values as `URLSearchParams` reads them, in a fifth of the time that it takes to write them: every call has a query. */
export function toQuery(values: Params): string {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) text += `${text && '&'}${encode(name)}=${encode(`${value}`)}`;
  }
  return text;
}

/** Values as form data. */
export function toForm(values: Params): URLSearchParams {
  return new URLSearchParams(toQuery(values));
}

/** Media that the platform could not fetch from its address: `code,subcode`. */
const unfetched: RegExp = /^(?:9004|324|389),|,2207(?:020|05[23])$/;

/**
 * What the refusal of a request adds to its message, if media could not be fetched: their addresses, without credentials
 * and query, which may be secret.
 */
export function shownAddresses(...addresses: readonly unknown[]): GraphRequest<unknown>['fetches'] {
  return ({ code, subcode }) => {
    const shown = addresses
      .filter((address) => typeof address === 'string')
      .map((address) => {
        const { origin, pathname } = new URL(address);
        return origin + pathname;
      });
    return shown.length > 0 && unfetched.test(`${code},${subcode}`) ? ` (${shown.join(', ')})` : '';
  };
}

/** Whether an address has the same origin as `home`, including scheme and port, and no credentials. */
export function isSameOrigin(address: string, home: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, username, password } = new URL(address);
  return new URL(home).origin === origin && `${username}${password}` === '';
}
