import { livePlatform } from '../../core/platform.ts';
import { at, type OpenCall, type Route } from '../route.ts';
import { demandToken, hour, issueToken, lookUpToken, targetKind } from '../tokens.ts';
import { denied, invalid, refuse } from '../values.ts';
import { type Code, find, type Token, type World } from '../world.ts';

const exchangeGrant = livePlatform.words.exchangeGrant;

/** The app's id and secret may also come in the `Authorization` header. */
function withBasic(call: OpenCall): OpenCall {
  const encoded = /^Basic (.+)$/.exec(call.headers.get('authorization') ?? '')?.[1];
  if (encoded === undefined || call.params['client_secret'] !== undefined) return call;
  const [client_id = '', client_secret = ''] = atob(encoded).split(':').map(decodeURIComponent);
  return { ...call, params: { ...call.params, client_id, client_secret } };
}

function appTokenOf({ app }: World): string {
  return `${app.id}|${app.secret}`;
}

function redeem(call: OpenCall): unknown {
  const { world, params } = call;
  if (params[exchangeGrant] !== undefined)
    return invalid(`The parameter ${exchangeGrant} needs a grant_type`);
  const code = useCode(call, 'user', (message, error_subcode) => refuse(100, message, { error_subcode }));
  const [user] = world.nodes.ofKind('user');
  const userId = code.as ?? user?.id ?? '';
  const scopes = [...new Set(['public_profile', ...code.scopes])];
  const short = { lifeMs: 2 * hour, longLived: false };
  return bearer(issueToken(world, { kind: 'user', subjectId: userId, userId, scopes, ...short }));
}

function extend(call: OpenCall): unknown {
  const { world, params } = call;
  const short = lookUpToken(world, params[exchangeGrant] ?? '', 'graph');
  if ('code' in short) return refuse(short.code, short.message, short);
  if (short.kind !== 'user') return invalid('Only user tokens can be exchanged');
  return extended(world, 'user', short);
}

/** Issues the long-lived token for a short-lived one, or the next one. */
export function extended(world: World, kind: 'user' | 'pics', token: Token): object {
  const { subjectId, userId, scopes, targets, tasks } = token;
  return bearer(issueToken(world, { kind, subjectId, userId, scopes, targets, tasks }));
}

/** A token that expires, as the platform returns it. */
function bearer({ value, issuedAt, expiresAt = Infinity }: Token): object {
  return { access_token: value, token_type: 'bearer', expires_in: (expiresAt - issuedAt) / 1000 };
}

function checkApp(call: OpenCall): void {
  const { app } = call.world;
  if (call.params['client_id'] !== app.id) {
    refuse(101, 'Error validating application. Cannot get application info due to a system error.');
  }
  if (call.params['client_secret'] !== app.secret) {
    refuse(1, 'Error validating client secret.');
  }
}

/** Redeems a code, which works only once, or refuses it in the host's error format. */
export function useCode(
  { world, params }: OpenCall,
  kind: Code['kind'],
  fail: (message: string, subcode: number) => never,
): Code {
  const code = world.codes.get(params['code'] ?? '');
  if (code === undefined || code.kind !== kind) return fail('Invalid verification code format.', 36_007);
  if (code.redirectUri !== params['redirect_uri']) {
    const message =
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in ' +
      'the OAuth dialog request';
    return fail(message, 36_008);
  }
  if (code.used) return fail('This authorization code has been used.', 36_009);
  if (world.now() - code.issuedAt >= hour) return fail('This authorization code has expired.', 36_007);
  code.used = true;
  return code;
}

function describe({ world }: OpenCall, token: Token): Record<string, unknown> {
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  const page = find(world, 'page', token.subjectId);
  const common = {
    app_id: world.app.id,
    type: token.kind.toUpperCase(),
    application: 'Sandbox App',
    is_valid: true,
  };
  if (token.kind === 'app') return { ...common, expires_at: 0, scopes: [] };
  return {
    ...common,
    data_access_expires_at: seconds(token.dataAccessEndsAt),
    expires_at: token.expiresAt === undefined ? 0 : seconds(token.expiresAt),
    issued_at: seconds(token.issuedAt),
    ...(page === undefined ? {} : { profile_id: page.id }),
    scopes: token.scopes,
    granular_scopes: token.scopes
      .filter((scope) => targetKind(scope) !== undefined)
      .map((scope) => {
        const ids =
          token.targets.get(scope) ?? (targetKind(scope) === 'page' && page ? [page.id] : undefined);
        return { scope, ...(ids && { target_ids: ids }) };
      }),
    user_id: token.userId,
  };
}

/** Exchanges a code for a short-lived token, that one for a long-lived token, and the app's secret for the app token. */
function exchange(asked: OpenCall): unknown {
  const call = withBasic(asked);
  checkApp(call);
  const grant = call.params['grant_type'];
  if (grant === exchangeGrant) return extend(call);
  if (grant === 'client_credentials') return { access_token: appTokenOf(call.world), token_type: 'bearer' };
  return grant === undefined || grant === 'authorization_code'
    ? redeem(call)
    : invalid(`Unsupported grant_type: ${grant}`);
}

/** Reports what a token may do. The status is 200 even for a dead token. */
function inspect(call: OpenCall): unknown {
  const { world, params, host } = call;
  const caller = demandToken(world, params['access_token'], host);
  if (caller.kind !== 'app' && caller.value !== params['input_token'])
    return denied('An app access token is required to inspect tokens.');
  const token = lookUpToken(world, params['input_token'] ?? '', host);
  if (!('code' in token)) return { data: describe(call, token) };
  const { error_subcode: subcode, ...error } = token;
  return { data: { error: { ...error, subcode }, is_valid: false, scopes: [] } };
}

const exchangeParams = `client_id client_secret redirect_uri code grant_type ${exchangeGrant}`;

export const pageTokenRoutes: readonly Route[] = [
  at('GET', 'graph', '/oauth/access_token', exchange, exchangeParams),
  at('POST', 'graph', '/oauth/access_token', exchange, exchangeParams),
  at('GET', 'graph', '/debug_token', inspect, 'input_token!'),
];
