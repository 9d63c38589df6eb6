import type { PicsContext } from '../../../src/pics/context.ts';
import * as pics from '../../../src/pics/index.ts';
import type * as subject from '../../../src/pics/tokens.ts';
import { at } from '../../hostile/kinds.ts';
import { codeOf, redirectUri } from '../at.ts';
import { isBundle, isText } from '../holds.ts';
import type { Table } from '../table.ts';
import { code, inspected, longToken, shortToken, token } from '../values.ts';

export const tokens: Table<PicsContext, typeof subject> = {
  loginUrl: {
    modes: ['login'],
    kinds: { redirectUri: 'url', state: 'text', scopes: 'names', forceReauth: 'flag' },
    variants: [
      {
        redirectUri: 'https://example.com/back',
        state: 'state',
        scopes: ['pics_basic'],
        forceReauth: true,
      },
    ],
    failures: [],
    holds: isText,
    options: () => ({ redirectUri, state: 's' }),
  },
  exchangeCode: {
    modes: ['login'],
    kinds: { code: 'token', redirectUri: 'url' },
    variants: [{ code, redirectUri: 'https://example.com/back' }],
    routes: {
      'POST oauth/access_token': { access_token: shortToken, user_id: 17, permissions: 'a,b' },
      'GET access_token': { access_token: longToken, token_type: 'bearer', expires_in: 5_184_000 },
    },
    holds: isBundle,
    prepare: (scene) => codeOf(scene, pics.loginUrl(scene.context, { redirectUri })),
    options: ({ prepared }) => ({ code: prepared, redirectUri }),
  },
  refreshToken: {
    modes: ['login'],
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: {
      'GET refresh_access_token': { access_token: longToken, token_type: 'bearer', expires_in: 5_184_000 },
    },
    holds: isBundle,
    options: ({ token }) => ({ token }),
  },
  inspectToken: {
    modes: ['viaPages'],
    kinds: { token: 'token' },
    variants: [{ token }],
    routes: { 'GET debug_token': inspected },
    holds: (value: object) =>
      typeof at(value, 'is_valid') === 'boolean' && Array.isArray(at(value, 'scopes')),
    options: ({ token }) => ({ token }),
  },
};
