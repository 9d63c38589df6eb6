import type { Platform } from '../core/platform.ts';
import { checkProof } from './auth/proof.ts';
import { demandToken } from './auth/tokens.ts';
import { denied, invalid, missing, refuse } from './errors.ts';
import { servedVersion } from './hosts.ts';
import { bodyFields, type Incoming } from './http.ts';
import { genericParams, retiredParams } from './route.ts';
import type { Call, Method, NodeRoute, OpenCall, Route } from './route.ts';
import type { Node, NodeKind, World } from './world.ts';

/**
 * Finds the route of a graph call and checks what can be checked without doing anything. The answer does it, in one
 * go, and can be kept for later.
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
    void checkParams(call, fixed.params, fixed.required);
    if (call.params['access_token'] !== undefined) {
      const token = demandToken(world, call.params['access_token'], call.host);
      void (await checkProof(world, token, call.params));
    }
    return () => fixed.run(call);
  }
  if (incoming.place.path === '/') return rootCall(call);
  const value = call.params['access_token'] ?? bearer(call);
  const token = demandToken(world, value, call.host);
  void (await checkProof(world, token, call.params));
  const known: Call = { ...call, token, params: { ...call.params, access_token: token.value } };
  return () => perform(routes, known, incoming);
}

/** State is looked at here, not before: a late write meets the world as it is then. */
function perform(routes: readonly Route[], call: Call, incoming: Incoming): unknown {
  const [head = '', edge, ...rest] = segments(incoming.place.path);
  if (rest.length > 0) return unknownPath(`/${rest.join('/')}`);
  const node = nodeOf(call, head);
  const route = routes.find((one) => 'on' in one && onEdge(one, call, node, edge));
  if (route === undefined || !('on' in route)) return noRoute(routes, call, node, edge);
  const found = route as unknown as NodeRoute<NodeKind>;
  const known: Call = { ...call, path: edge === undefined ? `/${node.id}` : `/${node.id}/${edge}` };
  void checkTokenKind(known, found);
  void checkOwner(known, node);
  void checkScopes(known, found);
  void checkParams(known, found.params ?? [], found.required);
  return found.run(known, node as never);
}

function openCall(world: World, incoming: Incoming, platform: Platform): OpenCall {
  const { request, place, query } = incoming;
  const body = request.method === 'POST' ? bodyFields(incoming) : {};
  return {
    world,
    platform,
    method: request.method as Method,
    host: place.host,
    version: servedVersion(place.version),
    path: place.path,
    params: { ...query, ...body },
    query,
    body,
    headers: request.headers,
  };
}

function segments(path: string): string[] {
  return path.split('/').filter(Boolean).map(decodeURIComponent);
}

function onPath(
  route: { readonly path: string } & Pick<Route, 'method' | 'hosts'>,
  call: OpenCall,
  path: string,
): boolean {
  return route.path === path && route.method === call.method && route.hosts.includes(call.host);
}

function onEdge(
  route: Extract<Route, { on: NodeKind }>,
  call: Call,
  node: Node,
  edge: string | undefined,
): boolean {
  return (
    route.on === node.kind &&
    route.edge === edge &&
    route.method === call.method &&
    route.hosts.includes(call.host)
  );
}

function nodeOf(call: Call, head: string): Node {
  const id = head === 'me' ? call.token.subjectId : head;
  const node = call.world.nodes.get(id);
  if (node !== undefined && (node.kind === 'page' || node.owners.includes(call.token.subjectId))) return node;
  if (head === 'me')
    return refuse({
      code: 2500,
      message: 'An active access token must be used to query information about the current user.',
    });
  if (/^[\d_]+$/.test(head) || head.length > 30) return missing(head, call.method);
  return refuse({ code: 803, message: `(#803) Some of the aliases you requested do not exist: ${head}` });
}

function noRoute(routes: readonly Route[], call: Call, node: Node, edge: string | undefined): never {
  const here = routes.filter((route) => 'on' in route && route.hosts.includes(call.host));
  const known = here.some((route) => 'on' in route && route.on === node.kind && route.edge === edge);
  if (known || edge === undefined) return missing(node.id, call.method);
  if (!here.some((route) => 'on' in route && route.edge === edge)) return unknownPath(`/${edge}`);
  return invalid(
    `Tried accessing nonexisting field (${edge}) on node type (${node.kind.replace(/^./, (first) => first.toUpperCase())})`,
  );
}

function unknownPath(path: string): never {
  return refuse({ code: 2500, message: `Unknown path components: ${path}` });
}

function rootCall(call: OpenCall): never {
  void checkParams(call, [], undefined);
  return refuse({ code: 100, message: '(#100) Unsupported request', type: 'GraphMethodException' });
}

function checkTokenKind(call: Call, route: NodeRoute<NodeKind>): void {
  if (route.tokens.includes(call.token.kind)) return;
  if (route.tokens.includes('page'))
    return denied('A page access token is required to request this resource.', 210);
  return denied('A user access token is required to request this resource.');
}

function checkOwner(call: Call, node: Node): void {
  if (!node.owners.includes(call.token.subjectId)) {
    void denied('The access token does not belong to the Page that this request is for.');
  }
}

function checkScopes(call: Call, route: NodeRoute<NodeKind>): void {
  const needed = typeof route.scopes === 'function' ? route.scopes(call) : route.scopes;
  const lacking = needed.find((scope) => !call.token.scopes.includes(scope));
  if (lacking === undefined) return;
  void denied(`This endpoint requires the '${lacking}' permission.`, call.method === 'GET' ? 10 : 200);
}

export function checkParams(call: OpenCall, own: readonly string[], required: readonly string[] = []): void {
  const allowed = [...genericParams[call.method], ...own];
  for (const name of Object.keys(call.params)) {
    if (retiredParams.includes(name))
      void invalid(`The ${name} parameter is deprecated and no longer supported`);
    if (!allowed.includes(name)) void invalid(`The parameter ${name} is not known to this endpoint`);
  }
  if (call.headers.has('if-none-match')) void invalid('The If-None-Match header is no longer supported');
  const lacking = required.find((name) => call.params[name] === undefined || call.params[name] === '');
  if (lacking !== undefined) void invalid(`The parameter ${lacking} is required`);
}

function bearer(call: OpenCall): string | undefined {
  return /^Bearer (.+)$/.exec(call.headers.get('authorization') ?? '')?.[1];
}
