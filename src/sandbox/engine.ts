import { fieldsOf } from '../core/objects.ts';
import type { Platform } from '../core/platform.ts';
import { pickFault } from './faults.ts';
import {
  bodyFields,
  connectionLost,
  type Incoming,
  logOf,
  type RawResponse,
  readRequest,
  servedVersion,
  unreachable,
} from './http.ts';
import type { Node } from './nodes.ts';
import { countCall, usageHeaders } from './quotas.ts';
import {
  type Call,
  checkOwner,
  checkParams,
  checkScopes,
  checkTasks,
  checkTokenKind,
  isBeforeRetirement,
  type Method,
  type NodeRoute,
  type OpenCall,
  type PathRoute,
  type Route,
  targetOf,
} from './route.ts';
import { checkProof, demandToken, dialogResponse } from './tokens.ts';
import type { FaultRule } from './types.ts';
import { takeUpload } from './upload.ts';
import {
  envelope,
  invalid,
  missing,
  names,
  notEmulated,
  parsed,
  refusalOf,
  refuse,
  toJson,
} from './values.ts';
import { hasAccess, landDueWrites, type Log, randomText, type World } from './world.ts';

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

const bodiless = new Set([204, 205, 304]);

/** The response as `fetch` returns it. Redirects are not followed; `redirect: 'error'` rejects. */
function reply(request: Request, raw: RawResponse): Response {
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
function json(world: World, incoming: Incoming, status: number, body: unknown): RawResponse {
  const trace = randomText(world.random, 11);
  const traced = body !== null && typeof body === 'object' && 'error' in body ? withTrace(body, trace) : body;
  return toResponse(world, incoming, status, toJson(traced), 'application/json; charset=UTF-8', trace);
}

function withTrace(body: object & { readonly error: unknown }, trace: string): object {
  if (typeof body.error !== 'object' || body.error === null) return body;
  return { ...body, error: { ...body.error, fbtrace_id: trace } };
}

/** The response that a fault rule gives; without a body in the rule, the error page of a gateway. */
function plain(
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

function withHeaders(response: RawResponse, headers: Readonly<Record<string, string>>): RawResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

/**
 * Finds the route of a graph call, and checks its token and its proof. The function that it returns does the work,
 * synchronously, now or later.
 */
async function prepare(
  world: World,
  routes: readonly Route[],
  incoming: Incoming,
  platform: Platform,
): Promise<() => unknown> {
  const call = openCall(world, incoming, platform);
  const fixed = routes.find((route) => isAt(route, call, incoming.place.path));
  if (fixed !== undefined) {
    checkParams(call, fixed.params, fixed.required);
    if (call.params['access_token'] !== undefined) {
      const token = demandToken(world, call.params['access_token'], call.host);
      await checkProof(world, token, call.params);
      countCall({ ...call, token }, incoming);
    }
    return () => fixed.run(call);
  }
  if (isBatch(call)) {
    return prepareBatch(call, platform, (part) => prepare(world, routes, part, platform));
  }
  const isMulti = call.method === 'GET' && call.params['ids'] !== undefined && isBeforeRetirement(call);
  if (incoming.place.path === '/' && !isMulti) return rootCall(call);
  const token = demandToken(world, call.params['access_token'], call.host);
  await checkProof(world, token, call.params);
  const known: Call = { ...call, token, params: { ...call.params, access_token: token.value } };
  countCall(known, incoming, isMulti ? names(call.params['ids']).length : 1);
  if (incoming.place.path === '/') return () => several(routes, known, incoming);
  await announced(routes, known, incoming);
  return () => runRoute(routes, known, incoming);
}

/** Lets a route call the app back before it runs. A call that will be refused is refused here as well. */
async function announced(routes: readonly Route[], call: Call, incoming: Incoming): Promise<void> {
  const [head = '', edge] = segments(incoming.place.path);
  const node = call.world.nodes.get(head);
  if (node?.owners.includes(call.token.subjectId)) await routeOf(routes, call, node, edge)?.before?.(call);
}

/** `GET /?ids=a,b` reads several nodes at once. It fails if any of them cannot be read. */
function several(routes: readonly Route[], call: Call, incoming: Incoming): unknown {
  const { ids, ...params } = call.params;
  const read = (id: string): unknown =>
    runRoute(routes, { ...call, params }, { ...incoming, place: { ...incoming.place, path: `/${id}` } });
  return Object.fromEntries(names(ids).map((id) => [id, read(id)]));
}

/** Reads the state only when it runs: a late write acts on the world as it is when it lands. */
function runRoute(routes: readonly Route[], call: Call, incoming: Incoming): unknown {
  const [head = '', edge, ...more] = segments(incoming.place.path);
  // A single permission may be named in the path.
  const [permission, ...rest] =
    edge === 'permissions' && call.method === 'DELETE' ? more : [undefined, ...more];
  if (rest.length > 0) return unknownPath(`/${rest.join('/')}`);
  const node = nodeOf(call, head);
  const route = routeOf(routes, call, node, edge) ?? noRoute(routes, call, node, edge);
  const { tokens, scopes, tasks = [] } = route.access;
  const path = edge === undefined ? `/${node.id}` : `/${node.id}/${edge}`;
  const known: Call = { ...call, path, params: { ...call.params, ...(permission && { permission }) } };
  checkTokenKind(known, tokens);
  checkOwner(known, node);
  checkScopes(known, typeof scopes === 'function' ? scopes(known, node) : scopes, node);
  checkTasks(known, typeof tasks === 'function' ? tasks(known, node) : tasks);
  checkParams(known, route.params, route.required);
  const result = route.run(known, node);
  return call.method === 'GET' ? result : withFields(routes, known, result);
}

/** A write with `fields` returns those fields of what it created, next to the id. */
function withFields(routes: readonly Route[], call: Call, result: unknown): unknown {
  const { fields } = call.params;
  const { id } = fieldsOf(result);
  const made = typeof id === 'string' ? call.world.nodes.get(id) : undefined;
  if (fields === undefined || made === undefined) return result;
  const read: Call = { ...call, method: 'GET', path: `/${made.id}`, params: { fields } };
  const route = routeOf(routes, read, made, undefined);
  if (route === undefined) return result;
  try {
    return { ...fieldsOf(result), ...fieldsOf(route.run(read, made)) };
  } catch (thrown) {
    // The write has taken effect, so unknown fields are left out instead of refused.
    if (refusalOf(thrown) === undefined) throw thrown;
    return result;
  }
}

function openCall(world: World, incoming: Incoming, platform: Platform): OpenCall {
  const { request, place, query } = incoming;
  const body = request.method === 'GET' ? {} : bodyFields(incoming);
  const { method: override, ...params } = { ...bearerOf(request), ...query, ...body };
  return {
    world,
    platform,
    method:
      place.host === 'graph' ? overridden(request.method as Method, override) : (request.method as Method),
    host: place.host,
    version: servedVersion(place.version),
    path: place.path,
    params,
    query,
    body,
    headers: request.headers,
    files: incoming.files ?? {},
    fileNames: incoming.fileNames ?? {},
  };
}

/** On the page platform, a POST may name another method in a parameter, for clients that cannot send a DELETE. */
function overridden(method: Method, override = ''): Method {
  const wanted = override.toUpperCase();
  return method === 'POST' && (wanted === 'GET' || wanted === 'DELETE') ? wanted : method;
}

function segments(path: string): string[] {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return unknownPath(path);
  }
}

function isAt(route: Route, { method, host }: OpenCall, path: string): route is PathRoute {
  return 'path' in route && route.path === path && route.method === method && route.host === host;
}

/** Whether a route is below nodes, and at the host of a call. */
function isHere(route: Route, { host }: Call): route is NodeRoute {
  return 'edge' in route && route.access.hosts.includes(host);
}

/** The route of a node or of an edge below it. */
function routeOf(
  routes: readonly Route[],
  call: Call,
  { kind }: Node,
  edge: string | undefined,
): NodeRoute | undefined {
  return routes
    .filter((route) => isHere(route, call))
    .find((one) => one.kinds.includes(kind) && one.edge === (edge ?? '') && one.method === call.method);
}

function nodeOf(call: Call, head: string): Node {
  const id = head === 'me' ? call.token.subjectId : head;
  const node = head === 'me' && call.token.kind === 'app' ? undefined : call.world.nodes.get(id);
  const isSeen = node?.kind === 'page' || (node && hasAccess(call.world, call.token, node));
  if (node !== undefined && isSeen === true && !isBarred(call, node)) return node;
  if (head === 'me')
    return refuse(2500, 'An active access token must be used to query information about the current user.');
  if (/^[\d_]+$/.test(head) || head.length > 30) return missing(head, call.method);
  return refuse(803, `(#803) Some of the aliases you requested do not exist: ${head}`);
}

/** Whether the tuning keeps Page tokens from reading a container or media by its id. Lists still show it. */
function isBarred({ world, method, token }: Call, { kind }: Node): boolean {
  const isMedia = kind === 'picsContainer' || kind === 'picsMedia';
  return world.tuning.pics.barred && isMedia && method === 'GET' && token.kind === 'page';
}

function noRoute(routes: readonly Route[], call: Call, node: Node, edge: string | undefined): never {
  const here = routes.filter((route) => isHere(route, call)).filter((route) => route.edge === (edge ?? ''));
  if (edge === undefined || here.some(({ kinds }) => kinds.includes(node.kind))) {
    return missing(node.id, call.method);
  }
  if (here.length === 0) return notEmulated(`${call.method} /{${node.kind}}/${edge}`, 2500);
  return invalid(
    `Tried accessing nonexisting field (${edge}) on node type (${node.kind.replace(/^./, (first) => first.toUpperCase())})`,
  );
}

function unknownPath(path: string): never {
  return refuse(2500, `Unknown path components: ${path}`);
}

/** A batch is sent to the root or to `me`, and cannot be nested. */
function isBatch({ method, host, path, params }: OpenCall): boolean {
  return (
    method === 'POST' && host === 'graph' && (path === '/' || path === '/me') && params['batch'] !== undefined
  );
}

function rootCall(call: OpenCall): never {
  checkParams(call, [], undefined);
  return refuse(100, '(#100) Unsupported request', { type: 'GraphMethodException' });
}

/** A token may also come in the `Authorization` header. */
function bearerOf({ headers }: Request): Readonly<Record<string, string>> {
  const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
  return token === undefined ? {} : { access_token: token };
}

const mostParts = 50;

/** Reads a single request. The function that it returns runs it. */
type Prepare = (incoming: Incoming) => Promise<() => unknown>;

/** A part of a batch, as the caller sent it. */
interface Part {
  readonly method?: unknown;
  readonly relative_url?: unknown;
  readonly body?: unknown;
}

/** The response to one part. */
interface PartResponse {
  readonly code: number;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** Runs the parts of a batch, each as a separate request. A part without a token uses that of the batch. */
async function prepareBatch(call: OpenCall, platform: Platform, prepare: Prepare): Promise<() => unknown> {
  const { world, params } = call;
  const token = demandToken(world, params['access_token'], call.host);
  await checkProof(world, token, params);
  const parts = partsOf(params['batch'] ?? '');
  const withHeaders = params['include_headers'] !== 'false';
  const credentials = { access_token: token.value, appsecret_proof: params['appsecret_proof'] };
  const { finishes = parts.length, lands } = world.tuning.batch;
  // One after another: whether a part is refused, for a quota for example, depends on the parts before it.
  const prepared: Awaited<ReturnType<typeof preparePart>>[] = [];
  for (const part of parts) prepared.push(await preparePart(world, part, platform, credentials, prepare));
  return () =>
    prepared.map((run, at) => {
      if (at < finishes) return run(withHeaders);
      if (lands) run(withHeaders);
      return null;
    });
}

function partsOf(text: string): readonly Part[] {
  const parts = parsed(text);
  if (!Array.isArray(parts)) return invalid('Param batch must be an array');
  if (parts.length > mostParts) {
    return invalid(`Too many requests in batch message. Maximum batch size is ${mostParts}`);
  }
  return parts.map(fieldsOf);
}

async function preparePart(
  world: World,
  { method, relative_url, body }: Part,
  platform: Platform,
  credentials: Readonly<Record<string, string | undefined>>,
  prepare: Prepare,
): Promise<(withHeaders: boolean) => PartResponse> {
  const relative = (typeof relative_url === 'string' ? relative_url : '').replace(/^\/+/, '');
  const url = new URL(`${platform.graphUrl}/${/^v\d+\.\d+(\/|$)/.test(relative) ? '' : 'v26.0/'}${relative}`);
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  if (!url.searchParams.has('access_token') && !fields.has('access_token')) {
    for (const [name, value] of Object.entries(credentials))
      if (value !== undefined) url.searchParams.set(name, value);
  }
  // The platform has no batches within batches.
  url.searchParams.delete('batch');
  fields.delete('batch');
  const isPost = method === 'POST';
  const form = isPost && typeof body === 'string' ? fields : null;
  const request = new Request(url, {
    method: isPost || method === 'DELETE' ? method : 'GET',
    ...(form && { body: form }),
  });
  const incoming = (await readRequest(request, platform)) as Incoming;
  try {
    const run = await prepare(incoming);
    return (withHeaders) => {
      try {
        const result = run();
        return targetOf(result) === undefined
          ? toPart(world, incoming, 200, result, withHeaders)
          : toPart(world, incoming, 302, {}, withHeaders, { location: targetOf(result) ?? '' });
      } catch (thrown) {
        return refusedPart(world, incoming, thrown, withHeaders);
      }
    };
  } catch (thrown) {
    return (withHeaders) => refusedPart(world, incoming, thrown, withHeaders);
  }
}

function refusedPart(world: World, incoming: Incoming, thrown: unknown, withHeaders: boolean): PartResponse {
  const refusal = refusalOf(thrown);
  if (refusal === undefined) throw thrown;
  return toPart(world, incoming, refusal.status, refusal.body, withHeaders);
}

function toPart(
  world: World,
  incoming: Incoming,
  status: number,
  value: unknown,
  withHeaders: boolean,
  more: Readonly<Record<string, string>> = {},
): PartResponse {
  const { body, headers } = json(world, incoming, status, value);
  const listed = Object.entries({ ...headers, ...more }).map(([name, text]) => ({ name, value: text }));
  return { code: status, ...(withHeaders && { headers: listed }), body };
}
