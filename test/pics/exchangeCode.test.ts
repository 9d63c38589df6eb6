import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { exchangeCode } from '../../src/pics/exchangeCode.ts';
import { picsContext, picsPageContext, platform, virtualClock } from '../support/context.ts';

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
    .post(
      '/access_token',
      (form: Readonly<Record<string, string>>) =>
        form['access_token'] === 'short' &&
        form['client_secret'] === 'app-secret' &&
        form['grant_type'] === 'ig_exchange_token' &&
        form['method'] === 'get' &&
        proof.test(String(form['appsecret_proof'])) &&
        Object.keys(form).length === 5,
    )
    .reply(status, body);
}

describe('exchangeCode', () => {
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
