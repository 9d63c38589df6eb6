import { hmacSha256 } from '../core/digest.ts';
import { toHex } from '../core/hex.ts';
import { livePlatform } from '../core/platform.ts';
import { html, type Incoming, type RawResponse } from './http.ts';
import type { Decision, HostKind } from './types.ts';
import { refuse, wordsIn } from './values.ts';
import { find, randomText, type Token, type TokenKind, type World } from './world.ts';

const picsScopePrefix = livePlatform.words.picsScopePrefix;

/** Permissions that the page platform's dialog can grant. */
export const pageScopes: readonly string[] = [
  ...wordsIn(`
    public_profile email business_management pages_show_list pages_read_engagement
    pages_read_user_content pages_manage_metadata pages_manage_posts pages_manage_engagement
    pages_manage_ads pages_messaging pages_utility_messaging read_insights ads_management ads_read leads_retrieval
    catalog_management
  `),
  ...wordsIn(`
    basic content_publish manage_comments manage_contents manage_engagement manage_insights
    manage_messages shopping_tag_products
  `).map((name) => picsScopePrefix + name),
];

/** Permissions that the photo-sharing platform's dialog can grant. */
export const picsScopes: readonly string[] = wordsIn(
  'basic content_publish manage_comments manage_insights manage_messages',
).map((name) => `${picsScopePrefix}business_${name}`);

const readingPages = ['pages_read_engagement', 'pages_show_list'];
const ofAccounts = (name: string): string => picsScopePrefix + name;

/** The permissions that a permission depends on. The dialog asks for them too; without them, it has no effect. */
const companions: Readonly<Record<string, readonly string[]>> = {
  pages_read_engagement: ['pages_show_list'],
  pages_read_user_content: ['pages_show_list'],
  pages_manage_metadata: ['pages_show_list'],
  pages_manage_ads: ['pages_show_list'],
  pages_manage_posts: readingPages,
  read_insights: readingPages,
  pages_manage_engagement: ['pages_read_user_content', 'pages_show_list'],
  pages_messaging: ['pages_manage_metadata', 'pages_show_list'],
  pages_utility_messaging: ['pages_manage_metadata', 'pages_messaging', 'pages_show_list'],
  business_management: readingPages,
  ads_management: readingPages,
  leads_retrieval: ['ads_management', 'pages_manage_ads', ...readingPages],
  [ofAccounts('basic')]: ['pages_show_list'],
  [ofAccounts('manage_contents')]: [ofAccounts('basic'), 'pages_show_list'],
  [ofAccounts('manage_engagement')]: [ofAccounts('basic'), 'pages_read_user_content', 'pages_show_list'],
  ...Object.fromEntries(
    ['content_publish', 'manage_comments', 'manage_insights', 'manage_messages', 'shopping_tag_products'].map(
      (name) => [ofAccounts(name), [ofAccounts('basic'), ...readingPages]],
    ),
  ),
  ...Object.fromEntries(picsScopes.slice(1).map((scope) => [scope, picsScopes.slice(0, 1)])),
};

/** Permissions with those that they depend on, each once. */
export function withCompanions(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => [scope, ...(companions[scope] ?? [])]))];
}

/** Whether a permission is granted per account or per Page; `undefined` if neither. */
export function targetKind(scope: string): 'account' | 'page' | undefined {
  if (scope.startsWith(picsScopePrefix)) return 'account';
  return /^(?:pages_|read_insights$|leads_retrieval$)/.test(scope) ? 'page' : undefined;
}

/** Whether a permission lasts beyond the data access, which ends 90 days after the person last used the app. */
export function outlivesDataAccess(scope: string): boolean {
  return /^(?:ads_|pages_|business_management$|read_insights$|public_profile$|email$)/.test(scope);
}

export const hour = 3_600_000;
export const day = 24 * hour;

export interface NewToken {
  readonly kind: Exclude<TokenKind, 'app'>;
  readonly subjectId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** @default 60 days; a Page token does not expire */
  readonly lifeMs?: number | undefined;
  /** @default true */
  readonly longLived?: boolean;
  readonly parent?: string;
  readonly targets?: Token['targets'] | undefined;
  readonly tasks?: Token['tasks'];
  /** @default 90 days from now */
  readonly dataAccessEndsAt?: number | undefined;
}

export function issueToken(world: World, wanted: NewToken): Token {
  const { kind, lifeMs = kind === 'page' ? undefined : 60 * day, dataAccessEndsAt, ...rest } = wanted;
  const token: Token = {
    parent: undefined,
    tasks: undefined,
    longLived: true,
    ...rest,
    kind,
    targets: wanted.targets ?? new Map(),
    dataAccessEndsAt: dataAccessEndsAt ?? world.now() + 90 * day,
    value: (kind === 'pics' ? 'IGAAK' : 'EAAO') + randomText(world.random, 48),
    issuedAt: world.now(),
    expiresAt: lifeMs === undefined ? undefined : world.now() + lifeMs,
    death: undefined,
  };
  world.tokens.set(token.value, token);
  return token;
}

/** The tokens that a person granted on the page platform, or that an account did. */
export function tokensOf(world: World, id: string): Token[] {
  // An account can be found by both of its ids, but its tokens name only one.
  const account = find(world, 'picsAccount', id);
  return [...world.tokens.values()].filter(({ kind, userId, subjectId }) =>
    account === undefined ? userId === id && kind !== 'pics' : kind === 'pics' && subjectId === account.id,
  );
}

/** The Page token for a user token: the same one each time, with the same permissions. */
export function pageTokenFor(world: World, user: Token, pageId: string): Token {
  const known = [...world.tokens.values()].find(
    (token) => token.kind === 'page' && token.subjectId === pageId && token.parent === user.value,
  );
  if (known !== undefined) return known;
  const { value: parent, userId, scopes, targets, tasks, dataAccessEndsAt, expiresAt, longLived } = user;
  const lifeMs = longLived || expiresAt === undefined ? undefined : expiresAt - world.now();
  const same = { userId, scopes, targets, tasks, dataAccessEndsAt, longLived };
  return issueToken(world, { kind: 'page', subjectId: pageId, parent, lifeMs, ...same });
}

export interface Death {
  readonly code: number;
  readonly error_subcode?: number;
  readonly message: string;
}

/** The token with this value, or the reason why it is not valid. */
export function lookUpToken(world: World, value: string, host: HostKind): Token | Death {
  const pics = host === 'picsGraph' || host === 'picsToken';
  if (!pics && value.startsWith(`${world.app.id}|`)) return appToken(world, value);
  const token = world.tokens.get(value);
  if (token === undefined || (token.kind === 'pics') !== pics) {
    return { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' };
  }
  const isExpired = token.expiresAt !== undefined && token.expiresAt <= world.now();
  const death = token.death ?? (isExpired ? 463 : undefined);
  if (death === undefined) return token;
  return { code: 190, error_subcode: death, message: deaths[death] ?? 'Error validating access token' };
}

export function demandToken(world: World, value: string | undefined, host: HostKind): Token {
  if (value === undefined || value === '') {
    return refuse(2500, 'An active access token must be used to query information about the current user.');
  }
  const token = lookUpToken(world, value, host);
  return 'code' in token ? refuse(token.code, token.message, token) : token;
}

function appToken(world: World, value: string): Token | Death {
  if (value !== `${world.app.id}|${world.app.secret}`) {
    return { code: 190, message: 'Invalid OAuth access token signature.' };
  }
  return {
    value,
    kind: 'app',
    subjectId: world.app.id,
    userId: '',
    parent: undefined,
    scopes: [],
    targets: new Map(),
    tasks: undefined,
    dataAccessEndsAt: Infinity,
    issuedAt: 0,
    expiresAt: undefined,
    longLived: true,
    death: undefined,
  };
}

const deaths: Readonly<Record<number, string>> = {
  458: 'Error validating access token: The user has not authorized application.',
  459: 'Error validating access token: You cannot access the app till you log in and follow the instructions given.',
  460: 'Error validating access token: The session has been invalidated because the user changed their password.',
  463: 'Error validating access token: Session has expired.',
  492: 'Error validating access token: Session does not match current stored session.',
};

const text = new TextEncoder();

/** Lower-case hex of the HMAC of `data`. */
export async function hmacHex(
  secret: string,
  data: string,
  hash: 'SHA-256' | 'SHA-1' = 'SHA-256',
): Promise<string> {
  const algorithm = { name: 'HMAC', hash };
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(data))));
}

/** Refuses a wrong proof, and a missing one where it is required. */
export function checkProof(world: World, token: Token, params: Readonly<Record<string, string>>): void {
  const proof = params['appsecret_proof'];
  const time = params['appsecret_time'];
  if (proof === undefined) {
    if (token.kind === 'pics' || !world.requireProof) return;
    return refuse(100, 'API calls from the server require an appsecret_proof argument', {
      type: 'GraphMethodException',
    });
  }
  const secret = token.kind === 'pics' ? world.picsApp.secret : world.app.secret;
  const fresh = time === undefined || Math.abs(world.now() - Number(time) * 1000) <= 300_000;
  const data = time === undefined ? token.value : `${token.value}|${time}`;
  if (fresh && proof === hmacSha256(secret)(data)) return;
  return refuse(100, 'Invalid appsecret_proof provided in the API argument', {
    type: 'GraphMethodException',
  });
}

interface Dialog {
  readonly kind: 'user' | 'pics';
  readonly clientId: string;
  readonly params: readonly string[];
  readonly scopes: readonly string[];
  readonly fragment: string;
}

/** A login dialog that waits for the decision of a person. */
export interface OpenDialog {
  readonly kind: Dialog['kind'];
  /** Scopes that the app asks for. */
  readonly asked: readonly string[];
  readonly fragment: string;
}

/** The response of a login dialog to a browser: a redirect to the callback, or an error page. */
export function dialogResponse(world: World, incoming: Incoming, decision: Decision = {}): RawResponse {
  const back = decide(world, incoming, decision);
  const date = new Date(world.now()).toUTCString();
  if (typeof back !== 'string') return { status: 302, headers: { location: back.href, date }, body: '' };
  const { html: body } = html`<html>
    <body>
      ${back}
    </body>
  </html>`;
  return { status: 400, headers: { 'content-type': 'text/html; charset=utf-8', date }, body };
}

/** The callback address, or the text of an error page. */
export function decide(world: World, incoming: Incoming, decision: Decision): URL | string {
  const dialog = readDialog(world, incoming);
  if (typeof dialog === 'string') return dialog;
  const { query } = incoming;
  const redirectUri = query['redirect_uri'] ?? '';
  const back = new URL(redirectUri);
  const { asked, kind, fragment } = dialog;
  const { deny = false, scopes = asked, as } = decision;
  const [first] = world.nodes.ofKind('user');
  const user = kind === 'pics' ? undefined : as === undefined ? first : find(world, 'user', as);
  // What a person has declined is asked for again only if the app says so.
  const kept = query['auth_type'] === 'rerequest' ? [] : (user?.declined ?? []);
  const granted = asked.filter((scope) => scopes.includes(scope) && !kept.includes(scope));
  if (!deny && user !== undefined) {
    const others = (user.declined ?? []).filter((scope) => !asked.includes(scope));
    user.declined = [...others, ...asked.filter((scope) => !granted.includes(scope))];
  }
  const answer = deny
    ? {
        error: 'access_denied',
        error_reason: 'user_denied',
        error_description: 'The user denied your request.',
      }
    : { code: createCode(world, kind, redirectUri, granted, as) };
  for (const [name, value] of Object.entries({ ...answer, state: query['state'] })) {
    if (value !== undefined) back.searchParams.set(name, value);
  }
  back.hash = fragment;
  return back;
}

/** The request in the address of a login dialog, or the text of an error page. */
export function readDialog(world: World, incoming: Incoming): OpenDialog | string {
  const dialog = dialogAt(world, incoming.place.path);
  if (dialog === undefined || incoming.request.method !== 'GET') return 'Page not found';
  const { query } = incoming;
  const asked = query['config_id'] === undefined ? scopesIn(query['scope'] ?? '') : dialog.scopes;
  const { kind, fragment } = dialog;
  return problemOf(world, dialog, query, asked) ?? { kind, asked, fragment };
}

function dialogAt(world: World, path: string): Dialog | undefined {
  const common = ['client_id', 'redirect_uri', 'state', 'response_type', 'scope'];
  if (path === '/dialog/oauth') {
    const more = ['config_id', 'auth_type', 'display', 'override_default_response_type'];
    const params = [...common, ...more];
    return { kind: 'user', clientId: world.app.id, params, scopes: pageScopes, fragment: '#_=_' };
  }
  if (path === '/oauth/authorize') {
    const params = [...common, 'force_reauth', 'enable_fb_login', 'force_authentication'];
    return { kind: 'pics', clientId: world.picsApp.id, params, scopes: picsScopes, fragment: '#_' };
  }
  return undefined;
}

function problemOf(
  world: World,
  dialog: Dialog,
  query: Readonly<Record<string, string>>,
  asked: readonly string[],
): string | undefined {
  const unknown = Object.keys(query).find((name) => !dialog.params.includes(name));
  if (world.strict && unknown !== undefined) return `Unknown parameter: ${unknown}`;
  if (query['client_id'] !== dialog.clientId) return 'Invalid App ID';
  if ((query['response_type'] ?? 'code') !== 'code') return 'Invalid response_type';
  if (!/^https?:$/.test(URL.parse(query['redirect_uri'] ?? '')?.protocol ?? ''))
    return 'Invalid redirect_uri';
  const { config_id: config, scope } = query;
  if (config !== undefined && scope !== undefined) return 'config_id and scope exclude each other';
  if (config !== undefined && config !== world.app.configId)
    return `Invalid config_id: the sandbox's app has ${world.app.configId}`;
  const invalid = asked.find((name) => !dialog.scopes.includes(name));
  return invalid === undefined ? undefined : `Invalid Scopes: ${invalid}`;
}

/** The names in a list that is separated by commas or spaces, or in a JSON array. */
function scopesIn(text: string): string[] {
  return text.split(/[\s,"[\]]+/).filter(Boolean);
}

function createCode(
  world: World,
  kind: 'user' | 'pics',
  redirectUri: string,
  scopes: readonly string[],
  as: string | undefined,
): string {
  const value = `AQ${randomText(world.random, 60)}`;
  world.codes.set(value, { value, kind, redirectUri, scopes, as, issuedAt: world.now(), used: false });
  return value;
}
