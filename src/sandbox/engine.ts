import { fieldsOf } from '../core/objects.ts';
import type { Platform } from '../core/platform.ts';
import { pickFault } from './faults.ts';
import * as http from './http.ts';
import type { Node } from './nodes.ts';
import { countCall, usageHeaders } from './quotas.ts';
import * as route from './route.ts';
import type { Call, Method, NodeRoute, OpenCall, PathRoute, Route } from './route.ts';
import { checkProof, demandToken, dialogResponse } from './tokens.ts';
import type { FaultRule } from './types.ts';
import { takeUpload } from './upload.ts';
import * as v from './values.ts';
import { hasAccess, landDueWrites, type Log, randomText, type World } from './world.ts';

/** A sandbox, at the addresses that a caller uses. */
interface Server {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly platform: Platform;
}

/** A request, and the sandbox that it reached. */
interface Exchange extends Server {
  readonly incoming: http.Incoming;
}

/** Responds to one request, or rejects as `fetch` does when the connection is lost. */
export async function handle(server: Server, request: Request): Promise<Response> {
  const { closed, inProgress } = server.world;
  if (request.signal.aborted) throw request.signal.reason;
  if (closed) throw http.connectionLost();
  return new Promise((resolve, reject) => {
    const cut = (): void => reject(http.connectionLost());
    const abort = (): void => reject(request.signal.reason);
    const done = (): void => {
      inProgress.delete(cut);
      request.signal.removeEventListener('abort', abort);
    };
    inProgress.add(cut);
    request.signal.addEventListener('abort', abort);
    void respond(server, request).then(resolve, reject).finally(done);
  });
}

async function respond(server: Server, request: Request): Promise<Response> {
  const { world, platform } = server;
  const incoming = await http.readRequest(request, platform);
  if (incoming === undefined) throw http.unreachable(new URL(request.url).host);
  landDueWrites(world);
  const { log, size } = http.logOf(world, incoming);
  keepRequest(world, log, size);
  const rule = pickFault(world, request.method, incoming.place);
  log.faulted = rule !== undefined;
  const exchange: Exchange = { ...server, incoming };
  const response = await (rule === undefined ? perform(exchange) : applyFault(exchange, rule));
  log.status = response.status;
  return reply(request, response);
}

const maxRequests = 11_000;
const maxLogged = 16_777_216;

/** Keeps only the newest requests, so that a sandbox that runs for days does not grow without bound. */
function keepRequest(world: World, log: Log, size: number): void {
  const { requests, logged } = world;
  world.served += 1;
  requests.push(log);
  logged.sizes.push(size);
  logged.total += size;
  let gone = requests.length >= maxRequests ? 1000 : 0;
  let total = logged.total - logged.sizes.slice(0, gone).reduce((sum, one) => sum + one, 0);
  // The newest one is kept whatever its size: logged bodies have their own limit.
  for (; total > maxLogged && gone < requests.length - 1; gone += 1) total -= logged.sizes[gone] ?? 0;
  requests.splice(0, gone);
  logged.sizes.splice(0, gone);
  logged.total = total;
}

/** Runs the request, without any fault. */
async function perform(exchange: Exchange, cutAfter?: number): Promise<http.RawResponse> {
  const { world, incoming } = exchange;
  const { host } = incoming.place;
  try {
    if (incoming.unreadable !== undefined) throw incoming.unreadable;
    if (host === 'dialog') return dialogResponse(world, incoming);
    if (host === 'upload') return json(exchange, 200, await takeUpload(world, incoming, cutAfter));
    if (!['GET', 'POST', 'DELETE'].includes(incoming.request.method)) return v.invalid('Unsupported method');
    const response = attempt(exchange, await prepare(exchange));
    return response.status === 302 ? { ...response, body: '' } : response;
  } catch (thrown) {
    return refused(exchange, thrown);
  }
}

/** The response to a request that is prepared: what it returns, or where it leads. */
function attempt(exchange: Exchange, run: () => unknown): http.RawResponse {
  try {
    const result = run();
    const location = route.targetOf(result);
    return location === undefined
      ? json(exchange, 200, result)
      : withHeaders(json(exchange, 302, {}), { location });
  } catch (thrown) {
    return refused(exchange, thrown);
  }
}

function refused(exchange: Exchange, thrown: unknown): http.RawResponse {
  const refusal = v.refusalOf(thrown);
  if (refusal === undefined) throw thrown;
  return json(exchange, refusal.status, refusal.body);
}

async function applyFault(exchange: Exchange, rule: FaultRule): Promise<http.RawResponse> {
  if (rule.cutUpload !== undefined) return perform(exchange, rule.cutUpload);
  if (rule.truncate !== undefined) return { ...(await perform(exchange)), truncate: rule.truncate };
  if (rule.addHeaders !== undefined) return withHeaders(await perform(exchange), rule.addHeaders);
  if (rule.delayMs !== undefined) {
    const early = rule.when === 'after' ? await perform(exchange) : undefined;
    await http.pause(rule.delayMs);
    return early ?? perform(exchange);
  }
  if (rule.when === 'after') await takeEffect(exchange);
  if (rule.drop !== undefined) throw http.connectionLost();
  if (rule.hang !== undefined) return new Promise<never>(() => undefined);
  const { error, status, body, headers = {} } = rule;
  const response =
    error === undefined ? plain(exchange, status, body) : json(exchange, status ?? 400, v.envelope(error));
  return withHeaders(response, headers);
}

/** Lets a write whose response is lost take effect: now, or after the delay that `tune` sets. */
async function takeEffect(exchange: Exchange): Promise<void> {
  const { world, incoming } = exchange;
  const { landAfterMs } = world.tuning.writes;
  const graph = incoming.place.host === 'graph' || incoming.place.host === 'picsGraph';
  if (landAfterMs === 0 || incoming.request.method === 'GET' || !graph) {
    await perform(exchange);
    return;
  }
  try {
    const run = await prepare(exchange);
    // If it is refused when it lands, no response can report that any more.
    world.late.push({ due: world.now() + landAfterMs, run: () => attempt(exchange, run) });
  } catch (thrown) {
    refused(exchange, thrown);
  }
}

const bodiless = new Set([204, 205, 304]);

/** The response as `fetch` returns it. Redirects are not followed; `redirect: 'error'` rejects. */
function reply(request: Request, raw: http.RawResponse): Response {
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
    pull: (controller) => controller.error(http.connectionLost()),
  });
}

/** A JSON response. An error gets its trace id. */
function json(exchange: Exchange, status: number, body: unknown): http.RawResponse {
  const trace = randomText(exchange.world.random, 11);
  const traced = body !== null && typeof body === 'object' && 'error' in body ? withTrace(body, trace) : body;
  return toResponse(exchange, status, v.toJson(traced), 'application/json; charset=UTF-8', trace);
}

function withTrace(body: object & { readonly error: unknown }, trace: string): object {
  if (typeof body.error !== 'object' || body.error === null) return body;
  return { ...body, error: { ...body.error, fbtrace_id: trace } };
}

/** The response that a fault rule gives; without a body in the rule, the error page of a gateway. */
function plain(exchange: Exchange, status: number, body: FaultRule['body']): http.RawResponse {
  if (typeof body === 'object') return json(exchange, status, body);
  const text =
    body ?? `<html><head><title>${status}</title></head><body>Sorry, something went wrong.</body></html>`;
  const type = /^\s*[[{]/.test(text) ? 'application/json; charset=UTF-8' : 'text/html; charset=utf-8';
  return toResponse(exchange, status, text, type, randomText(exchange.world.random, 11));
}

function toResponse(
  { world, incoming }: Exchange,
  status: number,
  body: string,
  type: string,
  trace: string,
): http.RawResponse {
  const version = http.servedVersion(incoming.place.version, world.now());
  const headers = {
    'content-type': type,
    date: new Date(world.now()).toUTCString(),
    'facebook-api-version': version,
    ...versionWarning(version),
    'x-fb-trace-id': trace,
    ...usageHeaders(world, incoming),
  };
  return { status, body, headers };
}

/** Versions that the platform warns about. The live header's text is not recorded. */
function versionWarning(version: string): http.RawResponse['headers'] {
  return /^v2[1-3]\./.test(version)
    ? {
        'x-ad-api-version-warning': `The call has been made to version ${version}, which will be deprecated.`,
      }
    : {};
}

function withHeaders(response: http.RawResponse, headers: http.RawResponse['headers']): http.RawResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

/**
 * Finds the route of a graph call, and checks its token and its proof. The function that it returns does the work,
 * synchronously, now or later.
 */
async function prepare(exchange: Exchange): Promise<() => unknown> {
  const { world, routes, incoming } = exchange;
  const call = openCall(exchange);
  const fixed = routes.find((one) => isAt(one, call));
  if (fixed !== undefined) {
    route.checkParams(call, fixed.params, fixed.required);
    if (call.params['access_token'] !== undefined) {
      const token = demandToken(world, call.params['access_token'], call.host);
      checkProof(world, token, call.params);
      countCall({ ...call, token }, incoming);
    }
    return () => fixed.run(call);
  }
  if (isBatch(call)) return prepareBatch(exchange, call);
  const isMulti = call.method === 'GET' && call.params['ids'] !== undefined && route.isBeforeRetirement(call);
  if (call.path === '/' && !isMulti) return rootCall(call);
  const token = demandToken(world, call.params['access_token'], call.host);
  checkProof(world, token, call.params);
  const known: Call = { ...call, token, params: { ...call.params, access_token: token.value } };
  countCall(known, incoming, isMulti ? v.names(call.params['ids']).length : 1);
  if (call.path === '/') return () => several(routes, known);
  await announced(routes, known);
  return () => runRoute(routes, known);
}

/** Lets a route call the app back before it runs. A call that will be refused is refused here as well. */
async function announced(routes: readonly Route[], call: Call): Promise<void> {
  const [head = '', edge] = segments(call.path);
  const node = call.world.nodes.get(head);
  if (node?.owners.includes(call.token.subjectId)) await routeOf(routes, call, node, edge)?.before?.(call);
}

/** `GET /?ids=a,b` reads several nodes at once. It fails if any of them cannot be read. */
function several(routes: readonly Route[], call: Call): unknown {
  const { ids, ...params } = call.params;
  const read = (id: string): unknown => runRoute(routes, { ...call, params, path: `/${id}` });
  return Object.fromEntries(v.names(ids).map((id) => [id, read(id)]));
}

/** Reads the state only when it runs: a late write acts on the world as it is when it lands. */
function runRoute(routes: readonly Route[], call: Call): unknown {
  const [head = '', edge, ...more] = segments(call.path);
  // A single permission may be named in the path.
  const [permission, ...rest] =
    edge === 'permissions' && call.method === 'DELETE' ? more : [undefined, ...more];
  if (rest.length > 0) return unknownPath(`/${rest.join('/')}`);
  const node = nodeOf(call, head);
  const found = routeOf(routes, call, node, edge) ?? noRoute(routes, call, node, edge);
  const { tokens, scopes, tasks = [] } = found.access;
  const path = edge === undefined ? `/${node.id}` : `/${node.id}/${edge}`;
  const known: Call = { ...call, path, params: { ...call.params, ...(permission && { permission }) } };
  route.checkTokenKind(known, tokens);
  route.checkOwner(known, node);
  route.checkScopes(known, typeof scopes === 'function' ? scopes(known, node) : scopes, node);
  route.checkTasks(known, typeof tasks === 'function' ? tasks(known, node) : tasks);
  route.checkParams(known, found.params, found.required);
  const result = found.run(known, node);
  return call.method === 'GET' ? result : withFields(routes, known, result);
}

/** A write with `fields` returns those fields of what it created, next to the id. */
function withFields(routes: readonly Route[], call: Call, result: unknown): unknown {
  const { fields } = call.params;
  const { id } = fieldsOf(result);
  const made = typeof id === 'string' ? call.world.nodes.get(id) : undefined;
  if (fields === undefined || made === undefined) return result;
  const read: Call = { ...call, method: 'GET', path: `/${made.id}`, params: { fields } };
  const reading = routeOf(routes, read, made, undefined);
  if (reading === undefined) return result;
  try {
    return { ...fieldsOf(result), ...fieldsOf(reading.run(read, made)) };
  } catch (thrown) {
    // The write has taken effect, so unknown fields are left out instead of refused.
    if (v.refusalOf(thrown) === undefined) throw thrown;
    return result;
  }
}

function openCall({ world, incoming, platform }: Exchange): OpenCall {
  const { request, place, query, files = {}, fileNames = {} } = incoming;
  const { host, path } = place;
  const body = request.method === 'GET' ? {} : http.bodyFields(incoming);
  const { method: override, ...params } = { ...bearerOf(request), ...query, ...body };
  // Any other is refused before.
  const sent = request.method as Method;
  const method = host === 'graph' ? overridden(sent, override) : sent;
  if (world.isNewApp) route.refuseHabits({ ...params, ...(method !== sent && { method: override }) });
  const version = http.servedVersion(place.version, world.now());
  const { headers } = request;
  return { world, platform, method, host, version, path, params, query, body, headers, files, fileNames };
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

function isAt(one: Route, { method, host, path }: OpenCall): one is PathRoute {
  return 'path' in one && one.path === path && one.method === method && one.host === host;
}

/** Whether a route is below nodes, and at the host of a call. */
function isHere(one: Route, { host }: Call): one is NodeRoute {
  return 'edge' in one && one.access.hosts.includes(host);
}

/** The route of a node or of an edge below it. */
function routeOf(
  routes: readonly Route[],
  call: Call,
  { kind }: Node,
  edge: string | undefined,
): NodeRoute | undefined {
  return routes
    .filter((one) => isHere(one, call))
    .find((one) => one.kinds.includes(kind) && one.edge === (edge ?? '') && one.method === call.method);
}

function nodeOf(call: Call, head: string): Node {
  const id = head === 'me' ? call.token.subjectId : head;
  const node = head === 'me' && call.token.kind === 'app' ? undefined : call.world.nodes.get(id);
  const isSeen = node?.kind === 'page' || (node && hasAccess(call.world, call.token, node));
  if (node !== undefined && isSeen === true && !isBarred(call, node)) return node;
  if (head === 'me')
    return v.refuse(2500, 'An active access token must be used to query information about the current user.');
  if (/^[\d_]+$/.test(head) || head.length > 30) return v.missing(head, call.method);
  return v.refuse(803, `(#803) Some of the aliases you requested do not exist: ${head}`);
}

/** Whether the tuning keeps Page tokens from reading a container or media by its id. Lists still show it. */
function isBarred({ world, method, token }: Call, { kind }: Node): boolean {
  const isMedia = kind === 'picsContainer' || kind === 'picsMedia';
  return world.tuning.pics.barred && isMedia && method === 'GET' && token.kind === 'page';
}

function noRoute(routes: readonly Route[], call: Call, node: Node, edge: string | undefined): never {
  const here = routes.filter((one) => isHere(one, call)).filter((one) => one.edge === (edge ?? ''));
  if (edge === undefined || here.some(({ kinds }) => kinds.includes(node.kind))) {
    return v.missing(node.id, call.method);
  }
  if (here.length === 0) return v.notEmulated(`${call.method} /{${node.kind}}/${edge}`, 2500);
  const type = node.kind.replace(/^./, (first) => first.toUpperCase());
  return v.invalid(`Tried accessing nonexisting field (${edge}) on node type (${type})`);
}

function unknownPath(path: string): never {
  return v.refuse(2500, `Unknown path components: ${path}`);
}

/** A batch is sent to the root or to `me`, and cannot be nested. */
function isBatch({ method, host, path, params }: OpenCall): boolean {
  return (
    method === 'POST' && host === 'graph' && (path === '/' || path === '/me') && params['batch'] !== undefined
  );
}

function rootCall(call: OpenCall): never {
  route.checkParams(call, []);
  return v.refuse(100, '(#100) Unsupported request', { type: 'GraphMethodException' });
}

/** A token may also come in the `Authorization` header. */
function bearerOf({ headers }: Request): Readonly<Record<string, string>> {
  const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
  return token === undefined ? {} : { access_token: token };
}

const maxParts = 50;

/** A part of a batch, as the caller sent it. */
interface Part {
  readonly method?: unknown;
  readonly relative_url?: unknown;
  readonly body?: unknown;
}

/** Runs the parts of a batch, each as a separate request. A part without a token or a version uses that of the batch. */
async function prepareBatch(exchange: Exchange, { params, host, version }: OpenCall): Promise<() => unknown> {
  const { world } = exchange;
  const token = demandToken(world, params['access_token'], host);
  checkProof(world, token, params);
  const parts = partsOf(params['batch'] ?? '');
  const credentials = { access_token: token.value, appsecret_proof: params['appsecret_proof'] };
  const { finishes = parts.length, lands } = world.tuning.batch;
  // One after another: whether a part is refused, for a quota for example, depends on the parts before it.
  const prepared: (() => http.RawResponse)[] = [];
  for (const part of parts) prepared.push(await preparePart(exchange, part, version, credentials));
  return () =>
    prepared.map((run, at) => {
      if (at < finishes) return toPart(run(), params['include_headers'] !== 'false');
      if (lands) run();
      return null;
    });
}

function partsOf(text: string): readonly Part[] {
  const parts = v.parsed(text);
  if (!Array.isArray(parts)) return v.invalid('Param batch must be an array');
  if (parts.length > maxParts) {
    return v.invalid(`Too many requests in batch message. Maximum batch size is ${maxParts}`);
  }
  return parts.map(fieldsOf);
}

async function preparePart(
  server: Server,
  { method, relative_url, body }: Part,
  version: string,
  credentials: Readonly<Record<string, string | undefined>>,
): Promise<() => http.RawResponse> {
  const { platform } = server;
  const relative = (typeof relative_url === 'string' ? relative_url : '').replace(/^\/+/, '');
  const url = new URL(
    `${platform.graphUrl}/${/^v\d+\.\d+(\/|$)/.test(relative) ? '' : `${version}/`}${relative}`,
  );
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
  // Its address is one of the platform's.
  const incoming = (await http.readRequest(request, platform)) as http.Incoming;
  const exchange: Exchange = { ...server, incoming };
  try {
    const run = await prepare(exchange);
    return () => attempt(exchange, run);
  } catch (thrown) {
    return () => refused(exchange, thrown);
  }
}

function toPart({ status: code, headers, body }: http.RawResponse, withHeaders: boolean): object {
  const listed = Object.entries(headers).map(([name, value]) => ({ name, value }));
  return { code, ...(withHeaders && { headers: listed }), body };
}
