import { connectionLost } from './faults.ts';
import { servedVersion } from './hosts.ts';
import type { Incoming } from './http.ts';
import { toJson } from './json.ts';
import { usageHeaders } from './quotas.ts';
import { randomText } from './random.ts';
import type { World } from './world.ts';

/** A response before it is sent. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the body that arrive before the connection is lost. */
  readonly truncate?: number;
}

const bodiless = new Set([204, 205, 304]);

/** The response as `fetch` returns it. Redirects are not followed; `redirect: 'error'` rejects. */
export function reply(request: Request, raw: RawResponse): Response {
  const isRedirect = raw.status >= 300 && raw.status < 400 && raw.status !== 304;
  if (isRedirect && request.redirect === 'error') {
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  }
  const bytes = new TextEncoder().encode(raw.body);
  const bare = bodiless.has(raw.status);
  const headers = new Headers(raw.headers);
  if (!bare) headers.set('content-length', String(bytes.length));
  const body = raw.truncate === undefined ? bytes : cutStream(bytes.subarray(0, raw.truncate));
  const response = new Response(bare ? null : body, { status: raw.status, headers });
  return Object.defineProperty(response, 'url', { value: request.url });
}

function cutStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes);
    },
    pull: (controller) => controller.error(connectionLost()),
  });
}

/** A JSON response. An error gets its trace id. */
export function json(world: World, incoming: Incoming, status: number, body: unknown): RawResponse {
  const trace = randomText(world.random, 11);
  const traced = body !== null && typeof body === 'object' && 'error' in body ? withTrace(body, trace) : body;
  return toResponse(world, incoming, status, toJson(traced), 'application/json; charset=UTF-8', trace);
}

function withTrace(body: object & { readonly error: unknown }, trace: string): object {
  if (typeof body.error !== 'object' || body.error === null) return body;
  return { ...body, error: { ...body.error, fbtrace_id: trace } };
}

/** The response that a fault rule gives; without a body in the rule, the error page of a gateway. */
export function plain(
  world: World,
  incoming: Incoming,
  status: number,
  body: string | object | undefined,
): RawResponse {
  if (typeof body === 'object') return json(world, incoming, status, body);
  const text =
    body ?? `<html><head><title>${status}</title></head><body>Sorry, something went wrong.</body></html>`;
  const type = /^\s*[[{]/.test(text) ? 'application/json; charset=UTF-8' : 'text/html; charset=utf-8';
  return toResponse(world, incoming, status, text, type, randomText(world.random, 11));
}

function toResponse(
  world: World,
  incoming: Incoming,
  status: number,
  body: string,
  type: string,
  trace: string,
): RawResponse {
  return {
    status,
    body,
    headers: {
      'content-type': type,
      date: new Date(world.now()).toUTCString(),
      'facebook-api-version': servedVersion(incoming.place.version),
      'x-fb-trace-id': trace,
      ...usageHeaders(world, incoming),
    },
  };
}

export function withHeaders(response: RawResponse, headers: Readonly<Record<string, string>>): RawResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}
