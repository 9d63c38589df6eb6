import { describe, expect, test } from 'vitest';

import { livePlatform } from '../../../src/core/platform.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { caller, pageOf, read, refusal, start, still, type Reply } from '../support/caller.ts';

const redirectUri = 'https://app.example/callback?from=login';
const hour = 3_600_000;
const day = 24 * hour;

function dialogUrl(sandbox: Sandbox, params: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: sandbox.app.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'st',
    ...params,
  });
  return `${sandbox.platform.dialogUrl}/v26.0/dialog/oauth?${query}`;
}

function exchange(sandbox: Sandbox, params: Record<string, string>): Promise<Reply> {
  const query = new URLSearchParams({
    client_id: sandbox.app.id,
    client_secret: sandbox.app.secret,
    ...params,
  });
  return sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/oauth/access_token?${query}`).then(read);
}

async function login(sandbox: Sandbox, scope = 'email,pages_show_list'): Promise<string> {
  const back = await sandbox.authorize(dialogUrl(sandbox, { scope }));
  return back.searchParams.get('code') ?? '';
}

describe('the login dialog', () => {
  test('sends the browser back with code, state and the fragment', async () => {
    const sandbox = still();
    const back = await sandbox.authorize(dialogUrl(sandbox, { scope: 'email' }));
    expect(back.origin + back.pathname).toBe('https://app.example/callback');
    expect([...back.searchParams.keys()]).toEqual(['from', 'code', 'state']);
    expect(back.searchParams.get('state')).toBe('st');
    expect(back.hash).toBe('#_=_');
  });

  test('is reachable through fetch', async () => {
    const sandbox = still();
    const response = await sandbox.fetch(dialogUrl(sandbox, { scope: 'email' }), { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(
      /^https:\/\/app\.example\/callback\?from=login&code=AQ\w+&state=st#_=_$/,
    );
  });

  test('reports a denial', async () => {
    const sandbox = still();
    const back = await sandbox.authorize(dialogUrl(sandbox, { scope: 'email' }), { deny: true });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      error_reason: 'user_denied',
      state: 'st',
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  test('asks again for what a person declined only with rerequest', async () => {
    const sandbox = still();
    const scope = 'email,pages_show_list';
    const granted = async (more: Record<string, string>, scopes?: readonly string[]) => {
      const back = await sandbox.authorize(dialogUrl(sandbox, { scope, ...more }), scopes && { scopes });
      const code = back.searchParams.get('code') ?? '';
      const { body } = await exchange(sandbox, { code, redirect_uri: redirectUri });
      const { body: list } = await caller(sandbox).get('/me/permissions', body.access_token);
      return list.data.find(({ permission }: { permission: string }) => permission === 'email').status;
    };

    expect(await granted({}, ['pages_show_list'])).toBe('declined');
    expect(await granted({})).toBe('declined');
    expect(await granted({ auth_type: 'reauthenticate' })).toBe('declined');
    expect(await granted({ auth_type: 'rerequest' })).toBe('granted');
    expect(await granted({})).toBe('granted');
  });

  test('escapes what it quotes in an error', async () => {
    const sandbox = still({ strict: true });
    const script = '<script>alert(1)</script>';
    for (const path of ['graph', 'pics'] as const) {
      const url =
        path === 'graph' ? `${sandbox.platform.dialogUrl}/v26.0/dialog/oauth` : sandbox.platform.picsAuthUrl;
      const app = path === 'graph' ? sandbox.app.id : sandbox.picsApp.id;
      const query = { client_id: app, redirect_uri: 'https://app.example/', scope: script };
      for (const one of [query, { [script]: '1', ...query }]) {
        const reply = await read(await sandbox.fetch(`${url}?${new URLSearchParams(one)}`));
        expect([reply.status, reply.text.includes('<script')]).toEqual([400, false]);
        expect(reply.text).toContain('&lt;script');
      }
    }
  });

  test('shows an error for what it does not know', async () => {
    const sandbox = still();
    const { configId } = sandbox.app;
    const bad = [
      { client_id: 'other' },
      { response_type: 'token' },
      { scope: 'everything' },
      { scope: 'email', config_id: configId },
      { config_id: 'other' },
      { colour: 'red' },
    ];
    for (const params of bad) {
      await expect(sandbox.authorize(dialogUrl(sandbox, params))).rejects.toThrow(
        'the login dialog shows an error',
      );
      expect((await sandbox.fetch(dialogUrl(sandbox, params))).status).toBe(400);
    }
    // Whoever types a wrong one needs to know the right one.
    await expect(sandbox.authorize(dialogUrl(sandbox, { config_id: 'other' }))).rejects.toThrow(
      `Invalid config_id: the sandbox's app has ${configId}`,
    );
    await expect(sandbox.authorize('https://elsewhere.test/')).rejects.toThrow('not that of a login dialog');
  });
});

describe('a code', () => {
  test('becomes a short-lived token, and that a long-lived one', async () => {
    const sandbox = still();
    const code = await login(sandbox);
    const short = await exchange(sandbox, { code, redirect_uri: redirectUri });
    expect(short.body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 7200 });
    const { exchangeGrant } = sandbox.platform.words;
    const long = await exchange(sandbox, {
      grant_type: exchangeGrant,
      [exchangeGrant]: short.body.access_token,
    });
    expect(long.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 5_184_000,
    });
    sandbox.advance(3 * hour);
    expect(refusal(await caller(sandbox).get('/me', short.body.access_token))).toEqual([400, 190, 463]);
    const me = await caller(sandbox).get('/me', long.body.access_token, { fields: 'id,email' });
    expect(me.body).toEqual({ id: sandbox.user.id, email: 'ada@sandbox.test' });
  });

  test('works once', async () => {
    const sandbox = still();
    const code = await login(sandbox);
    expect((await exchange(sandbox, { code, redirect_uri: redirectUri })).status).toBe(200);
    expect(refusal(await exchange(sandbox, { code, redirect_uri: redirectUri }))).toEqual([400, 100, 36_009]);
  });

  test('wants the redirect_uri of the dialog, and can be tried again with it', async () => {
    const sandbox = still();
    const code = await login(sandbox);
    const wrong = await exchange(sandbox, { code, redirect_uri: `${redirectUri}/` });
    expect(refusal(wrong)).toEqual([400, 100, 36_008]);
    expect((await exchange(sandbox, { code, redirect_uri: redirectUri })).status).toBe(200);
  });

  test('ends', async () => {
    const sandbox = still();
    const code = await login(sandbox);
    sandbox.advance(hour);
    expect(refusal(await exchange(sandbox, { code, redirect_uri: redirectUri }))).toEqual([400, 100, 36_007]);
  });

  test('is refused for another app or a wrong secret', async () => {
    const sandbox = still();
    const code = await login(sandbox);
    const asked = { code, redirect_uri: redirectUri };
    expect(refusal(await exchange(sandbox, { ...asked, client_id: '1' }))[1]).toBe(101);
    expect(refusal(await exchange(sandbox, { ...asked, client_secret: 'x' }))[1]).toBe(1);
  });

  test('gives the scopes that were granted, to Page tokens too', async () => {
    const sandbox = still();
    const url = dialogUrl(sandbox, { config_id: sandbox.app.configId });
    const back = await sandbox.authorize(url, { scopes: ['pages_show_list'] });
    const code = back.searchParams.get('code') ?? '';
    const { body } = await exchange(sandbox, { code, redirect_uri: redirectUri });
    const { get } = caller(sandbox);
    const accounts = await get('/me/accounts', body.access_token);
    const { id, access_token } = accounts.body.data[0];
    expect(access_token).not.toBe(pageOf(sandbox).token);
    expect(refusal(await get(`/${id}/published_posts`, access_token))).toEqual([403, 10, undefined]);
    sandbox.advance(3 * hour);
    expect(refusal(await get('/me', access_token))).toEqual([400, 190, 463]);
  });
});

test('a token that is issued for a Page is one of that Page', async () => {
  const sandbox = still();
  const [, second] = sandbox.pages;
  const token = sandbox.issueToken({ pageId: second?.id ?? '' });

  expect((await caller(sandbox).get('/me', token)).body).toMatchObject({ id: second?.id });
});

test('a leading pics_ of a permission stands for the platform’s own prefix, as in loginUrl', async () => {
  const sandbox = still();
  const [page] = sandbox.pages;
  const token = sandbox.issueToken({
    scopes: ['pics_basic', 'pages_show_list'],
    granularScopes: [{ scope: 'pics_basic', target_ids: [page?.picsId ?? ''] }],
  });

  const { body } = await caller(sandbox).get('/debug_token', `${sandbox.app.id}|${sandbox.app.secret}`, {
    input_token: token,
  });

  const basic = `${livePlatform.words.picsScopePrefix}basic`;
  expect(body.data.scopes).toEqual([basic, 'pages_show_list']);
  expect(body.data.granular_scopes).toContainEqual({ scope: basic, target_ids: [page?.picsId] });
});

describe('debug_token', () => {
  const ask = (sandbox: Sandbox, input_token: string, secret = sandbox.app.secret): Promise<Reply> =>
    caller(sandbox).get('/debug_token', `${sandbox.app.id}|${secret}`, { input_token });

  test('describes a live token', async () => {
    const sandbox = still();
    const { body } = await ask(sandbox, sandbox.issueToken({ scopes: ['email'] }));
    expect(body.data).toMatchObject({
      app_id: sandbox.app.id,
      type: 'USER',
      is_valid: true,
      scopes: ['email'],
      issued_at: start / 1000,
      expires_at: start / 1000 + 60 * 86_400,
      user_id: sandbox.user.id,
    });
    const page = await ask(sandbox, pageOf(sandbox).token);
    expect(page.body.data).toMatchObject({ type: 'PAGE', profile_id: pageOf(sandbox).id, expires_at: 0 });
  });

  test('responds with 200 for a dead one', async () => {
    const sandbox = still();
    sandbox.killToken(sandbox.user.token, 'password');
    const { status, body } = await ask(sandbox, sandbox.user.token);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      error: { code: 190, subcode: 460, message: expect.any(String) },
      is_valid: false,
      scopes: [],
    });
    expect((await ask(sandbox, 'nonsense')).body.data.is_valid).toBe(false);
  });

  test('wants the app token', async () => {
    const sandbox = still();
    expect(refusal(await ask(sandbox, sandbox.user.token, 'wrong'))).toEqual([400, 190, undefined]);
    const byUser = await caller(sandbox).get('/debug_token', sandbox.user.token, { input_token: 'x' });
    expect(refusal(byUser)).toEqual([403, 200, undefined]);
  });
});

describe('revoking', () => {
  test('kills the user token and the Page tokens', async () => {
    const sandbox = still();
    const { get, del } = caller(sandbox);
    expect((await del('/me/permissions', sandbox.user.token)).body).toEqual({ success: true });
    expect(refusal(await get('/me', sandbox.user.token))).toEqual([400, 190, 458]);
    expect(refusal(await get('/me', pageOf(sandbox).token))).toEqual([400, 190, 458]);
    expect(sandbox.effects('revoke')).toHaveLength(1);
  });

  test('of one permission leaves the others', async () => {
    const sandbox = still();
    const { get, del } = caller(sandbox);
    await del(`/${sandbox.user.id}/permissions`, sandbox.user.token, { permission: 'email' });
    const me = await get('/me', sandbox.user.token, { fields: 'id,email' });
    expect(me.body).toEqual({ id: sandbox.user.id });
  });
});

describe('login mode', () => {
  const authorize = async (sandbox: Sandbox): Promise<URL> => {
    const query = new URLSearchParams({
      client_id: sandbox.picsApp.id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: `${sandbox.platform.words.picsScopePrefix}business_basic`,
    });
    return sandbox.authorize(`${sandbox.platform.picsAuthUrl}?${query}`);
  };
  const redeem = (sandbox: Sandbox, code: string | null): Promise<Reply> => {
    const form = new URLSearchParams({
      client_id: sandbox.picsApp.id,
      client_secret: sandbox.picsApp.secret,
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code: code ?? '',
    });
    return sandbox.fetch(sandbox.platform.picsTokenUrl, { method: 'POST', body: form }).then(read);
  };

  test('gives a code, a token with a bare 17-digit user_id, a long-lived token', async () => {
    const sandbox = still();
    const back = await authorize(sandbox);
    expect(back.hash).toBe('#_');
    const short = await redeem(sandbox, back.searchParams.get('code'));
    expect(short.text).toContain(`"user_id":${sandbox.account.userId},`);
    expect(sandbox.account.userId).toMatch(/^1784\d{13}$/);
    expect(String(short.body.user_id)).not.toBe(sandbox.account.userId);
    const query = new URLSearchParams({
      grant_type: sandbox.platform.words.picsExchangeGrant,
      client_secret: sandbox.picsApp.secret,
      access_token: short.body.access_token,
    });
    const long = await read(await sandbox.fetch(`${sandbox.platform.picsGraphUrl}/access_token?${query}`));
    expect(long.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 5_184_000,
    });
  });

  test('refuses in the form of the token host', async () => {
    const sandbox = still();
    const code = (await authorize(sandbox)).searchParams.get('code');
    await redeem(sandbox, code);
    const again = await redeem(sandbox, code);
    expect(again.status).toBe(400);
    expect(again.body).toEqual({
      error_type: 'OAuthException',
      code: 400,
      error_message: 'This authorization code has been used.',
    });
  });

  test('renews a token that is a day old', async () => {
    const sandbox = still();
    const { picsRefreshGrant } = sandbox.platform.words;
    const renew = (): Promise<Reply> => {
      const query = new URLSearchParams({
        grant_type: picsRefreshGrant,
        access_token: sandbox.account.token,
      });
      return sandbox.fetch(`${sandbox.platform.picsGraphUrl}/refresh_access_token?${query}`).then(read);
    };
    sandbox.advance(day - 1);
    expect(refusal(await renew())).toEqual([400, 100, undefined]);
    sandbox.advance(1);
    expect((await renew()).body).toMatchObject({ expires_in: 5_184_000, permissions: expect.any(String) });
    sandbox.advance(59 * day);
    expect(refusal(await renew())).toEqual([400, 190, 463]);
  });
});
