import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/tokens.ts';
import { at } from '../../hostile/kinds.ts';
import { codeOf, isNotEmpty, redirectUri } from '../at.ts';
import { hasId, isBundle, isString, isText, isTrue } from '../holds.ts';
import type { Table } from '../table.ts';
import { code, inspected, longToken, network, shortToken, token } from '../values.ts';

export const tokens: Table<PageContext, typeof subject> = {
  loginUrl: {
    kinds: {
      redirectUri: 'url',
      state: 'text',
      configId: 'text',
      scopes: 'names',
      authType: 'authType',
    },
    variants: [
      {
        redirectUri: 'https://example.com/back',
        state: 'state',
        configId: '9',
        scopes: ['email'],
        authType: 'rerequest',
      },
    ],
    failures: [],
    holds: isText,
    options: () => ({ redirectUri, state: 's' }),
  },
  exchangeCode: {
    kinds: { code: 'token', redirectUri: 'url' },
    variants: [{ code, redirectUri: 'https://example.com/back' }],
    routes: {
      'POST oauth/access_token': [
        { access_token: shortToken, token_type: 'bearer', expires_in: 3600 },
        { access_token: longToken, token_type: 'bearer', expires_in: 5_184_000 },
      ],
    },
    holds: isBundle,
    prepare: (scene) => codeOf(scene, page.loginUrl(scene.context, { redirectUri, scopes: ['email'] })),
    options: ({ prepared }) => ({ code: prepared, redirectUri }),
  },
  permissions: {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me/permissions': {
        data: [
          { permission: 'email', status: 'granted' },
          { permission: 'pages_show_list', status: 'declined' },
        ],
      },
    },
    holds: (value: readonly { permission: unknown; status: unknown }[]) =>
      value.every((one) => isString(one.permission) && isText(one.status)),
    options: ({ token }) => ({ token }),
  },
  grantedScopes: {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: { 'GET debug_token': { data: { app_id: '1', is_valid: true, scopes: ['email'], user_id: '5' } } },
    failures: network,
    holds: (value: string[]) => Array.isArray(value) && value.every(isString),
    options: ({ token }) => ({ token }),
    works: isNotEmpty,
  },
  inspectToken: {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: { 'GET debug_token': inspected },
    holds: (value: object) =>
      typeof at(value, 'is_valid') === 'boolean' && Array.isArray(at(value, 'scopes')),
    options: ({ token }) => ({ token }),
  },
  revoke: {
    kinds: { token: 'token', userId: 'id' },
    variants: [{ token, userId: '5' }],
    routes: { 'DELETE 5/permissions': { success: true } },
    holds: isTrue,
    options: ({ token }) => ({ token }),
    writes: [{ kind: 'revoke', lost: { method: 'DELETE', path: /\/permissions$/, one: 'revoke' } }],
  },
  me: {
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET me': {
        id: '5',
        name: 'Ada',
        email: 'a@example.com',
        picture: { data: { url: 'https://example.com' } },
      },
    },
    holds: (value: page.MeOptions) => hasId(value),
    options: ({ token }) => ({ token }),
  },
};
