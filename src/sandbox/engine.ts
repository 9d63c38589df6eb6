import type { Platform } from '../core/platform.ts';
import { dialogAnswer } from './auth/dialog.ts';
import { prepare } from './dispatch.ts';
import { envelope, invalid, refusalOf } from './errors.ts';
import { connectionLost, pickFault, unreachable } from './faults.ts';
import { servedVersion } from './hosts.ts';
import { logOf, readRequest, type Incoming } from './http.ts';
import { toJson } from './json.ts';
import { randomText } from './random.ts';
import { reply, type Answer } from './reply.ts';
import type { Route } from './route.ts';
import type { FaultRule } from './types.ts';
import { takeUpload } from './upload/take.ts';
import { settle, type World } from './world.ts';

/** Answers one request, or rejects as `fetch` does when the connection is lost. */
export async function handle(
  world: World,
  routes: readonly Route[],
  request: Request,
  platform: Platform,
): Promise<Response> {
  if (request.signal.aborted) throw request.signal.reason;
  return Promise.race([answerRequest(world, routes, request, platform), abortOf(request.signal)]);
}

async function answerRequest(
  world: World,
  routes: readonly Route[],
  request: Request,
  platform: Platform,
): Promise<Response> {
  const incoming = await readRequest(request, platform);
  if (incoming === undefined) throw unreachable(new URL(request.url).host);
  void settle(world);
  const log = logOf(world, incoming);
  void world.requests.push(log);
  const rule = pickFault(world, request.method, incoming.place);
  log.faulted = rule !== undefined;
  const exchange: Exchange = { world, routes, incoming, platform };
  const answer = await (rule === undefined ? act(exchange) : strike(exchange, rule));
  log.status = answer.status;
  return reply(request, answer);
}

interface Exchange {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly incoming: Incoming;
  readonly platform: Platform;
}

/** What the platform answers when nothing goes wrong on the way. */
async function act(exchange: Exchange, cutAfter?: number): Promise<Answer> {
  const { world, routes, incoming, platform } = exchange;
  const { host } = incoming.place;
  try {
    if (host === 'dialog') return dialogAnswer(world, incoming);
    if (host === 'upload') return json(exchange, 200, await takeUpload(world, incoming, cutAfter));
    if (!['GET', 'POST', 'DELETE'].includes(incoming.request.method)) return invalid('Unsupported method');
    const run = await prepare(world, routes, incoming, platform);
    return json(exchange, 200, run());
  } catch (thrown) {
    return refused(exchange, thrown);
  }
}

function refused(exchange: Exchange, thrown: unknown): Answer {
  const refusal = refusalOf(thrown);
  if (refusal === undefined) throw thrown;
  return json(exchange, refusal.status, refusal.body);
}

async function strike(exchange: Exchange, rule: FaultRule): Promise<Answer> {
  if ('cutUpload' in rule) return act(exchange, rule.cutUpload);
  if ('truncate' in rule) return { ...(await act(exchange)), truncate: rule.truncate };
  if ('addHeaders' in rule) return withHeaders(await act(exchange), rule.addHeaders);
  if ('delayMs' in rule) {
    if (rule.when === 'after') return late(await act(exchange), rule.delayMs);
    void (await pause(rule.delayMs));
    return act(exchange);
  }
  if (rule.when === 'after') void (await land(exchange));
  if ('drop' in rule) throw connectionLost();
  if ('hang' in rule) return new Promise<never>(() => undefined);
  if ('error' in rule) {
    return withHeaders(json(exchange, rule.status ?? 400, envelope(rule.error)), rule.headers ?? {});
  }
  return withHeaders(plain(exchange, rule.status, rule.body), rule.headers ?? {});
}

/** The effect whose answer is about to be lost: at once, or as late as `tune` says. */
async function land(exchange: Exchange): Promise<void> {
  const { world, routes, incoming, platform } = exchange;
  const { landAfterMs } = world.tuning.writes;
  const graph = incoming.place.host === 'graph' || incoming.place.host === 'picsGraph';
  if (landAfterMs === 0 || incoming.request.method === 'GET' || !graph) {
    void (await act(exchange));
    return;
  }
  try {
    const run = await prepare(world, routes, incoming, platform);
    void world.late.push({ due: world.now() + landAfterMs, run: () => quietly(run) });
  } catch (thrown) {
    void refused(exchange, thrown);
  }
}

/** A write that lands late has nobody left to refuse to. */
function quietly(run: () => unknown): void {
  try {
    void run();
  } catch (thrown) {
    if (refusalOf(thrown) === undefined) throw thrown;
  }
}

function json(exchange: Exchange, status: number, body: unknown): Answer {
  const trace = randomText(exchange.world.random, 11);
  const traced = body !== null && typeof body === 'object' && 'error' in body ? withTrace(body, trace) : body;
  return answerOf(exchange, status, toJson(traced), 'application/json; charset=UTF-8', trace);
}

function withTrace(body: object & { readonly error: unknown }, trace: string): object {
  if (typeof body.error !== 'object' || body.error === null) return body;
  return { ...body, error: { ...body.error, fbtrace_id: trace } };
}

function plain(exchange: Exchange, status: number, body: string | object | undefined): Answer {
  if (typeof body === 'object') return json(exchange, status, body);
  const text =
    body ?? `<html><head><title>${status}</title></head><body>Sorry, something went wrong.</body></html>`;
  const type = /^\s*[[{]/.test(text) ? 'application/json; charset=UTF-8' : 'text/html; charset=utf-8';
  return answerOf(exchange, status, text, type, randomText(exchange.world.random, 11));
}

function answerOf(exchange: Exchange, status: number, body: string, type: string, trace: string): Answer {
  return {
    status,
    body,
    headers: {
      'content-type': type,
      date: new Date(exchange.world.now()).toUTCString(),
      'facebook-api-version': servedVersion(exchange.incoming.place.version),
      'x-fb-trace-id': trace,
    },
  };
}

function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

async function late(answer: Answer, ms: number): Promise<Answer> {
  void (await pause(ms));
  return answer;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    void signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
