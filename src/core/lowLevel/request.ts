import { errAsync, type ResultAsync } from 'neverthrow';
import { unknown } from 'valibot';

import type { Context } from '../context.ts';
import { ConfigurationError, type Failure } from '../errors.ts';
import { secretsIn } from '../http/redact.ts';
import { send } from '../http/send.ts';
import type { Params, RequestBody } from '../http/types.ts';
import { check, type Rule, text } from '../options/check.ts';

/** Parameters of a low-level request. Lists are sent with commas, objects as JSON; `null` and `undefined` are not sent. */
export type RequestParams = Readonly<Record<string, unknown>>;

export interface RequestOptions {
  /** Sent in the query. `access_token` and `appsecret_proof` are yours to add. */
  readonly params?: RequestParams | undefined;
  /**
   * Sent as a form where it is a plain object, as it is where it is a body of `fetch`. A stream can be read
   * once, so a request with one is sent once.
   */
  readonly data?: RequestParams | RequestBody | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The HTTP methods that can be sent. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Sends any request, and returns its JSON as it came; integers beyond 2^53 are strings.
 *
 * It is tried again as the retry policy says, whatever its method: after rate limits, the policy's
 * statuses and passing faults; after a lost answer only where the method is GET or DELETE; never where the body is
 * a stream.
 *
 * `url` is a path joined to the context's `graphBase`, or an absolute address: what you put into it and into
 * `params` goes there, and nothing is added.
 *
 * Fails with ConfigurationError when `method` or `url` is none, or both `data` and `json` are given.
 *
 * @example
 * const node = await request(context, 'GET', '4', { params: { fields: ['id', 'name'], access_token } });
 */
export function request(
  context: Context,
  method: Method,
  url: string,
  options: RequestOptions = {},
): ResultAsync<unknown, Failure> {
  const name = typeof method === 'string' ? method.toUpperCase() : '';
  const invalid =
    check({ url }, { url: target }) ??
    check(options, { params: record, data: any, json: any, headers: headerRecord }) ??
    (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(name)
      ? undefined
      : new ConfigurationError('method must be GET, POST, PUT, PATCH or DELETE', 'method'));
  if (invalid) return errAsync(invalid);
  const { params, data, json, headers, signal } = options;
  if (data !== undefined && json !== undefined) {
    return errAsync(new ConfigurationError('give data or json, not both', 'data'));
  }
  if (name === 'GET' && (data !== undefined || json !== undefined)) {
    return errAsync(new ConfigurationError('a GET has no body: give params', 'data'));
  }
  const isForm = isPlain(data);
  try {
    const query = params && toParams(params);
    const form = isForm ? toParams(data) : undefined;
    return send(context, {
      method: name,
      path: url,
      query,
      form,
      json,
      ...(isForm ? {} : { body: data as RequestBody | undefined }),
      headers,
      attempts: isStream(data) ? 1 : undefined,
      secrets: secretsIn({ url, query, form: form ?? fieldsOf(data), json, headers }),
      retryOn: name === 'GET' || name === 'DELETE' ? 'anyFailure' : 'response',
      schema: unknown(),
      signal,
    });
  } catch {
    return errAsync(
      new ConfigurationError('params, data and json must be values that JSON can hold', 'params'),
    );
  }
}

/**
 * Sends a GET, as `request` does.
 *
 * @example
 * const node = await get(context, '4', { params: { fields: ['id', 'name'], access_token } });
 */
export function get(context: Context, url: string, options?: RequestOptions): ResultAsync<unknown, Failure> {
  return request(context, 'GET', url, options);
}

/**
 * Sends a POST, as `request` does. It is not once-only: it is retried as the policy says, and can take effect twice.
 *
 * @example
 * const liked = await post(context, `${postId}/likes`, { data: { access_token } });
 */
export function post(context: Context, url: string, options?: RequestOptions): ResultAsync<unknown, Failure> {
  return request(context, 'POST', url, options);
}

/**
 * Sends a DELETE, as `request` does.
 *
 * @example
 * const unliked = await del(context, `${postId}/likes`, { params: { access_token } });
 */
export function del(context: Context, url: string, options?: RequestOptions): ResultAsync<unknown, Failure> {
  return request(context, 'DELETE', url, options);
}

/** Values as they travel in a query or a form: lists with commas, objects as JSON. */
export function toParams(values: RequestParams): Params {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value !== 'object' || value === null
        ? (value as string)
        : Array.isArray(value) && value.every((part) => typeof part !== 'object')
          ? value.join(',')
          : JSON.stringify(value),
    ]),
  );
}

/** What only has to be readable. */
function any(): undefined {
  return undefined;
}

/** A path, or an absolute address. Credentials have no place in it: a network failure quotes it. */
export const target: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined || !/^https?:\/\//i.test(value as string)) return fault;
  const url = URL.canParse(value as string) ? new URL(value as string) : undefined;
  return url?.username === '' && url.password === ''
    ? undefined
    : 'must be a path, or an http or https address without credentials';
};

export function record(value: unknown): string | undefined {
  return value === undefined || isPlain(value) ? undefined : 'must be an object';
}

function headerRecord(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  try {
    return isPlain(value) && new Headers(value as Record<string, string>)
      ? undefined
      : 'must be an object of texts';
  } catch {
    return 'must hold valid header names and values';
  }
}

/** Whether a body can be read only once. */
function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
}

/** What can be looked into of a body: bytes are left alone. */
function fieldsOf(body: unknown): unknown {
  if (body instanceof URLSearchParams || body instanceof FormData) return Object.fromEntries(body);
  return typeof body === 'string' ? body : undefined;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
