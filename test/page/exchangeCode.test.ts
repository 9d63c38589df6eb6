import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test, vi } from 'vitest';

import type { Failure } from '../../src/core/errors.ts';
import { exchangeCode } from '../../src/page/exchangeCode.ts';
import { graphBase, pageContext, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

const redirectUri = 'https://app.example/back';
const options = { code: 'the-code', redirectUri };
const app = { client_id: 'app-id', client_secret: 'app-secret' };
const first = { ...app, redirect_uri: redirectUri, code: 'the-code' };
const second = { ...app, grant_type: 'fb_exchange_token', fb_exchange_token: 'short-token' };
const short = { access_token: 'short-token', token_type: 'bearer', expires_in: 5000 };
const long = { access_token: 'long-token', token_type: 'bearer', expires_in: 5_184_000 };

function token(form: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase).post('/oauth/access_token', form);
}

async function failing(bad: Readonly<Record<string, unknown>> = {}): Promise<Failure> {
  return (await exchangeCode(pageContext(), { ...options, ...bad }))._unsafeUnwrapErr();
}

/** All of an error that anyone could see. */
function shown(error: Error): string {
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${inspect(error, { depth: 9, showHidden: true })}`;
}

describe('exchangeCode', () => {
  test('exchanges the code for a short-lived token, and that for the long-lived one', async () => {
    token(first).reply(200, short);
    token(second).reply(200, long);
    const clock = virtualClock(Date.UTC(2026, 0, 2));

    const bundle = (await exchangeCode(pageContext({ clock }), options))._unsafeUnwrap();

    expect(bundle.access_token).toBe('long-token');
    expect(bundle).toEqual({
      token_type: 'bearer',
      expires_in: 5_184_000,
      expires_at: new Date(Date.UTC(2026, 0, 2) + 5_184_000_000),
    });
  });

  test.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['no headers', { status: 200, ok: true, text: async (): Promise<string> => '{"access_token":"t"}' }],
    [
      'headers that cannot be read',
      { status: 200, headers: {}, text: async (): Promise<string> => '{"access_token":"t"}' },
    ],
  ])('does not know whether the code is spent, where a fetch returns %s', async (_, returned) => {
    const fetch = vi.fn(async () => returned as Response);

    const error = (await exchangeCode(pageContext({ fetch }), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('shows the token by its name only', async () => {
    token(first).reply(200, short);
    token(second).reply(200, long);

    const bundle = (await exchangeCode(pageContext(), options))._unsafeUnwrap();

    expect(`${JSON.stringify(bundle)} ${inspect(bundle)} ${inspect({ ...bundle })}`).not.toContain(
      'long-token',
    );
  });

  test.each([
    ['missing', { access_token: 'long-token' }],
    ['zero', { ...long, expires_in: 0 }],
    ['no number', { ...long, expires_in: 'soon' }],
    ['beyond any date', { ...long, expires_in: 1e300 }],
  ])('knows no end of a token whose expires_in is %s', async (_, body) => {
    token(first).reply(200, short);
    token(second).reply(200, body);

    const bundle = (await exchangeCode(pageContext(), options))._unsafeUnwrap();

    expect(bundle.access_token).toBe('long-token');
    expect(bundle.token_type).toBe('bearer');
    expect(bundle.expires_at).toBeUndefined();
  });

  test('takes off what the dialog puts after a code', async () => {
    token(first).reply(200, short);
    token(second).reply(200, long);

    const bundle = await exchangeCode(pageContext(), { ...options, code: 'the-code#_=_' });

    expect(bundle._unsafeUnwrap().access_token).toBe('long-token');
  });

  test('fails with what the platform says of the code', async () => {
    token(first).reply(400, refusal(100, { error_subcode: 36009, message: 'the-code was used' }));

    const error = await failing();

    expect(error).toMatchObject({
      name: 'ApiError',
      code: 100,
      subcode: 36009,
      category: 'auth',
      outcome: 'rejected',
      message: '[secret] was used',
    });
  });

  test('does not send a code again whose response was lost, and says that it may be used up', async () => {
    token(first).replyWithError(new Error('socket hang up'));

    expect(await failing()).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
  });

  test('does not send a code again after a server error', async () => {
    token(first).reply(503, 'busy');

    expect(await failing()).toMatchObject({ name: 'ApiError', status: 503, outcome: 'unknown' });
  });

  test('sends a code again that was refused for a rate limit', async () => {
    token(first).reply(403, refusal(4));
    token(first).reply(200, short);
    token(second).reply(200, long);

    const bundle = await exchangeCode(pageContext(), options);

    expect(bundle._unsafeUnwrap().access_token).toBe('long-token');
  });

  test.each([
    {},
    { access_token: '' },
    { access_token: 5 },
    { token_type: 'bearer', refresh_token: 'hush-hush' },
  ])('fails with ApiError when the first response has no token: %j', async (body) => {
    token(first).reply(200, body);

    const error = await failing();

    expect(error).toMatchObject({ name: 'ApiError', status: 200, outcome: 'unknown' });
    expect(error.message).toContain('access_token');
    expect(shown(error)).not.toContain('hush-hush');
  });

  test('fails with ApiError when the second response has no token: the code is used up', async () => {
    token(first).reply(200, short);
    token(second).reply(200, { token_type: 'bearer' });

    expect(await failing()).toMatchObject({
      name: 'ApiError',
      payload: undefined,
      outcome: 'applied',
    });
  });

  test('asks for the long-lived token again when that response was lost', async () => {
    token(first).reply(200, short);
    token(second).replyWithError(new Error('socket hang up'));
    token(second).reply(200, long);

    const bundle = await exchangeCode(pageContext(), options);

    expect(bundle._unsafeUnwrap().access_token).toBe('long-token');
  });

  test('shows neither code, secret nor short-lived token in an error', async () => {
    token(first).reply(200, short);
    token(second).reply(
      400,
      refusal(190, { message: 'bad: the-code app-secret short-token', error_user_msg: 'short-token' }),
    );

    const error = await failing();

    expect(error.message).toBe('bad: [secret] [secret] [secret]');
    expect(shown(error)).not.toMatch(/the-code|app-secret|short-token/);
  });
});
