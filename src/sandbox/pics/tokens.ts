import { livePlatform } from '../../core/platform.ts';
import { extended, useCode } from '../page/tokens.ts';
import { at, type OpenCall, type Route } from '../route.ts';
import { day, demandToken, hour, issueToken } from '../tokens.ts';
import { digits, invalid, refuse, refuseWith } from '../values.ts';
import { find } from '../world.ts';

const picsExchangeGrant = livePlatform.words.picsExchangeGrant;
const picsRefreshGrant = livePlatform.words.picsRefreshGrant;
const picsScopePrefix = livePlatform.words.picsScopePrefix;

/** Errors of the token host have their own format. */
function redeem(call: OpenCall): unknown {
  const { world, params, query, platform } = call;
  const fail = (message: string): never =>
    refuseWith(400, { error_type: 'OAuthException', code: 400, error_message: message });
  if (Object.keys(query).length > 0) return fail('Parameters belong in the body');
  if (params['client_id'] !== world.picsApp.id) return fail('Invalid platform app');
  if (params['client_secret'] !== world.picsApp.secret) return fail('Error validating client secret.');
  if (params['grant_type'] !== 'authorization_code') return fail('Invalid grant_type');
  const code = useCode(call, 'pics', fail);
  const [first] = world.nodes.ofKind('picsAccount');
  const account = code.as === undefined ? first : find(world, 'picsAccount', code.as);
  if (account === undefined) return fail(`No account at ${platform.picsAuthUrl}`);
  const { id: subjectId } = account;
  const { scopes } = code;
  const [user] = world.nodes.ofKind('user');
  const wanted = { subjectId, userId: user?.id ?? '', scopes, lifeMs: hour, longLived: false };
  const token = issueToken(world, { kind: 'pics', ...wanted });
  const found = { access_token: token.value, user_id: digits(subjectId) };
  return world.tuning.pics.wrapped
    ? { data: [{ ...found, permissions: scopes.join(',') }] }
    : { ...found, permissions: scopes };
}

/** Exchanges a short-lived token for a long-lived one. */
function extend({ world, params, host }: OpenCall): unknown {
  const token = demandToken(world, params['access_token'], host);
  if (params['grant_type'] !== picsExchangeGrant) return invalid('Unsupported grant_type');
  if (params['client_secret'] !== world.picsApp.secret) {
    return refuse(101, 'Error validating client secret.', { type: 'IGApiException' });
  }
  return token.longLived
    ? invalid('Only short-lived tokens can be exchanged')
    : extended(world, 'pics', token);
}

function refresh({ world, params, host }: OpenCall): unknown {
  const token = demandToken(world, params['access_token'], host);
  if (params['grant_type'] !== picsRefreshGrant) return invalid('Unsupported grant_type');
  if (!token.longLived) return invalid('Only long-lived tokens can be refreshed');
  if (!token.scopes.includes(`${picsScopePrefix}business_basic`)) {
    return refuse(10, '(#10) The token lacks the permission for this action.');
  }
  if (world.now() - token.issuedAt < day) {
    return refuse(100, 'The token must be at least 24 hours old.', { type: 'IGApiException' });
  }
  return { ...extended(world, 'pics', token), permissions: token.scopes.join(',') };
}

/** The platform refuses a POST to the two addresses, be it with a `method` among its parameters. */
function refusePost(): never {
  return refuse(100, 'Unsupported request - method type: post', { type: 'IGApiException' });
}

const redeemParams = 'client_id client_secret grant_type redirect_uri code';

/** Tokens of login mode: a code gives a short-lived one, which gives a long-lived one, which can be refreshed. */
export const picsTokenRoutes: readonly Route[] = [
  at('POST', 'picsToken', '/oauth/access_token', redeem, redeemParams),
  at('GET', 'picsGraph', '/access_token', extend, 'grant_type! client_secret! access_token!'),
  at('POST', 'picsGraph', '/access_token', refusePost, 'grant_type client_secret'),
  at('GET', 'picsGraph', '/refresh_access_token', refresh, 'grant_type! access_token!'),
  at('POST', 'picsGraph', '/refresh_access_token', refusePost, 'grant_type'),
];
