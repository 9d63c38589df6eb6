import { servedVersion } from './hosts.ts';
import type { Incoming } from './http.ts';
import { toJson } from './json.ts';
import { randomText } from './random.ts';
import type { Answer } from './reply.ts';
import type { World } from './world.ts';

/** An answer as JSON; an error gets its trace id. */
export function json(world: World, incoming: Incoming, status: number, body: unknown): Answer {
  const trace = randomText(world.random, 11);
  const traced = body !== null && typeof body === 'object' && 'error' in body ? withTrace(body, trace) : body;
  return answerOf(world, incoming, status, toJson(traced), 'application/json; charset=UTF-8', trace);
}

function withTrace(body: object & { readonly error: unknown }, trace: string): object {
  if (typeof body.error !== 'object' || body.error === null) return body;
  return { ...body, error: { ...body.error, fbtrace_id: trace } };
}

/** An answer made up by a fault: a gateway's page unless told otherwise. */
export function plain(
  world: World,
  incoming: Incoming,
  status: number,
  body: string | object | undefined,
): Answer {
  if (typeof body === 'object') return json(world, incoming, status, body);
  const text =
    body ?? `<html><head><title>${status}</title></head><body>Sorry, something went wrong.</body></html>`;
  const type = /^\s*[[{]/.test(text) ? 'application/json; charset=UTF-8' : 'text/html; charset=utf-8';
  return answerOf(world, incoming, status, text, type, randomText(world.random, 11));
}

function answerOf(
  world: World,
  incoming: Incoming,
  status: number,
  body: string,
  type: string,
  trace: string,
): Answer {
  return {
    status,
    body,
    headers: {
      'content-type': type,
      date: new Date(world.now()).toUTCString(),
      'facebook-api-version': servedVersion(incoming.place.version),
      'x-fb-trace-id': trace,
    },
  };
}

export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
