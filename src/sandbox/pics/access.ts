import { livePlatform } from '../../core/platform.ts';
import { demandToken } from '../auth/tokens.ts';
import { checkScopes, checkTokenKind } from '../checks.ts';
import { invalid } from '../errors.ts';
import type { Call, OpenCall } from '../route.ts';
import { find, hasAccess } from '../world.ts';
import type { PicsAccountNode } from './nodes.ts';

/** An endpoint of both modes: called with the account's own token, or with that of its Page or of the Page's person. */
export const both = { hosts: ['graph', 'picsGraph'], tokens: ['page', 'user', 'pics'] } as const;
export const loginOnly = { hosts: ['picsGraph'], tokens: ['pics'] } as const;
export const pageOnly = { hosts: ['graph'], tokens: ['page', 'user'] } as const;

export function loginMode(call: OpenCall): boolean {
  return call.host === 'picsGraph';
}

/** A call of page mode at a fixed path, with its token, which has these permissions. */
export function pageCall(open: OpenCall, scopes: (call: Call) => readonly string[]): Call {
  const token = demandToken(open.world, open.params['access_token'], open.host);
  const call = { ...open, token, params: { ...open.params, access_token: token.value } };
  checkTokenKind(call, pageOnly.tokens);
  checkScopes(call, scopes(call));
  return call;
}

/** The account that a call names as its `user_id`. */
export function accountIn({ world, params, token }: Call): PicsAccountNode {
  const account = find(world, 'picsAccount', params['user_id'] ?? '');
  return account !== undefined && hasAccess(world, token, account)
    ? account
    : invalid('Param user_id must be the ID of an account of the token');
}

/** The permissions with these neutral names, as the call's mode spells them; in page mode also those of the Page. */
export function needs(
  names: readonly string[],
  pageToo: readonly string[] = [],
): (call: Call) => readonly string[] {
  const { picsScopePrefix } = livePlatform.words;
  return (call) =>
    loginMode(call)
      ? names.map((name) => `${picsScopePrefix}business_${name}`)
      : [...names.map((name) => picsScopePrefix + name), 'pages_read_engagement', ...pageToo];
}
