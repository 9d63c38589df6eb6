import { fieldsOf } from '../core/options/check.ts';
import type { Platform } from '../core/platform.ts';
import { checkProof } from './auth/proof.ts';
import { demandToken } from './auth/tokens.ts';
import { prepareBatch } from './batch.ts';
import { checkOwner, checkParams, checkScopes, checkTasks, checkTokenKind } from './checks.ts';
import { invalid, missing, notEmulated, refusalOf, refuse } from './errors.ts';
import { servedVersion } from './hosts.ts';
import { bodyFields, type Incoming } from './http.ts';
import { edgesOf } from './knownNames.ts';
import { names } from './page/values.ts';
import { countCall } from './quotas.ts';
import {
  isBeforeRetirement,
  type Call,
  type Method,
  type NodeRoute,
  type OpenCall,
  type Route,
} from './route.ts';
import { hasAccess, type Node, type NodeKind, type World } from './world.ts';

/**
 * Finds the route of a graph call, and checks its token and its proof. The function that it returns does the work,
 * synchronously, now or later.
 */
export async function prepare(
  world: World,
  routes: readonly Route[],
  incoming: Incoming,
  platform: Platform,
): Promise<() => unknown> {
  const call = openCall(world, incoming, platform);
  const fixed = routes.find((route) => 'path' in route && onPath(route, call, incoming.place.path));
  if (fixed !== undefined && 'path' in fixed) {
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
  return () => perform(routes, known, incoming);
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
    perform(routes, { ...call, params }, { ...incoming, place: { ...incoming.place, path: `/${id}` } });
  return Object.fromEntries(names(ids).map((id) => [id, read(id)]));
}

/** Reads the state only when it runs: a late write acts on the world as it is when it lands. */
function perform(routes: readonly Route[], call: Call, incoming: Incoming): unknown {
  const [head = '', edge, ...more] = segments(incoming.place.path);
  // A single permission may be named in the path.
  const [permission, ...rest] =
    edge === 'permissions' && call.method === 'DELETE' ? more : [undefined, ...more];
  if (rest.length > 0) return unknownPath(`/${rest.join('/')}`);
  const node = nodeOf(call, head);
  const found = routeOf(routes, call, node, edge) ?? noRoute(routes, call, node, edge);
  const path = edge === undefined ? `/${node.id}` : `/${node.id}/${edge}`;
  const known: Call = { ...call, path, params: { ...call.params, ...(permission && { permission }) } };
  checkTokenKind(known, found.tokens);
  checkOwner(known, node);
  const scopes = typeof found.scopes === 'function' ? found.scopes(known, node as never) : found.scopes;
  checkScopes(known, scopes, node);
  checkTasks(
    known,
    typeof found.tasks === 'function' ? found.tasks(known, node as never) : (found.tasks ?? []),
  );
  checkParams(known, found.params ?? [], found.required);
  const result = found.run(known, node as never);
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
    return { ...fieldsOf(result), ...fieldsOf(route.run(read, made as never)) };
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
    method: overridden(request.method as Method, override),
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

/** A POST may name another method in a parameter, for clients that cannot send a DELETE. */
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

function onPath(
  route: { readonly path: string } & Pick<Route, 'method' | 'hosts'>,
  call: OpenCall,
  path: string,
): boolean {
  return route.path === path && route.method === call.method && route.hosts.includes(call.host);
}

/** The route of a node or of an edge below it. */
function routeOf(
  routes: readonly Route[],
  { method, host }: Call,
  { kind }: Node,
  edge: string | undefined,
): NodeRoute<NodeKind> | undefined {
  const isFit = (one: Route): boolean =>
    'on' in one && one.on === kind && one.edge === edge && one.method === method && one.hosts.includes(host);
  // Its kind of node was just compared.
  return routes.find(isFit) as unknown as NodeRoute<NodeKind> | undefined;
}

function nodeOf(call: Call, head: string): Node {
  const id = head === 'me' ? call.token.subjectId : head;
  const node = head === 'me' && call.token.kind === 'app' ? undefined : call.world.nodes.get(id);
  const isSeen = node?.kind === 'page' || (node && hasAccess(call.world, call.token, node));
  if (node !== undefined && isSeen === true && !isBarred(call, node)) return node;
  if (head === 'me')
    return refuse({
      code: 2500,
      message: 'An active access token must be used to query information about the current user.',
    });
  if (/^[\d_]+$/.test(head) || head.length > 30) return missing(head, call.method);
  return refuse({ code: 803, message: `(#803) Some of the aliases you requested do not exist: ${head}` });
}

/** Whether the tuning keeps Page tokens from reading a container or media by its id. Lists still show it. */
function isBarred({ world, method, token }: Call, { kind }: Node): boolean {
  const isMedia = kind === 'picsContainer' || kind === 'picsMedia';
  return world.tuning.pics.barred && isMedia && method === 'GET' && token.kind === 'page';
}

function noRoute(routes: readonly Route[], call: Call, node: Node, edge: string | undefined): never {
  const here = routes.filter((route) => 'on' in route && route.hosts.includes(call.host));
  const known = here.some((route) => 'on' in route && route.on === node.kind && route.edge === edge);
  if (known || edge === undefined) return missing(node.id, call.method);
  if (edgesOf(call, node).includes(edge)) return notEmulated(`${call.method} /{${node.kind}}/${edge}`);
  if (!here.some((route) => 'on' in route && route.edge === edge)) return unknownPath(`/${edge}`);
  return invalid(
    `Tried accessing nonexisting field (${edge}) on node type (${node.kind.replace(/^./, (first) => first.toUpperCase())})`,
  );
}

function unknownPath(path: string): never {
  return refuse({ code: 2500, message: `Unknown path components: ${path}` });
}

/** A batch is sent to the root or to `me`, and cannot be nested. */
function isBatch({ method, host, path, params }: OpenCall): boolean {
  return (
    method === 'POST' && host === 'graph' && (path === '/' || path === '/me') && params['batch'] !== undefined
  );
}

function rootCall(call: OpenCall): never {
  checkParams(call, [], undefined);
  return refuse({ code: 100, message: '(#100) Unsupported request', type: 'GraphMethodException' });
}

/** A token may also come in the `Authorization` header. */
function bearerOf({ headers }: Request): Readonly<Record<string, string>> {
  const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
  return token === undefined ? {} : { access_token: token };
}
