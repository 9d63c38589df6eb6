import { servedVersion } from './hosts.ts';
import type { Incoming } from './http.ts';
import { toJson } from './json.ts';
import { usageHeaders } from './quotas.ts';
import { randomText } from './random.ts';
import type { RawResponse } from './reply.ts';
import type { World } from './world.ts';

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

/** The response that a fault makes up: without a body of its own, the error page of a gateway. */
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
