import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test, vi } from 'vitest';

import { actionOf } from '../../src/core/action.ts';
import type { Failure } from '../../src/core/errors.ts';
import type { PageContext } from '../../src/page/context.ts';
import {
  exchangeCode,
  grantedScopes,
  inspectToken,
  loginUrl,
  type LoginUrlOptions,
  me,
  permissions,
  revoke,
} from '../../src/page/tokens.ts';
import { graphBase, pageContext, virtualClock } from '../support/context.ts';
import { asApp, asUser, refusal, userToken } from './support.ts';

describe('loginUrl', () => {
  const redirectUri = 'https://app.example/back?from=login';

  function queryOf(options: Partial<LoginUrlOptions>, context: PageContext = pageContext()): unknown {
    const address = loginUrl(context, { redirectUri, ...options })._unsafeUnwrap();
    return Object.fromEntries(new URL(address).searchParams);
  }

  test('leads to the dialog of the version, and asks for the scopes', () => {
    const address = new URL(
      loginUrl(pageContext(), {
        redirectUri,
        state: 'a&b',
        scopes: ['pages_show_list', 'email'],
      })._unsafeUnwrap(),
    );

    expect(`${address.origin}${address.pathname}`).toBe('https://dialog.test/v26.0/dialog/oauth');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'app-id',
      redirect_uri: redirectUri,
      state: 'a&b',
      response_type: 'code',
      scope: 'pages_show_list,email',
    });
  });

  test('asks for what the page functions need when no scopes are given', () => {
    expect(queryOf({})).toEqual({
      client_id: 'app-id',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope:
        'email,pages_show_list,pages_read_engagement,pages_read_user_content,pages_manage_posts,pages_manage_engagement,' +
        'pages_manage_metadata,pages_messaging,read_insights,leads_retrieval,pages_manage_ads,ads_management,' +
        'instagram_basic',
    });
  });

  test('asks for scopes in the words of the platform', () => {
    expect(
      queryOf({ scopes: ['pics_basic', 'pics_content_publish', 'pages_show_list', 'epics_x'] }),
    ).toMatchObject({
      scope: 'instagram_basic,instagram_content_publish,pages_show_list,epics_x',
    });
  });

  test.each(['rerequest', 'reauthenticate', 'reauthorize'] as const)(
    'says how to treat a person who used the app before: %s',
    (authType) => {
      expect(queryOf({ authType })).toMatchObject({ auth_type: authType, scope: expect.any(String) });
      expect(queryOf({ authType, configId: '77' })).toMatchObject({ auth_type: authType, config_id: '77' });
    },
  );

  test.each(['reauth', '', true])('refuses another way: %j', (authType) => {
    const bad = loginUrl(pageContext(), { redirectUri, authType } as LoginUrlOptions);

    expect(bad._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'authType' });
  });

  test('turns to the business login with a configuration, without any scope', () => {
    expect(queryOf({ configId: '77', scopes: ['email'] })).toEqual({
      client_id: 'app-id',
      redirect_uri: redirectUri,
      response_type: 'code',
      config_id: '77',
    });
  });

  test('takes the configuration of the context, unless the call has its own', () => {
    const context = pageContext({ configId: '88' });

    expect(queryOf({ scopes: ['email'] }, context)).toMatchObject({ config_id: '88' });
    expect(queryOf({ scopes: ['email'] }, context)).not.toHaveProperty('scope');
    expect(queryOf({ configId: '77' }, context)).toMatchObject({ config_id: '77' });
  });

  test('bears a slash at the end of the address of the dialog', () => {
    const context = pageContext({ platform: { dialogUrl: 'https://dialog.test/' }, graphVersion: 'v25.0' });

    expect(loginUrl(context, { redirectUri })._unsafeUnwrap()).toMatch(
      /^https:\/\/dialog\.test\/v25\.0\/dialog\/oauth\?/,
    );
  });
});

describe('exchangeCode', () => {
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

describe('grantedScopes', () => {
  const options = { token: userToken };

  function debug(): nock.Interceptor {
    return nock(graphBase)
      .get('/debug_token')
      .query({ ...asApp, input_token: userToken });
  }

  test('asks with the token of the app what the token may do', async () => {
    debug().reply(200, {
      data: { app_id: '1', is_valid: true, scopes: ['email', 'pages_show_list'], user_id: '4' },
    });

    const scopes = await grantedScopes(pageContext(), options);

    expect(scopes._unsafeUnwrap()).toEqual(['email', 'pages_show_list']);
  });

  test.each([
    ['has none', { data: { is_valid: true, scopes: [] } }],
    ['is described without any', { data: { is_valid: true } }],
    [
      'is dead',
      { data: { error: { code: 190, message: 'dead', subcode: 463 }, is_valid: false, scopes: [] } },
    ],
    ['is dead and is described with those it had', { data: { is_valid: false, scopes: ['email'] } }],
    ['has an error beside those it had', { data: { error: { code: 190 }, scopes: ['email'] } }],
  ])('is empty for a token that %s', async (_, body) => {
    debug().reply(200, body);

    const scopes = await grantedScopes(pageContext(), options);

    expect(scopes._unsafeUnwrap()).toEqual([]);
  });

  test.each([
    ['refuses', 400, refusal(190)],
    ['fails to the last', 500, refusal(2)],
    ['limits the rate to the last', 403, refusal(4)],
    ['responds with no JSON', 200, '<html>'],
    ['responds with something else', 200, { data: [1] }],
  ])('is empty when the platform %s', async (_, status, body) => {
    debug()
      .times(status === 400 || status === 200 ? 1 : 3)
      .reply(status, body);

    const scopes = await grantedScopes(pageContext(), options);

    expect(scopes._unsafeUnwrap()).toEqual([]);
  });

  test('fails when the network does, without a token in the message', async () => {
    debug()
      .times(3)
      .replyWithError(new Error(`cannot reach host for ${userToken} of app-id|app-secret`));

    const error = (await grantedScopes(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
    expect(error.message).not.toMatch(/user-token|app-secret/);
  });
});

describe('inspectToken', () => {
  const options = { token: userToken };

  function debug(): nock.Interceptor {
    return nock(graphBase)
      .get('/debug_token')
      .query({ ...asApp, input_token: userToken });
  }

  test('reports what a token is, whose, until when and for what', async () => {
    debug().reply(200, {
      data: {
        app_id: '1',
        type: 'USER',
        application: 'n',
        expires_at: 1577347200,
        data_access_expires_at: 1585040349,
        is_valid: true,
        issued_at: 1347235328,
        scopes: ['pages_show_list'],
        granular_scopes: [
          { scope: 'pages_show_list', target_ids: ['17841400000000001'] },
          { scope: 'email' },
        ],
        user_id: '4',
      },
    });

    expect((await inspectToken(pageContext(), options))._unsafeUnwrap()).toEqual({
      is_valid: true,
      type: 'USER',
      app_id: '1',
      user_id: '4',
      profile_id: undefined,
      issued_at: new Date(1347235328_000),
      expires_at: new Date(1577347200_000),
      data_access_expires_at: new Date(1585040349_000),
      never_expires: false,
      scopes: ['pages_show_list'],
      granular_scopes: [
        { scope: 'pages_show_list', target_ids: ['17841400000000001'] },
        { scope: 'email', target_ids: undefined },
      ],
      error: undefined,
    });
  });

  test('knows a page token without an end, and ids that come as numbers beyond 2^53', async () => {
    debug().reply(
      200,
      '{"data":{"app_id":9007199254740993,"type":"PAGE","expires_at":0,"data_access_expires_at":0,"is_valid":true,"profile_id":12345678901234567890,"scopes":null,"granular_scopes":null}}',
    );

    expect((await inspectToken(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      app_id: '9007199254740993',
      profile_id: '12345678901234567890',
      never_expires: true,
      expires_at: undefined,
      data_access_expires_at: undefined,
      scopes: [],
      granular_scopes: [],
    });
  });

  test.each([
    [
      'with the reason',
      {
        error: { code: 190, message: `Session of ${userToken} has expired`, subcode: 463 },
        is_valid: false,
        scopes: [],
      },
      { error: { code: 190, subcode: 463, message: 'Session of [secret] has expired', action: 'login' } },
    ],
    [
      'with the scopes that it had',
      { is_valid: false, scopes: ['email'], error: { code: 190, subcode: 467 } },
      { scopes: ['email'], error: { code: 190, subcode: 467, message: undefined } },
    ],
    ['with a reason alone', { error: { code: 190 } }, { error: { code: 190 }, never_expires: false }],
    ['without a reason', { is_valid: false }, { error: undefined }],
  ])('a dead token is a value, %s', async (_, data, expected) => {
    debug().reply(200, { data });

    const info = (await inspectToken(pageContext(), options))._unsafeUnwrap();

    expect(info).toMatchObject({ is_valid: false, ...expected });
    expect(JSON.stringify(info)).not.toContain(userToken);
  });

  const subcodes = [undefined, 0, 458, 459, 460, 463, 464, 467, 490, 492, 493, 2_069_032];
  test.each([190, 102, 104, 10, 200].flatMap((code) => subcodes.map((subcode) => [code, subcode] as const)))(
    'a dead token has the action of an error with its code and subcode: %s, %s',
    async (code, subcode) => {
      const fault = { code, subcode, message: 'Dead.' };
      debug().reply(200, { data: { is_valid: false, error: fault } });

      const info = (await inspectToken(pageContext(), options))._unsafeUnwrap();

      const category = code === 10 || code === 200 ? 'permission' : 'auth';
      expect(info.error?.action).toBe(actionOf({ ...fault, outcome: 'rejected', category }));
    },
  );

  test.each([
    [undefined, 'Error validating access token: The user is enrolled in a checkpoint', 'fix'],
    [0, 'The account is blocked', 'fix'],
    [undefined, 'The account is locked', 'fix'],
    [
      0,
      'The user must be an administrator, editor, or moderator of the page in order to impersonate it',
      'fix',
    ],
    [0, 'Sessions are not allowed because the user is not a confirmed user', 'fix'],
    [undefined, 'The token was issued to a different app', 'fix'],
    [463, 'Session has expired; a checkpoint was passed before', 'login'],
    [undefined, 'Invalid OAuth access token', 'login'],
  ] as const)('its words count where it has no subcode: %s, %s', async (subcode, message, action) => {
    debug().reply(200, { data: { is_valid: false, error: { code: 190, subcode, message } } });

    expect((await inspectToken(pageContext(), options))._unsafeUnwrap().error).toMatchObject({ action });
  });

  test("no login helps where it begins like one of an account's own login", async () => {
    const token = 'IGAAOwnLogin00';
    const error = { code: 190, message: 'Invalid OAuth access token' };
    nock(graphBase)
      .get('/debug_token')
      .query(true)
      .reply(200, { data: { is_valid: false, error } });

    expect((await inspectToken(pageContext(), { token }))._unsafeUnwrap().error?.action).toBe('fix');
  });

  test.each([
    ['the app itself is refused', 400, refusal(190), { category: 'auth' }],
    ['the response is not one', 200, { data: [1] }, { name: 'ApiError', status: 200 }],
  ])('fails when %s', async (_, status, body, expected) => {
    debug().reply(status, body);

    const error = (await inspectToken(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'rejected', ...expected });
  });
});

describe('revoke', () => {
  const options = { token: userToken };

  test('deletes the permissions of the user that the token belongs to', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).reply(200, { success: true });

    const revoked = await revoke(pageContext(), options);

    expect(revoked._unsafeUnwrap()).toBe(true);
  });

  test('deletes those of another user by id', async () => {
    nock(graphBase).delete('/42/permissions').query(asUser).reply(200, { success: 'true' });

    const revoked = await revoke(pageContext(), { ...options, userId: '42' });

    expect(revoked._unsafeUnwrap()).toBe(true);
  });

  test('succeeds when the app is removed by the time that a lost response is asked for again', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).replyWithError(new Error('socket hang up'));
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(400, refusal(190, { error_subcode: 458 }));

    const revoked = await revoke(pageContext(), options);

    expect(revoked._unsafeUnwrap()).toBe(true);
  });

  test('does not know what happened when the token is dead otherwise after a lost response', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).replyWithError(new Error('socket hang up'));
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(400, refusal(190, { error_subcode: 463 }));

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, outcome: 'unknown' });
  });

  test('fails when the platform refuses, also if the app was removed before', async () => {
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(400, refusal(190, { error_subcode: 458 }));

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, category: 'auth', outcome: 'rejected' });
  });

  test('does not take a removed app under a first 200 for its own work', async () => {
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(200, refusal(190, { error_subcode: 458 }));

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, outcome: 'unknown' });
  });

  test('fails when the platform says that it did not', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).reply(200, { success: false });

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
  });
});

describe('me', () => {
  const options = { token: userToken };

  function user(): nock.Interceptor {
    return nock(graphBase)
      .get('/me')
      .query({ ...asUser, fields: 'id,name,email,picture.type(large)' });
  }

  test('reads the profile, with the address of the picture', async () => {
    const body = {
      id: '4',
      name: 'Ann',
      email: 'ann@example.com',
      picture: { data: { height: 50, is_silhouette: false, url: 'https://cdn.example/4.jpg', width: 50 } },
    };
    user().reply(200, body);

    const profile = await me(pageContext(), options);

    expect(profile._unsafeUnwrap()).toEqual({
      id: '4',
      name: 'Ann',
      email: 'ann@example.com',
      picture: 'https://cdn.example/4.jpg',
      raw: body,
    });
  });

  test('has neither email nor picture where the platform gives none', async () => {
    user().reply(200, { id: '4', name: 'Ann', picture: {} });

    const { email, picture } = (await me(pageContext(), options))._unsafeUnwrap();

    expect({ email, picture }).toEqual({ email: undefined, picture: undefined });
  });

  test('hands out an id of 17 digits to the last one', async () => {
    user().reply(200, '{"id":17841400000000001,"name":"Ann"}');

    expect((await me(pageContext(), options))._unsafeUnwrap().id).toBe('17841400000000001');
  });

  test('fails for a page token as the platform says', async () => {
    user().reply(
      400,
      refusal(100, { message: 'Tried accessing nonexisting field (email) on node type (Page)' }),
    );

    const error = (await me(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 100, category: 'validation' });
  });

  test('says where a response is of the wrong shape', async () => {
    user().reply(200, { id: true, name: 'Ada' });

    const error = (await me(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at id: expected string',
    });
  });
});

describe('permissions', () => {
  function asked(): nock.Interceptor {
    return nock(graphBase).get('/me/permissions').query(asUser);
  }

  test('lists what was granted and declined; what is neither is left out', async () => {
    const known = [
      { permission: 'email', status: 'granted' },
      { permission: 'pages_show_list', status: 'declined' },
      { permission: 'pages_messaging', status: 'expired' },
    ];
    asked().reply(200, { data: [...known, { permission: 'a', status: 'odd' }, null, { status: 'granted' }] });

    expect((await permissions(pageContext(), { token: userToken }))._unsafeUnwrap()).toEqual(known);
  });

  test('lists those of all pages', async () => {
    const of = (names: readonly string[], next?: string): object => ({
      data: names.map((permission) => ({ permission, status: 'granted' })),
      paging: { cursors: { after: 'A' }, ...(next && { next }) },
    });
    const next = `${graphBase}/me/permissions?access_token=${userToken}&limit=2&after=A`;
    asked().reply(200, of(['email', 'pages_show_list'], next));
    nock(graphBase)
      .get('/me/permissions')
      .query({ ...asUser, limit: '2', after: 'A' })
      .reply(200, of(['pages_messaging']));

    const found = (await permissions(pageContext(), { token: userToken }))._unsafeUnwrap();

    expect(found.map(({ permission }) => permission)).toEqual([
      'email',
      'pages_show_list',
      'pages_messaging',
    ]);
  });

  test('fails with what the platform said when it refuses', async () => {
    asked().reply(400, refusal(100));

    expect((await permissions(pageContext(), { token: userToken }))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      code: 100,
    });
  });
});
