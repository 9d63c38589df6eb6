import { livePlatform, type Platform } from '../core/platform.ts';
import type { Files } from './http.ts';
import type { Node, NodeKind } from './nodes.ts';
import { day, demandToken, outlivesDataAccess, targetKind, withCompanions } from './tokens.ts';
import type { HostKind } from './types.ts';
import { denied, invalid, notEmulated, wordsIn } from './values.ts';
import { find, hasAccess, type Token, type TokenKind, type World } from './world.ts';

const basic = `${livePlatform.words.picsScopePrefix}basic`;

/** The tasks that a person can have on a Page. */
const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'] as const;
export type Task = (typeof allTasks)[number];

/** The tasks of people who moderate a Page or write on it. */
export const editing: readonly Task[] = ['CREATE_CONTENT', 'MANAGE', 'MODERATE'];

/** The tasks of the person behind a token on a Page. */
export function tasksOn(token: Token, page: Node): readonly string[] {
  if (!page.owners.includes(token.userId)) return [];
  const { tasks = allTasks } = token;
  const plain = tasks.map((task) => task.replace(/^PROFILE_PLUS_/, ''));
  return plain.includes('FULL_CONTROL') ? allTasks : plain;
}

/**
 * The first of these permissions that a token lacks: a Page token for its Page and the account of that Page, any other
 * token for the account of the node and the Page of that account.
 */
function lackingScope(
  { world, token }: Pick<Call, 'world' | 'token'>,
  needed: readonly string[],
  node?: Node,
): string | undefined {
  const pageId =
    token.kind === 'page'
      ? token.subjectId
      : node?.owners.map((id) => find(world, 'picsAccount', id)?.pageId).find((id) => id !== undefined);
  return withCompanions(needed).find((scope) => !isGranted(world, token, scope, pageId));
}

function isGranted(world: World, token: Token, scope: string, pageId: string | undefined): boolean {
  // Permission to manage ads includes permission to read them.
  const isKnown =
    token.scopes.includes(scope) || (scope === 'ads_read' && token.scopes.includes('ads_management'));
  if (!isKnown) return false;
  if (token.kind === 'pics') return true;
  if (world.now() >= token.dataAccessEndsAt && !outlivesDataAccess(scope)) return false;
  return pageId === undefined || isGrantedFor(world, token, scope, pageId);
}

/** Whether a permission holds for a Page, or for its account. */
export function isGrantedFor(world: World, token: Token, scope: string, pageId: string): boolean {
  const ids = token.targets.get(scope);
  const kind = targetKind(scope);
  if (ids === undefined || kind === undefined) return true;
  const id = kind === 'page' ? pageId : find(world, 'page', pageId)?.picsId;
  return id !== undefined && ids.includes(id);
}

/** The account that is linked to a Page, unless the token does not cover it: the person did not tick it in the dialog. */
export function linkedTo(world: World, token: Token, pageId: string): string | undefined {
  const seen = world.tuning.pics.linked && isGrantedFor(world, token, basic, pageId);
  return seen ? find(world, 'page', pageId)?.picsId : undefined;
}

export type Method = 'GET' | 'POST' | 'DELETE';

/** A request, as the engine passes it to routes. */
export interface OpenCall {
  readonly world: World;
  /** The addresses that the caller uses, for links in responses. */
  readonly platform: Platform;
  readonly method: Method;
  readonly host: HostKind;
  /** The version that is served. */
  readonly version: string;
  /** Path below the version, with `me` replaced by the id. */
  readonly path: string;
  /** Query and body together; only the query for GET. Objects of a JSON body are JSON text. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** Files of a multipart body. */
  readonly files: Files;
  /** The names of those files, by the names of their fields. */
  readonly fileNames: Readonly<Record<string, string>>;
}

export interface Call extends OpenCall {
  readonly token: Token;
}

/** Who may call an endpoint of a node, and where. */
export interface Access<N> {
  readonly hosts: readonly HostKind[];
  readonly tokens: readonly TokenKind[];
  /** The token needs all of them. */
  readonly scopes: readonly string[] | ((call: Call, node: N) => readonly string[]);
  /** The person behind a Page's token needs one of them. */
  readonly tasks?: readonly Task[] | ((call: Call, node: N) => readonly Task[]);
}

interface Params {
  /** Parameters besides the generic ones. All others are ignored, or refused by a strict sandbox. */
  readonly params: readonly string[];
  readonly required: readonly string[];
}

/** An endpoint of nodes, or of an edge below them. */
export interface NodeRoute extends Params {
  readonly method: Method;
  readonly kinds: readonly NodeKind[];
  /** Empty for the node itself. */
  readonly edge: string;
  readonly access: Access<Node>;
  /** Returns the body of the 200, or refuses. Synchronous, so that no other request comes in between. */
  readonly run: (call: Call, node: Node) => unknown;
  /** Runs before `run`: calls the app back, or refuses. */
  readonly before?: (call: Call) => Promise<void>;
}

/** An endpoint with a fixed path, which checks its token itself. */
export interface PathRoute extends Params {
  readonly method: Method;
  readonly host: HostKind;
  readonly path: string;
  readonly run: (call: OpenCall) => unknown;
}

export type Route = PathRoute | NodeRoute;

/** An endpoint of one or several kinds of nodes. `params` are names with spaces between them; `!` marks required ones. */
export function on<K extends NodeKind>(
  method: Method,
  kinds: K | readonly K[],
  edge: string,
  access: Access<Node<K>>,
  run: (call: Call, node: Node<K>) => unknown,
  params = '',
): NodeRoute {
  const route = { method, kinds: [kinds].flat(), edge, access, run, ...paramsIn(params) };
  // The engine passes it nodes of these kinds only.
  return route as unknown as NodeRoute;
}

/** An endpoint with a fixed path. */
export function at(
  method: Method,
  host: HostKind,
  path: string,
  run: (call: OpenCall) => unknown,
  params = '',
): PathRoute {
  return { method, host, path, run, ...paramsIn(params) };
}

function paramsIn(text: string): Params {
  const all = wordsIn(text);
  return {
    params: all.map((name) => name.replace('!', '')),
    required: all.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1)),
  };
}

/** An endpoint of a Page that is called with the Page's own token. */
export function ofPage(scopes: readonly string[], tasks: readonly Task[] = []): Access<unknown> {
  return { hosts: ['graph'], tokens: ['page'], scopes, tasks };
}

/** An endpoint that is called with the token of a person. */
export function ofUser(scopes: readonly string[]): Access<unknown> {
  return { hosts: ['graph'], tokens: ['user'], scopes };
}

export const publishing = ofPage(['pages_manage_posts'], ['CREATE_CONTENT']);
export const reading = ofPage(['pages_read_engagement']);
/** Reads what the Page published. */
export const readingOwn = ofPage(['pages_read_engagement'], ['CREATE_CONTENT']);
/** Also reads what others wrote there. */
export const readingAll = ofPage(['pages_read_engagement', 'pages_read_user_content'], editing);
export const moderating = ofPage(['pages_manage_engagement'], ['MODERATE']);

const target: unique symbol = Symbol('target');

/** A redirect, instead of a body. */
export interface Redirect {
  readonly [target]: string;
}

export function redirectTo(url: string): Redirect {
  return { [target]: url };
}

/** The target of a result that is a redirect. */
export function targetOf(result: unknown): string | undefined {
  return typeof result === 'object' && result !== null && target in result
    ? String(result[target])
    : undefined;
}

const genericParams = wordsIn('access_token appsecret_proof appsecret_time fields locale');
/** Further ones for what is read. */
const listParams = wordsIn('limit after before summary');

/** Parameters that the platform refuses from v26.0 on. */
const retiredParams: readonly string[] = ['date_format', 'ids'];
/** Parameters that it ignores from v26.0 on, as it does any that it does not know. */
const idleParams: readonly string[] = ['pretty', 'debug'];

/** From when on every version refuses what v26.0 refuses. */
const retiredAt = Date.UTC(2026, 9, 27);

/** Whether a call may still have the retired parameters, by its version and the sandbox clock. */
export function isBeforeRetirement({ version, world }: Pick<OpenCall, 'version' | 'world'>): boolean {
  return Number(version.slice(1)) < 26 && world.now() < retiredAt && !world.isNewApp;
}

/** From when on new apps may not have the habits that the platform is about to end. */
export const habitsEndAt = Date.UTC(2026, 10, 4);

/**
 * Refuses what the platform has closed to new apps on every version, besides the retired parameters. Neither the code
 * nor the text of the live refusal is known.
 */
export function refuseHabits(params: Readonly<Record<string, string | undefined>>): void {
  const habits: readonly (readonly [name: string, isThere: boolean])[] = [
    ['the parameter method of a POST', params['method'] !== undefined],
    ['.as() in fields', /\.as\(/.test(params['fields'] ?? '')],
    ['the parameter callback', params['callback'] !== undefined],
    ['an asynchronous batch', params['is_async'] !== undefined],
  ];
  for (const [name, isThere] of habits)
    if (isThere) invalid(`Apps created on or after 2026-11-04 cannot use ${name}`);
}

export function checkTokenKind(call: Call, tokens: readonly TokenKind[]): void {
  if (tokens.includes(call.token.kind)) return;
  if (tokens.includes('page'))
    return denied('A page access token is required to request this resource.', 210);
  return denied('A user access token is required to request this resource.');
}

export function checkOwner(call: Call, node: Node): void {
  // An endpoint that takes the app's own token takes it for every Page.
  if (call.token.kind !== 'app' && !hasAccess(call.world, call.token, node)) {
    denied('The access token does not belong to the Page that this request is for.');
  }
}

/** Whether a token has permissions that a read can do without. */
export function mayRead(call: Call, needed: readonly string[]): boolean {
  return lackingScope(call, needed) === undefined;
}

export function checkScopes(call: Call, needed: readonly string[], node?: Node): void {
  const lacking = lackingScope(call, needed, node);
  if (lacking === undefined) return;
  denied(`This endpoint requires the '${lacking}' permission.`, call.method === 'GET' ? 10 : 200);
}

/** Refuses the call if the person has none of these tasks on the Page. Only Page tokens are limited by tasks. */
export function checkTasks({ world, token, method }: Call, wanted: readonly Task[]): void {
  const page = token.kind === 'page' ? find(world, 'page', token.subjectId) : undefined;
  if (page === undefined || wanted.length === 0) return;
  const tasks = tasksOn(token, page);
  if (wanted.some((task) => tasks.includes(task))) return;
  const message = `This endpoint requires a person who can perform ${wanted.join(' or ')} on the Page.`;
  denied(message, method === 'GET' ? 10 : 200);
}

export function checkParams(
  call: OpenCall,
  names: readonly string[],
  required: readonly string[] = [],
): void {
  const isOld = isBeforeRetirement(call);
  for (const name of isOld ? [] : Object.keys(call.params)) {
    if (retiredParams.includes(name)) invalid(`The ${name} parameter is deprecated and no longer supported`);
  }
  if (isOld && call.params['date_format'] !== undefined) notEmulated('the parameter date_format');
  if (!isOld && call.headers.has('if-none-match')) invalid('The If-None-Match header is no longer supported');
  if (call.world.strict) {
    const ofMethod = call.method === 'GET' ? listParams : [];
    const ofVersion = isOld ? [...retiredParams, ...idleParams] : [];
    const known = [...genericParams, ...ofMethod, ...ofVersion, ...names];
    const unknown = Object.keys(call.params).find((name) => !known.includes(name));
    if (unknown !== undefined) invalid(`The parameter ${unknown} is not known to this endpoint`);
  }
  const lacking = required.find((name) => call.params[name] === undefined || call.params[name] === '');
  if (lacking !== undefined) invalid(`The parameter ${lacking} is required`);
}

/** An endpoint of both modes: called with the account's own token, or with that of its Page or of the Page's person. */
export function inBothModes(names: readonly string[]): Access<unknown> {
  return { hosts: ['graph', 'picsGraph'], tokens: ['page', 'user', 'pics'], scopes: needs(names) };
}

export function inLoginMode(names: readonly string[]): Access<unknown> {
  return { hosts: ['picsGraph'], tokens: ['pics'], scopes: needs(names) };
}

export function inPageMode(names: readonly string[], pagePermissions?: readonly string[]): Access<unknown> {
  return { hosts: ['graph'], tokens: ['page', 'user'], scopes: needs(names, pagePermissions) };
}

export function loginMode(call: OpenCall): boolean {
  return call.host === 'picsGraph';
}

/** A call of page mode at a fixed path, with its token, which has these permissions. */
export function pageCall(open: OpenCall, scopes: (call: Call) => readonly string[]): Call {
  const token = demandToken(open.world, open.params['access_token'], open.host);
  const call = { ...open, token, params: { ...open.params, access_token: token.value } };
  checkTokenKind(call, ['page', 'user']);
  checkScopes(call, scopes(call));
  return call;
}

/** The account with the id in `user_id`. */
export function accountIn({ world, params, token }: Call): Node<'picsAccount'> {
  const account = find(world, 'picsAccount', params['user_id'] ?? '');
  return account !== undefined && hasAccess(world, token, account)
    ? account
    : invalid('Param user_id must be the ID of an account of the token');
}

/** The permissions with these neutral names, as the call's mode spells them; in page mode also those of the Page. */
export function needs(
  names: readonly string[],
  pagePermissions: readonly string[] = [],
): (call: Call) => readonly string[] {
  const { picsScopePrefix } = livePlatform.words;
  return (call) =>
    loginMode(call)
      ? names.map((name) => `${picsScopePrefix}business_${name}`)
      : [...names.map((name) => picsScopePrefix + name), 'pages_read_engagement', ...pagePermissions];
}

/** Whether a media is still shown: a story is shown for a day. */
export function isLive(world: World, media: Node<'picsMedia'>): boolean {
  return media.product !== 'STORY' || world.now() - media.createdAt < day;
}
