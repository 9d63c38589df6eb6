import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/index.ts';
import { read, refusal, still, type Reply } from '../support/caller.ts';
import { as, day, hour, second } from './support.ts';

const redirect_uri = 'https://app.example/back';

async function redeem(sandbox: Sandbox, changes: Record<string, string> = {}): Promise<Reply> {
  const { picsApp, platform } = sandbox;
  const { picsScopePrefix } = platform.words;
  const query = new URLSearchParams({
    client_id: picsApp.id,
    redirect_uri,
    response_type: 'code',
    scope: `${picsScopePrefix}business_basic`,
  });
  const back = await sandbox.authorize(`${platform.picsAuthUrl}?${query}`);
  const form = {
    client_id: picsApp.id,
    client_secret: picsApp.secret,
    grant_type: 'authorization_code',
    redirect_uri,
    code: back.searchParams.get('code') ?? '',
    ...changes,
  };
  const body = new URLSearchParams(form);
  return read(await sandbox.fetch(platform.picsTokenUrl, { method: 'POST', body }));
}

async function token(sandbox: Sandbox, path: string, query: Record<string, string>): Promise<Reply> {
  return read(await sandbox.fetch(`${sandbox.platform.picsGraphUrl}${path}?${new URLSearchParams(query)}`));
}

function extend(sandbox: Sandbox, access_token: string): Promise<Reply> {
  const grant_type = sandbox.platform.words.picsExchangeGrant;
  return token(sandbox, '/access_token', { grant_type, client_secret: sandbox.picsApp.secret, access_token });
}

describe('login-mode tokens', () => {
  test('come short-lived, with a bare user_id, and become long-lived', async () => {
    const sandbox = still();
    const short = await redeem(sandbox);
    expect(short.text).toContain(`"user_id":${sandbox.account.userId}`);
    expect(short.body.permissions).toEqual([`${sandbox.platform.words.picsScopePrefix}business_basic`]);
    const long = await extend(sandbox, short.body.access_token);
    expect(long.body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 5_184_000,
    });
    sandbox.advance(hour);
    expect(refusal(await as('login', sandbox, short.body.access_token).get('/me'))).toEqual([400, 190, 463]);
    expect((await as('login', sandbox, long.body.access_token).get('/me')).status).toBe(200);
  });

  test('come inside a list when tuned so, permissions as text', async () => {
    const sandbox = still();
    sandbox.tune({ pics: { wrapped: true } });
    const { text, body } = await redeem(sandbox);
    expect(text).toContain(`{"data":[{"access_token":"${body.data[0].access_token}","user_id":1784`);
    expect(body.data[0].permissions).toBe(`${sandbox.platform.words.picsScopePrefix}business_basic`);
  });

  test('are refused in the form of their host', async () => {
    const sandbox = still();
    for (const changes of [{ code: 'no' }, { client_secret: 'no' }, { redirect_uri: 'https://no.example' }]) {
      const { status, body } = await redeem(sandbox, changes);
      expect([status, body]).toEqual([
        400,
        { error_type: 'OAuthException', code: 400, error_message: expect.any(String) },
      ]);
    }
  });

  test('are refreshed from 24 hours of age until they expire', async () => {
    const sandbox = still();
    const grant_type = sandbox.platform.words.picsRefreshGrant;
    const access_token = sandbox.account.token;
    const refresh = (): Promise<Reply> =>
      token(sandbox, '/refresh_access_token', { grant_type, access_token });
    sandbox.advance(day - second);
    expect(refusal(await refresh())).toEqual([400, 100, undefined]);
    sandbox.advance(second);
    const { body } = await refresh();
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 5_184_000 });
    expect(body.permissions).toContain('business_manage_insights');
    sandbox.advance(59 * day);
    expect(refusal(await refresh())).toEqual([400, 190, 463]);
    expect((await as('login', sandbox, body.access_token).get('/me')).status).toBe(200);
  });

  test('are neither exchanged nor refreshed by a POST, whichever method its form names', async () => {
    const sandbox = still({ strict: false });
    const { picsRefreshGrant } = sandbox.platform.words;
    sandbox.advance(2 * day);
    for (const method of [{}, { method: 'get' }]) {
      for (const path of ['/access_token', '/refresh_access_token']) {
        const form = { grant_type: picsRefreshGrant, access_token: sandbox.account.token, ...method };
        const body = new URLSearchParams(form);
        const sent = await read(
          await sandbox.fetch(`${sandbox.platform.picsGraphUrl}${path}`, { method: 'POST', body }),
        );

        expect(refusal(sent)).toEqual([400, 100, undefined]);
        expect(sent.body.error).toMatchObject({
          type: 'IGApiException',
          message: 'Unsupported request - method type: post',
        });
      }
    }
  });
});
