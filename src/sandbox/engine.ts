import type { Platform } from '../core/platform.ts';
import { dialogResponse } from './auth/dialog.ts';
import { prepare } from './dispatch.ts';
import { envelope, invalid, refusalOf } from './errors.ts';
import { connectionLost, pickFault, unreachable } from './faults.ts';
import { logOf, readRequest, type Incoming } from './http.ts';
import { reply, type RawResponse, json, plain, withHeaders } from './responses.ts';
import { targetOf, type Route } from './route.ts';
import type { FaultRule } from './types.ts';
import { takeUpload } from './upload/take.ts';
import { landDueWrites, type Log, type World } from './world.ts';

/** Responds to one request, or rejects as `fetch` does when the connection is lost. */
export async function handle(
  world: World,
  routes: readonly Route[],
  request: Request,
  platform: Platform,
): Promise<Response> {
  if (request.signal.aborted) throw request.signal.reason;
  if (world.closed) throw connectionLost();
  return new Promise((resolve, reject) => {
    const cut = (): void => reject(connectionLost());
    const abort = (): void => reject(request.signal.reason);
    const done = (): void => {
      world.inProgress.delete(cut);
      request.signal.removeEventListener('abort', abort);
    };
    world.inProgress.add(cut);
    request.signal.addEventListener('abort', abort);
    void respond(world, routes, request, platform).then(resolve, reject).finally(done);
  });
}

async function respond(
  world: World,
  routes: readonly Route[],
  request: Request,
  platform: Platform,
): Promise<Response> {
  const incoming = await readRequest(request, platform);
  if (incoming === undefined) throw unreachable(new URL(request.url).host);
  landDueWrites(world);
  const { log, size } = logOf(world, incoming);
  keepRequest(world, log, size);
  const rule = pickFault(world, request.method, incoming.place);
  log.faulted = rule !== undefined;
  const exchange: Exchange = { world, routes, incoming, platform };
  const response = await (rule === undefined ? perform(exchange) : applyFault(exchange, rule));
  log.status = response.status;
  return reply(request, response);
}

const mostRequests = 11_000;
const mostLogged = 16_777_216;

/** Keeps only the newest requests, so that a sandbox that runs for days does not grow without bound. */
function keepRequest(world: World, log: Log, size: number): void {
  const { requests, logged } = world;
  world.served += 1;
  requests.push(log);
  logged.sizes.push(size);
  logged.total += size;
  let gone = requests.length >= mostRequests ? 1000 : 0;
  let total = logged.total - sumOf(logged.sizes.slice(0, gone));
  // The newest one is kept whatever its size: logged bodies have their own limit.
  for (; total > mostLogged && gone < requests.length - 1; gone += 1) total -= logged.sizes[gone] ?? 0;
  requests.splice(0, gone);
  logged.sizes.splice(0, gone);
  logged.total = total;
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

interface Exchange {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly incoming: Incoming;
  readonly platform: Platform;
}

/** Runs the request, without any fault. */
async function perform(exchange: Exchange, cutAfter?: number): Promise<RawResponse> {
  const { world, routes, incoming, platform } = exchange;
  const { host } = incoming.place;
  try {
    if (incoming.unreadable !== undefined) throw incoming.unreadable;
    if (host === 'dialog') return dialogResponse(world, incoming);
    if (host === 'upload') return json(world, incoming, 200, await takeUpload(world, incoming, cutAfter));
    if (!['GET', 'POST', 'DELETE'].includes(incoming.request.method)) return invalid('Unsupported method');
    const run = await prepare(world, routes, incoming, platform);
    const result = run();
    const target = targetOf(result);
    const response = json(
      world,
      incoming,
      target === undefined ? 200 : 302,
      target === undefined ? result : {},
    );
    return target === undefined ? response : { ...withHeaders(response, { location: target }), body: '' };
  } catch (thrown) {
    return refused(exchange, thrown);
  }
}

function refused(exchange: Exchange, thrown: unknown): RawResponse {
  const refusal = refusalOf(thrown);
  if (refusal === undefined) throw thrown;
  return json(exchange.world, exchange.incoming, refusal.status, refusal.body);
}

async function applyFault(exchange: Exchange, rule: FaultRule): Promise<RawResponse> {
  if (rule.cutUpload !== undefined) return perform(exchange, rule.cutUpload);
  if (rule.truncate !== undefined) return { ...(await perform(exchange)), truncate: rule.truncate };
  if (rule.addHeaders !== undefined) return withHeaders(await perform(exchange), rule.addHeaders);
  if (rule.delayMs !== undefined) {
    if (rule.when === 'after') return delayed(await perform(exchange), rule.delayMs);
    await pause(rule.delayMs);
    return perform(exchange);
  }
  if (rule.when === 'after') await takeEffect(exchange);
  if (rule.drop !== undefined) throw connectionLost();
  if (rule.hang !== undefined) return new Promise<never>(() => undefined);
  if (rule.error !== undefined) {
    return withHeaders(
      json(exchange.world, exchange.incoming, rule.status ?? 400, envelope(rule.error)),
      rule.headers ?? {},
    );
  }
  return withHeaders(plain(exchange.world, exchange.incoming, rule.status, rule.body), rule.headers ?? {});
}

/** Lets a write whose response is lost take effect: now, or after the delay that `tune` sets. */
async function takeEffect(exchange: Exchange): Promise<void> {
  const { world, routes, incoming, platform } = exchange;
  const { landAfterMs } = world.tuning.writes;
  const graph = incoming.place.host === 'graph' || incoming.place.host === 'picsGraph';
  if (landAfterMs === 0 || incoming.request.method === 'GET' || !graph) {
    await perform(exchange);
    return;
  }
  try {
    const run = await prepare(world, routes, incoming, platform);
    world.late.push({ due: world.now() + landAfterMs, run: () => runLate(run) });
  } catch (thrown) {
    refused(exchange, thrown);
  }
}

/** Runs a late write. If it is refused, no response can report that any more. */
function runLate(run: () => unknown): void {
  try {
    run();
  } catch (thrown) {
    if (refusalOf(thrown) === undefined) throw thrown;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

async function delayed(response: RawResponse, ms: number): Promise<RawResponse> {
  await pause(ms);
  return response;
}
