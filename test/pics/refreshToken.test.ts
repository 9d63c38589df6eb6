import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { refreshToken } from '../../src/pics/refreshToken.ts';
import {
  authenticated,
  picsContext,
  picsPageContext,
  platform,
  token,
  virtualClock,
} from '../support/context.ts';

/** A GET, as the platform takes it from a form: no address holds the token. */
const form = { grant_type: 'ig_refresh_token', ...authenticated, method: 'get' };

describe('refreshToken', () => {
  test('renews the token at the address without a version', async () => {
    nock(platform.picsGraphUrl)
      .post('/refresh_access_token', form)
      .reply(200, { access_token: 'renewed', token_type: 'bearer', expires_in: 60, permissions: 'a,b' });

    const bundle = (await refreshToken(picsContext({ clock: virtualClock(0) }), { token }))._unsafeUnwrap();

    expect(bundle.access_token).toBe('renewed');
    expect(bundle).toEqual({
      token_type: 'bearer',
      expires_at: new Date(60_000),
      expires_in: 60,
      permissions: ['a', 'b'],
    });
  });

  test('sends no proof without a secret', async () => {
    nock(platform.picsGraphUrl)
      .post('/refresh_access_token', { access_token: token, grant_type: 'ig_refresh_token', method: 'get' })
      .reply(200, { access_token: 'renewed' });

    const bundle = await refreshToken(picsContext({ appSecret: '' }), { token });

    expect(bundle._unsafeUnwrap()).toMatchObject({ expires_at: undefined });
  });

  test('fails with what the platform said of a token that is too young', async () => {
    nock(platform.picsGraphUrl)
      .post('/refresh_access_token', form)
      .reply(400, { error: { message: 'Too young', code: 190 } });

    const error = (await refreshToken(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'auth', message: 'Too young' });
  });

  test('fails with ApiError when no token arrives', async () => {
    nock(platform.picsGraphUrl).post('/refresh_access_token', form).reply(200, { expires_in: 1 });

    expect((await refreshToken(picsContext(), { token }))._unsafeUnwrapErr().name).toBe('ApiError');
  });

  test.each([['context', picsPageContext(), { token }]])(
    'refuses a bad %s before anything is sent',
    async (option, context, bad) => {
      expect((await refreshToken(context, bad))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option,
      });
    },
  );
});
