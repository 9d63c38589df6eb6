import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createPicsContextViaPages } from '../../src/pics/context.ts';
import { exchangeCode, inspectToken, loginUrl, refreshToken } from '../../src/pics/tokens.ts';
import {
  appSecret,
  authenticated,
  graphBase,
  picsContext,
  picsPageContext,
  platform,
  token,
  virtualClock,
} from '../support/context.ts';

describe('loginUrl', () => {
  const redirectUri = 'https://example.com/callback?from=pics';

  function parse(address: string): { base: string; query: Record<string, string> } {
    const { origin, pathname, searchParams } = new URL(address);
    return { base: `${origin}${pathname}`, query: Object.fromEntries(searchParams) };
  }

  test('leads to the authorize dialog with all the default scopes', () => {
    const address = loginUrl(picsContext(), { redirectUri, state: 'random' })._unsafeUnwrap();

    expect(parse(address)).toEqual({
      base: platform.picsAuthUrl,
      query: {
        client_id: 'pics-app-id',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope:
          'instagram_business_basic,instagram_business_manage_messages,instagram_business_manage_comments,' +
          'instagram_business_content_publish,instagram_business_manage_insights',
        state: 'random',
      },
    });
  });

  test('asks for the scopes given, in the words of the platform, and sends no state of its own', () => {
    const scopes = ['pics_business_basic', 'instagram_business_content_publish'];

    const { query } = parse(loginUrl(picsContext(), { redirectUri, scopes })._unsafeUnwrap());

    expect(query['scope']).toBe('instagram_business_basic,instagram_business_content_publish');
    expect(query).not.toHaveProperty('state');
  });

  test('makes the person log in again', () => {
    const forced = parse(loginUrl(picsContext(), { redirectUri, forceReauth: true })._unsafeUnwrap());
    const plain = parse(loginUrl(picsContext(), { redirectUri })._unsafeUnwrap());

    expect(forced.query).toMatchObject({ force_reauth: 'true' });
    expect(plain.query).not.toHaveProperty('force_reauth');
  });

  test('holds no secret', () => {
    expect(loginUrl(picsContext(), { redirectUri })._unsafeUnwrap()).not.toContain('app-secret');
  });

  test.each([
    ['appId', picsContext({ appId: '' }), { redirectUri }],
    ['context', picsPageContext(), { redirectUri }],
  ])('refuses a bad %s', (option, context, options) => {
    expect(loginUrl(context, options)._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});

describe('exchangeCode', () => {
  const options = { code: 'the-code', redirectUri: 'https://example.com/callback' };

  const form = {
    client_id: 'pics-app-id',
    client_secret: 'app-secret',
    grant_type: 'authorization_code',
    redirect_uri: 'https://example.com/callback',
    code: 'the-code',
  };

  const { origin, pathname } = new URL(platform.picsTokenUrl);

  /** HMAC-SHA256 of `short` under `app-secret`. */
  const proof = /^[0-9a-f]{64}$/;

  function longLived(body: nock.Body, status = 200): void {
    nock(platform.picsGraphUrl)
      .get('/access_token')
      .query(
        (query) =>
          query['access_token'] === 'short' &&
          query['client_secret'] === 'app-secret' &&
          query['grant_type'] === 'ig_exchange_token' &&
          proof.test(String(query['appsecret_proof'])) &&
          Object.keys(query).length === 4,
      )
      .reply(status, body);
  }

  test('exchanges the code for a short-lived token, and that for a long-lived one', async () => {
    nock(origin)
      .post(pathname, form)
      .reply(200, '{"access_token":"short","user_id":17841400000000001,"permissions":"a,b"}');
    longLived({ access_token: 'long', token_type: 'bearer', expires_in: 5_184_000 });

    const bundle = (await exchangeCode(picsContext({ clock: virtualClock(0) }), options))._unsafeUnwrap();

    expect(bundle.access_token).toBe('long');
    expect(bundle).toEqual({
      token_type: 'bearer',
      expires_at: new Date(5_184_000_000),
      expires_in: 5_184_000,
      user_id: '17841400000000001',
      permissions: ['a', 'b'],
    });
    expect(JSON.stringify(bundle) + inspect(bundle)).not.toContain('long');
  });

  test('reads a short-lived token that comes in a list, and takes the mark of the callback off the code', async () => {
    nock(origin)
      .post(pathname, form)
      .reply(200, { data: [{ access_token: 'short', user_id: '7', permissions: ['a'] }] });
    longLived({ access_token: 'long', token_type: 'bearer', expires_in: 60 });

    const bundle = await exchangeCode(picsContext(), { ...options, code: 'the-code#_' });

    expect(bundle._unsafeUnwrap()).toMatchObject({ user_id: '7', permissions: ['a'] });
  });

  test('does not send a code twice when the response is lost', async () => {
    nock(origin).post(pathname).replyWithError(new Error('socket hang up'));

    const error = (await exchangeCode(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
  });

  test('fails with what the platform said of the code, and shows neither code nor secret', async () => {
    nock(origin).post(pathname).reply(400, {
      error_type: 'OAuthException',
      code: 400,
      error_message: 'Code the-code of app-secret was used',
    });

    const error = (await exchangeCode(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 400, type: 'OAuthException' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/the-code|app-secret/);
  });

  test('fails with ApiError when no short-lived token arrives', async () => {
    nock(origin).post(pathname).reply(200, { user_id: 7 });

    const error = (await exchangeCode(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 200 });
  });

  test('fails without a trace of the short-lived token when no long-lived one arrives', async () => {
    nock(origin).post(pathname).reply(200, { access_token: 'short', user_id: 7 });
    longLived({ error: { message: 'short is bad', code: 100, type: 'IGApiException' } }, 400);

    const error = (await exchangeCode(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 100 });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/\bshort\b|the-code|app-secret/);
  });

  test('says that the code is used up when only the long-lived token does not come', async () => {
    nock(origin).post(pathname, form).reply(200, { access_token: 'short', user_id: '17' });
    longLived({ error: { message: 'Invalid', code: 190 } }, 400);

    const error = (await exchangeCode(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, outcome: 'applied' });
  });

  test.each([
    ['appId', picsContext({ appId: '' }), options],
    ['appSecret', picsContext({ appSecret: '' }), options],
    ['context', picsPageContext(), options],
  ])('refuses a bad %s before anything is sent', async (option, context, bad) => {
    expect((await exchangeCode(context, bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});

describe('refreshToken', () => {
  const query = { grant_type: 'ig_refresh_token', ...authenticated };

  test('renews the token at the address without a version', async () => {
    nock(platform.picsGraphUrl)
      .get('/refresh_access_token')
      .query(query)
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

  test.each(['https://pics.test', 'https://pics.test/', 'https://pics.test//'])(
    'joins the address to %s with one slash',
    async (picsGraphUrl) => {
      nock('https://pics.test')
        .get('/refresh_access_token')
        .query(query)
        .reply(200, { access_token: 'renewed', token_type: 'bearer', expires_in: 60 });

      const bundle = await refreshToken(picsContext({ platform: { picsGraphUrl } }), { token });

      expect(bundle._unsafeUnwrap().access_token).toBe('renewed');
    },
  );

  test('sends no proof without a secret', async () => {
    nock(platform.picsGraphUrl)
      .get('/refresh_access_token')
      .query({ access_token: token, grant_type: 'ig_refresh_token' })
      .reply(200, { access_token: 'renewed' });

    const bundle = await refreshToken(picsContext({ appSecret: '' }), { token });

    expect(bundle._unsafeUnwrap()).toMatchObject({ expires_at: undefined });
  });

  test('fails with what the platform said of a token that is too young', async () => {
    nock(platform.picsGraphUrl)
      .get('/refresh_access_token')
      .query(query)
      .reply(400, { error: { message: 'Too young', code: 190 } });

    const error = (await refreshToken(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'auth', message: 'Too young' });
  });

  test('fails with a time after which it may work, of a token that is too young', async () => {
    nock(platform.picsGraphUrl)
      .get('/refresh_access_token')
      .query(query)
      .reply(400, { error: { message: 'The token must be at least 24 hours old.', code: 100 } });

    const error = (await refreshToken(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'validation', action: 'wait', retryAfterMs: 3_600_000 });
  });

  test('fails with ApiError when no token arrives', async () => {
    nock(platform.picsGraphUrl).get('/refresh_access_token').query(query).reply(200, { expires_in: 1 });

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

describe('inspectToken', () => {
  test('asks the page graph as the app', async () => {
    const context = createPicsContextViaPages({ platform, appSecret, appId: 'app-id' })._unsafeUnwrap();
    nock(graphBase)
      .get('/debug_token')
      .query({
        access_token: 'app-id|app-secret',
        appsecret_proof: '5f2ed0e066975d94ab13138f2fac6d5a6c41b621034436e53d6d59b320c25b06',
        input_token: token,
      })
      .reply(200, {
        data: { type: 'PAGE', is_valid: true, expires_at: 0, profile_id: '7', error: null },
      });

    expect((await inspectToken(context, { token }))._unsafeUnwrap()).toMatchObject({
      is_valid: true,
      profile_id: '7',
      never_expires: true,
    });
  });

  test.each([
    ['a context without app id', picsPageContext(), { token }, 'appId'],
    ['an empty app id', picsPageContext({ appId: '' } as object), { token }, 'appId'],
    ['login mode', picsContext(), { token }, 'context'],
  ])('refuses %s before anything is sent', async (_, context, options, option) => {
    const error = (await inspectToken(context, options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});
