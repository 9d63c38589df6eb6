import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import { ConfigurationError, type Failure } from '../errors.ts';
import { multipartOf, streamed } from '../http/body.ts';
import { methodOf } from '../http/methods.ts';
import { afterResponse } from '../http/retry.ts';
import { secretsIn } from '../http/secretsIn.ts';
import { perform, send } from '../http/send.ts';
import type { CallOptions, RequestBody } from '../http/types.ts';
import { check } from '../options/check.ts';
import * as rule from '../options/rules.ts';
import * as input from './rules.ts';
import type { RequestParams, StandardSchema } from './rules.ts';

export interface RequestOptions<TOutput = unknown> extends CallOptions {
  /**
   * Sent as `access_token`, or as the context's `tokenTransport` says, with its proof where the context has an app
   * secret. The links to other pages in the response come without it. Replaces `access_token` and `appsecret_proof` in
   * the other options; only for the graph.
   */
  readonly token?: string | undefined;
  /** Sent in the query. */
  readonly params?: RequestParams | undefined;
  /**
   * A plain object is sent as a form; anything that `fetch` takes as a body is sent as it is. A stream can be read only
   * once, so a request with one is sent once.
   */
  readonly data?: RequestParams | RequestBody | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Reads the response: any synchronous [Standard Schema](https://standardschema.dev), such as those of valibot, zod,
   * arktype and `pagepics/models`. What does not fit it fails as an unexpected response does: after a write, with
   * `outcome: 'unknown'`.
   * @default the JSON as it came
   */
  readonly schema?: StandardSchema<TOutput> | undefined;
}

/** The HTTP methods that can be sent. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const repeatable = ['GET', 'HEAD', 'OPTIONS', 'DELETE'];

/**
 * Sends any request, and returns its JSON as it came; integers beyond 2^53 are strings. The value of a 204,
 * and of a HEAD or OPTIONS without a body, is `undefined`; any other empty response is an ApiError.
 *
 * It is retried as the retry policy says, whatever its method: after rate limits, the policy's statuses and temporary
 * faults; after a lost response only if the method is GET, HEAD, OPTIONS or DELETE. A body that is a stream is sent
 * once.
 *
 * `url` is a path joined to the context's `graphBase`, or an absolute address: whatever you put into it and into
 * `params` is sent there, and nothing is added except `token`, which only goes to the graph.
 *
 * Fails with ConfigurationError when `method` or `url` is invalid, when both `data` and `json` are given, and when
 * `token` is combined with an `access_token`, or would go to a host other than the graph's. So it does when a parameter
 * `method` contradicts the method, unless that is POST.
 *
 * @example
 * const node = await request(context, 'GET', '4', { token, params: { fields: ['id', 'name'] } });
 */
export function request<TOutput = unknown>(
  context: Context,
  method: Method,
  url: string,
  options: RequestOptions<TOutput> = {},
): ResultAsync<TOutput, Failure> {
  return sendAny(context, 'request', method, url, options);
}

function sendAny<TOutput>(
  context: Context,
  operation: string,
  method: Method,
  url: string,
  options: RequestOptions<TOutput> = {},
): ResultAsync<TOutput, Failure> {
  const name = typeof method === 'string' ? method.toUpperCase() : '';
  const checked = check(
    context,
    options,
    {
      token: rule.optional(rule.token),
      params: rule.optional(input.params),
      data: rule.optional(input.body),
      json: v.nullable(rule.optional(input.jsonText)),
      headers: rule.optional(input.headerRecord),
      schema: input.schemaRule,
    },
    (options) => checkRequest(context, name, url, options),
  );
  return perform(context, operation, checked, (call, options) => {
    const { token, params: query, data, json: text, headers, schema } = options;
    const form = input.isPlain(data) ? input.toParams(data) : undefined;
    // The option is checked as the value to send, and read as its text.
    const json = text === null ? 'null' : typeof text === 'string' ? text : undefined;
    // A URL in the query is sent exactly as it was given.
    const { path, taken } =
      token === undefined && context.tokenTransport === 'header' ? input.takeOut(url) : { path: url };
    return send(context, {
      ...call,
      method: methodOf(name),
      path,
      token,
      tokens: 'all',
      ...input.placed(
        context,
        url,
        query || taken ? { ...taken, ...(query && input.toParams(query)) } : undefined,
        // A more specific JSON type from the caller is kept.
        json === undefined ? headers : { 'content-type': 'application/json', ...input.lowerCased(headers) },
      ),
      form,
      // What is not a plain object was checked to be a body.
      body: json ?? (form === undefined ? (data as RequestBody | undefined) : undefined),
      ...(data instanceof Blob && streamed(data)),
      ...(data instanceof FormData && multipartOf(data)),
      attempts: input.isStream(data) ? 1 : undefined,
      secrets: secretsIn({
        url,
        query,
        form,
        data: form === undefined ? input.partsOf(data) : data,
        json: json && JSON.parse(json),
        headers,
      }),
      mayRepeat: repeatable.includes(name) ? undefined : afterResponse,
      // Without a schema, the type is `unknown`, unless the caller says otherwise.
      schema:
        schema === undefined ? (v.unknown() as v.GenericSchema<unknown, TOutput>) : input.readBy(schema),
    });
  });
}

/** Checks the arguments that are not options, and combinations of options. */
function checkRequest(
  context: Context,
  method: string,
  url: string,
  { token, params, data, json }: RequestOptions,
): ConfigurationError | undefined {
  const hasBody = data !== undefined || json !== undefined;
  return (
    input.checkTarget(url) ??
    input.checkToken(context, url, token, [params, input.isPlain(data) ? data : undefined]) ??
    input.checkMethod(context, method, url, params, data) ??
    (!methods.includes(method)
      ? new ConfigurationError('method must be GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE', 'method')
      : data !== undefined && json !== undefined
        ? new ConfigurationError('give data or json, not both', 'data')
        : hasBody && (method === 'GET' || method === 'HEAD')
          ? new ConfigurationError(
              `a ${method} has no body: give params`,
              data === undefined ? 'json' : 'data',
            )
          : undefined)
  );
}

/**
 * Sends a GET, as `request` does.
 *
 * @example
 * const node = await get(context, '4', { token, params: { fields: ['id', 'name'] } });
 */
export function get<TOutput = unknown>(
  context: Context,
  url: string,
  options?: RequestOptions<TOutput>,
): ResultAsync<TOutput, Failure> {
  return sendAny(context, 'get', 'GET', url, options);
}

/**
 * Sends a POST, as `request` does. It is not once-only: it is retried as the policy says, and can take effect twice.
 *
 * @example
 * const liked = await post(context, `${postId}/likes`, { token });
 */
export function post<TOutput = unknown>(
  context: Context,
  url: string,
  options?: RequestOptions<TOutput>,
): ResultAsync<TOutput, Failure> {
  return sendAny(context, 'post', 'POST', url, options);
}

/**
 * Sends a DELETE, as `request` does.
 *
 * @example
 * const unliked = await del(context, `${postId}/likes`, { token });
 */
export function del<TOutput = unknown>(
  context: Context,
  url: string,
  options?: RequestOptions<TOutput>,
): ResultAsync<TOutput, Failure> {
  return sendAny(context, 'del', 'DELETE', url, options);
}
