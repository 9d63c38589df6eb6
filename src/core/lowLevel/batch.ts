import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import { withCaller, withOutcome } from '../deriveError.ts';
import { ApiError, ConfigurationError, type RequestFailure, TransportError } from '../errors.ts';
import { addressOf, isAbsolute, pathOf, toQuery, withQuery } from '../http/addresses.ts';
import { readContent } from '../http/exchange.ts';
import { hasError } from '../http/fetcher.ts';
import { POST } from '../http/methods.ts';
import { sign } from '../http/proof.ts';
import { createRedact } from '../http/redact.ts';
import { parseResponse, readRefusal } from '../http/response.ts';
import { afterRejection } from '../http/retry.ts';
import { secretsIn } from '../http/secretsIn.ts';
import { perform, sendForResponse, settled } from '../http/send.ts';
import type { Call, CallOptions, GraphResponse } from '../http/types.ts';
import { check, checkOptions, toError } from '../options/check.ts';
import * as rule from '../options/rules.ts';
import * as input from './rules.ts';
import type { RequestParams, StandardSchema } from './rules.ts';

/** One request of a batch. */
export interface BatchPart<TOutput = unknown> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A path joined to the context's `graphBase`, or an absolute address of the same origin. */
  readonly path: string;
  /** Sent in the query. */
  readonly params?: RequestParams | undefined;
  /** Sent as a form. POST only. */
  readonly data?: RequestParams | undefined;
  /**
   * Token of this part; its proof is added.
   * @default that of the batch
   */
  readonly token?: string | undefined;
  /**
   * The schema of the response: a synchronous Standard Schema, such as those of valibot, zod, arktype and
   * `pagepics/models`. Without it, the value is `unknown`.
   */
  readonly schema?: StandardSchema<TOutput> | undefined;
}

export interface BatchOptions extends CallOptions {
  /** Token of the parts that have none of their own; the platform always requires it. */
  readonly token: string;
  /**
   * `true` says that every part may safely be done twice: a batch without a usable response is sent again. Each POST must
   * then go to an object, whose id is the whole path, such as `1_2` or `me`: what is posted to an edge, such as `1/feed`
   * or `albums`, makes something. A batch of its own, in a parameter `batch`, may do the same.
   * @default true for a batch without a POST
   */
  readonly retry?: boolean | undefined;
}

/** A Result for each part, in the order of the parts. */
export type BatchResults<TParts extends readonly BatchPart[]> = {
  -readonly [TAt in keyof TParts]: Result<
    TParts[TAt] extends { readonly schema: StandardSchema<infer TOutput> } ? TOutput : unknown,
    RequestFailure
  >;
};

/** The platform accepts no more parts in one batch. */
const partsOfRequest = 50;

/**
 * Sends many requests in a few batches: up to 50 parts in each, one batch after the other. Each part counts as a call
 * against the platform's limits, and fails on its own: each has its own Result, in the order of the parts.
 *
 * A batch with a POST is sent again only if the platform refused it as a whole. A part that the platform did not finish
 * in time, or whose batch has no usable response, fails with `outcome: 'unknown'` unless it is a GET. Parts are not
 * retried.
 *
 * Fails with ConfigurationError when a part is not valid as written, when `retry` is `true` and a part posts to an
 * edge or holds a batch, and in login mode, whose host has no batches.
 *
 * Source: platform guide, Batch Requests.
 *
 * @example
 * const results = await batch(
 *   context,
 *   [
 *     { method: 'GET', path: 'me', params: { fields: ['id', 'name'] } },
 *     { method: 'POST', path: `${commentId}`, data: { is_hidden: true } },
 *   ],
 *   { token: pageToken },
 * );
 * if (results.isOk()) for (const part of results.value) console.log(part.isOk());
 */
export function batch<const TParts extends readonly BatchPart[]>(
  context: Context,
  parts: TParts,
  options: BatchOptions,
): ResultAsync<BatchResults<TParts>, ConfigurationError> {
  const checked = check(context, options, {
    token: rule.token,
    retry: rule.optional(rule.flag),
  }).andThen((options) =>
    checkParts(context, parts, options.retry === true).map((all) => ({ ...options, all })),
  );
  // One Result for each part, in order: a tuple, which `map` types as a list.
  return perform(context, 'batch', checked, sendAll) as ResultAsync<BatchResults<TParts>, never>;

  async function sendAll(
    call: Call,
    { all, retry }: BatchOptions & { readonly all: readonly BatchPart[] },
  ): Promise<Result<Result<unknown, RequestFailure>[], never>> {
    const results: Result<unknown, RequestFailure>[] = [];
    for (let at = 0; at < all.length; at += partsOfRequest) {
      const some = all.slice(at, at + partsOfRequest);
      const sent = await settled(sendSome(context, some, call, retry));
      results.push(
        ...some.map((part, index) =>
          readPart(context, { token: call.token, ...part }, sent, index).mapErr((failure) =>
            withCaller(failure, placeOfPart(context, part, call)),
          ),
        ),
      );
    }
    return ok(results);
  }
}

/** The call and the request that errors of a part name, as if it had been sent alone. */
function placeOfPart(
  { graphBase, secret }: Context,
  { method, path, token }: BatchPart,
  call: Call,
): Parameters<typeof withCaller>[1] {
  const redact = createRedact([call.token, token, secret]);
  return { ...call.trace.of, method, path: redact(pathOf(addressOf(graphBase, { path }))) };
}

async function sendSome(
  context: Context,
  parts: readonly BatchPart[],
  call: Call,
  retry: boolean | undefined,
): Promise<Sent> {
  const isRepeatable = retry ?? parts.every(({ method }) => method !== 'POST');
  return sendForResponse(context, {
    ...call,
    method: POST,
    path: '',
    form: {
      batch: JSON.stringify(await Promise.all(parts.map((part) => toWirePart(context, part)))),
      include_headers: false,
    },
    secrets: [
      ...parts.map((part) => part.token),
      ...secretsIn(parts.map(({ path, params, data }) => [path, params, data])),
    ],
    tokens: 'parts',
    maxResponseBytes: 2 ** 26,
    mayRepeat: isRepeatable ? undefined : afterRejection,
    schema: v.array(v.unknown()),
  });
}

/** The outcome of a whole batch. */
type Sent = Result<GraphResponse<readonly unknown[]>, RequestFailure>;

/** A part as it is sent to the platform. */
async function toWirePart(context: Context, part: BatchPart): Promise<Record<string, string>> {
  const { method, path, params, data } = part;
  const { secret } = context;
  const credentials = part.token !== undefined && {
    access_token: part.token,
    appsecret_proof: secret && (await sign(part.token, secret)),
  };
  return {
    method,
    relative_url: withQuery(relativeAddress(context, path), {
      ...(params && input.toParams(params)),
      ...credentials,
    }),
    ...(data && { body: toQuery(input.toParams(data)) }),
  };
}

const partSchema = v.looseObject({ code: v.number(), body: v.nullish(v.string(), '') });

function readPart(
  context: Context,
  { method, token, schema }: BatchPart,
  sent: Sent,
  index: number,
): Result<unknown, RequestFailure> {
  const isRead = method === 'GET';
  const outcome = isRead ? 'rejected' : 'unknown';
  if (sent.isErr()) return err(isRead ? withOutcome(sent.error, 'rejected') : sent.error);
  const { value, redact } = sent.value;
  const raw = value[index];
  if (raw === null || raw === undefined) {
    const message = 'the platform did not finish this part of the batch in time';
    return err(new TransportError('timeout', message, { outcome }));
  }
  const part = v.safeParse(partSchema, raw);
  if (!part.success) {
    const message = 'unexpected response: the part of a batch needs a code and a body';
    return err(new ApiError(message, { payload: redact(raw), outcome }));
  }
  const { code: status, body: text } = part.output;
  const known = { context, request: { method: POST, token }, redact, show: redact, isRead };
  // Parsed before it is masked: masking a secret that is encoded within a string would break the JSON.
  const parsed = readContent(text, token, 'all');
  return status > 199 && status < 300 && parsed.isJson && !hasError(parsed.body)
    ? parseResponse({ status, body: parsed.body }, schema ? input.readBy(schema) : v.unknown(), known)
    : err(readRefusal({ status, headers: new Headers(), ...parsed }, known).error);
}

/**
 * Whether a POST changes one object, so that doing it twice is doing it once. Its path is an id alone: what is posted to an
 * edge makes something, however that is spelled, and a name alone may be an edge of whose token it is.
 */
function changesOneObject(context: Context, path: string): boolean {
  let plain = relativeAddress(context, path).replace(/\?.*/s, '');
  try {
    // An escape may be escaped itself.
    for (let last = ''; last !== plain; plain = decodeURIComponent(plain)) last = plain;
  } catch {
    return false;
  }
  const [, name = ''] = /^\/*(?:v\d+\.\d+\/+)?([^/]*)\/*$/i.exec(plain) ?? [];
  return /^(?:me|(?:t_)?\d+(?:_\d+)*|m_[\w=-]+)$/.test(name);
}

/** Checks the parts of a batch, and returns copies of them. The error names a part by its index. */
function checkParts<TParts extends readonly BatchPart[]>(
  context: Context,
  parts: TParts,
  retry: boolean,
): Result<TParts, ConfigurationError> {
  if (context.mode === 'login') {
    return err(new ConfigurationError('batch works on the page graph only, not in login mode', 'context'));
  }
  return checkOptions({ parts }, { parts: partList }).andThen((checked) => {
    for (const [at, { path, method, params, data }] of checked.parts.entries()) {
      const holder = retry && method === 'POST' ? input.holderOfBatch({ path, params, data }) : undefined;
      if (holder !== undefined) {
        const nested = 'holds a batch, whose parts may publish: it cannot be part of a batch with retry';
        return err(toError(rule.faultOf(nested, 'parts', at, holder)));
      }
      const fault =
        isAbsolute(path) && !path.startsWith(`${context.platform.graphUrl}/`)
          ? 'must be a path, or an address of the platform'
          : retry && method === 'POST' && !changesOneObject(context, path)
            ? 'publishes, or makes something: only a POST to an object itself can be part of a batch with retry'
            : undefined;
      if (fault !== undefined) return err(toError(rule.faultOf(fault, 'parts', at, 'path')));
    }
    return ok(checked.parts);
  });
}

const partList = rule.listOf(
  rule.fields(
    {
      method: rule.oneOf('GET', 'POST', 'DELETE'),
      path: input.target,
      params: rule.optional(input.params),
      data: rule.optional(input.params),
      token: rule.optional(rule.token),
      schema: input.schemaRule,
    },
    ({ method, path, data, params: query }) => {
      if (input.hasOtherMethod(String(method), String(path), query))
        return rule.faultOf(`must not give a ${String(method)} another method`, 'params');
      return method === 'POST' || data === undefined
        ? undefined
        : rule.faultOf('goes with POST only', 'data');
    },
  ),
);

/** The address of a part, below the host of the batch. An absolute one includes its version. */
function relativeAddress({ platform }: Context, path: string): string {
  const below = isAbsolute(path) ? path.slice(platform.graphUrl.length) : path;
  return below.replace(/^\/+|#.*/gs, '');
}
