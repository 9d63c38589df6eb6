import type { Platform } from '../core/platform.ts';
import { json, plain, withHeaders } from './answers.ts';
import { dialogAnswer } from './auth/dialog.ts';
import { prepare } from './dispatch.ts';
import { envelope, invalid, refusalOf } from './errors.ts';
import { connectionLost, pickFault, unreachable } from './faults.ts';
import { logOf, readRequest, type Incoming } from './http.ts';
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
  settle(world);
  const log = logOf(world, incoming);
  world.requests.push(log);
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
    if (host === 'upload') return json(world, incoming, 200, await takeUpload(world, incoming, cutAfter));
    if (!['GET', 'POST', 'DELETE'].includes(incoming.request.method)) return invalid('Unsupported method');
    const run = await prepare(world, routes, incoming, platform);
    return json(world, incoming, 200, run());
  } catch (thrown) {
    return refused(exchange, thrown);
  }
}

function refused(exchange: Exchange, thrown: unknown): Answer {
  const refusal = refusalOf(thrown);
  if (refusal === undefined) throw thrown;
  return json(exchange.world, exchange.incoming, refusal.status, refusal.body);
}

async function strike(exchange: Exchange, rule: FaultRule): Promise<Answer> {
  if ('cutUpload' in rule) return act(exchange, rule.cutUpload);
  if ('truncate' in rule) return { ...(await act(exchange)), truncate: rule.truncate };
  if ('addHeaders' in rule) return withHeaders(await act(exchange), rule.addHeaders);
  if ('delayMs' in rule) {
    if (rule.when === 'after') return late(await act(exchange), rule.delayMs);
    await pause(rule.delayMs);
    return act(exchange);
  }
  if (rule.when === 'after') await land(exchange);
  if ('drop' in rule) throw connectionLost();
  if ('hang' in rule) return new Promise<never>(() => undefined);
  if ('error' in rule) {
    return withHeaders(
      json(exchange.world, exchange.incoming, rule.status ?? 400, envelope(rule.error)),
      rule.headers ?? {},
    );
  }
  return withHeaders(plain(exchange.world, exchange.incoming, rule.status, rule.body), rule.headers ?? {});
}

/** The effect whose answer is about to be lost: at once, or as late as `tune` says. */
async function land(exchange: Exchange): Promise<void> {
  const { world, routes, incoming, platform } = exchange;
  const { landAfterMs } = world.tuning.writes;
  const graph = incoming.place.host === 'graph' || incoming.place.host === 'picsGraph';
  if (landAfterMs === 0 || incoming.request.method === 'GET' || !graph) {
    await act(exchange);
    return;
  }
  try {
    const run = await prepare(world, routes, incoming, platform);
    world.late.push({ due: world.now() + landAfterMs, run: () => quietly(run) });
  } catch (thrown) {
    refused(exchange, thrown);
  }
}

/** A write that lands late has nobody left to refuse to. */
function quietly(run: () => unknown): void {
  try {
    run();
  } catch (thrown) {
    if (refusalOf(thrown) === undefined) throw thrown;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

async function late(answer: Answer, ms: number): Promise<Answer> {
  await pause(ms);
  return answer;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
