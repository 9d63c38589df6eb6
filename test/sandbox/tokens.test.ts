import { describe, expect, test } from 'vitest';

import { caller, pageOf, proofOf, read, refusal, start, still } from './support/caller.ts';

describe('a call to the graph', () => {
  test('without a token is refused with 2500', async () => {
    const sandbox = still();
    const reply = await read(await sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/me`));
    expect(refusal(reply)).toEqual([400, 2500, undefined]);
    expect(reply.body.error).toMatchObject({ type: 'OAuthException', fbtrace_id: expect.any(String) });
  });

  test('with a token that never was is refused with 190', async () => {
    const sandbox = still();
    expect(refusal(await caller(sandbox).get('/me', 'nonsense'))).toEqual([400, 190, undefined]);
  });

  test('with an expired token is refused with 190/463', async () => {
    const sandbox = still();
    const token = sandbox.issueToken({ expiresInMs: 60_000 });
    sandbox.advance(59_999);
    expect((await caller(sandbox).get('/me', token)).status).toBe(200);
    sandbox.advance(1);
    expect(refusal(await caller(sandbox).get('/me', token))).toEqual([400, 190, 463]);
  });

  test.each([
    ['expired', 463],
    ['revoked', 458],
    ['password', 460],
    ['checkpoint', 459],
  ] as const)('with a token killed as %s names subcode %i', async (reason, subcode) => {
    const sandbox = still();
    sandbox.killToken(sandbox.user.token, reason);
    expect(refusal(await caller(sandbox).get('/me', sandbox.user.token))).toEqual([400, 190, subcode]);
  });

  test('with a login-mode token of the photo-sharing platform is refused', async () => {
    const sandbox = still();
    expect(refusal(await caller(sandbox).get('/me', sandbox.account.token))).toEqual([400, 190, undefined]);
  });

  test('takes the token from the header or the body as well', async () => {
    const sandbox = still({ requireProof: false });
    const { id, token } = pageOf(sandbox);
    const headers = { authorization: `Bearer ${token}` };
    const me = await read(await sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/me`, { headers }));
    expect(me.body.id).toBe(id);
    const body = JSON.stringify({ access_token: token, message: 'hi', published: false });
    const posted = await sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/${id}/feed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(posted.status).toBe(200);
    expect(sandbox.effects('post').map((effect) => effect.content)).toEqual([
      { message: 'hi', link: undefined, published: false },
    ]);
  });
});

describe('the proof', () => {
  async function me(proof: Record<string, string>, sandbox = still()): Promise<unknown[]> {
    const query = new URLSearchParams({ access_token: sandbox.user.token, ...proof });
    const reply = await read(await sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/me?${query}`));
    return [reply.status, reply.body.error?.type, reply.body.error?.message];
  }

  test('is needed', async () => {
    expect(await me({})).toEqual([
      400,
      'GraphMethodException',
      'API calls from the server require an appsecret_proof argument',
    ]);
    expect((await me({}, still({ requireProof: false })))[0]).toBe(200);
  });

  test('must be the right one, even where none is needed', async () => {
    const wrong = [400, 'GraphMethodException', 'Invalid appsecret_proof provided in the API argument'];
    expect(await me({ appsecret_proof: 'ab' })).toEqual(wrong);
    expect(await me({ appsecret_proof: 'ab' }, still({ requireProof: false }))).toEqual(wrong);
    const { user } = still();
    expect(await me({ appsecret_proof: proofOf('other', user.token) })).toEqual(wrong);
  });

  test('may be timed, for five minutes', async () => {
    const sandbox = still();
    const timed = (time: number): Record<string, string> => ({
      appsecret_time: String(time),
      appsecret_proof: proofOf(sandbox.app.secret, `${sandbox.user.token}|${time}`),
    });
    expect((await me(timed(start / 1000 - 300)))[0]).toBe(200);
    expect((await me(timed(start / 1000 - 301)))[0]).toBe(400);
  });

  test('is optional on the login-mode host, but checked with its own secret', async () => {
    const sandbox = still();
    const ask = async (proof: string | undefined): Promise<unknown> => {
      const url = new URL(`${sandbox.platform.picsGraphUrl}/refresh_access_token`);
      url.searchParams.set('grant_type', sandbox.platform.words.picsRefreshGrant);
      url.searchParams.set('access_token', sandbox.account.token);
      if (proof !== undefined) url.searchParams.set('appsecret_proof', proof);
      return (await read(await sandbox.fetch(url))).body.error?.message;
    };
    const tooYoung = 'The token must be at least 24 hours old.';
    expect(await ask(undefined)).toBe(tooYoung);
    expect(await ask(proofOf(sandbox.picsApp.secret, sandbox.account.token))).toBe(tooYoung);
    expect(await ask(proofOf(sandbox.app.secret, sandbox.account.token))).toMatch('Invalid appsecret_proof');
  });
});

describe('a token of the wrong kind or reach', () => {
  test('a user token where a Page token is needed: 210', async () => {
    const sandbox = still();
    const path = `/${pageOf(sandbox).id}/published_posts`;
    expect(refusal(await caller(sandbox).get(path, sandbox.user.token))).toEqual([403, 210, undefined]);
  });

  test('a Page token where a user token is needed: the edge does not exist', async () => {
    const sandbox = still();
    const { get, del } = caller(sandbox);
    const { token } = pageOf(sandbox);
    expect((await get('/me/accounts', token)).body.error.message).toBe(
      '(#100) Tried accessing nonexisting field (accounts) on node type (Page)',
    );
    expect(refusal(await get('/me', token, { fields: 'email' }))).toEqual([400, 100, undefined]);
    expect((await del('/me/permissions', token)).status).toBe(400);
    expect(sandbox.effects()).toEqual([]);
  });

  test('the token of another Page: refused, nothing written', async () => {
    const sandbox = still();
    const { get, post, del } = caller(sandbox);
    const [mine, other] = [pageOf(sandbox, 0), pageOf(sandbox, 1)];
    expect(refusal(await post(`/${mine.id}/feed`, other.token, { message: 'x' }))).toEqual([
      403,
      200,
      undefined,
    ]);
    expect(refusal(await del(`/${mine.postIds[0]}`, other.token))).toEqual([400, 100, 33]);
    expect(refusal(await get(`/${mine.leadIds[0]}`, other.token))).toEqual([400, 100, 33]);
    expect(sandbox.effects()).toEqual([]);
  });

  test('a token without the permission: 10 for a read, 200 for a write', async () => {
    const sandbox = still();
    const { id } = pageOf(sandbox);
    const bare = sandbox.issueToken({ kind: 'page', pageId: id, scopes: ['pages_show_list'] });
    const { get, post } = caller(sandbox);
    expect(refusal(await get(`/${id}/published_posts`, bare))).toEqual([403, 10, undefined]);
    expect(refusal(await post(`/${id}/feed`, bare, { message: 'x' }))).toEqual([403, 200, undefined]);
    expect(sandbox.effects()).toEqual([]);
  });
});

describe('what is asked for', () => {
  test('an unknown path: 2500', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    expect(refusal(await caller(sandbox).get(`/${id}/nonsense`, token))).toEqual([400, 2500, undefined]);
    expect(refusal(await caller(sandbox).get(`/${id}/feed/more`, token))).toEqual([400, 2500, undefined]);
  });

  test('a missing object: 100/33; a name that is none: 803', async () => {
    const sandbox = still();
    const { token } = pageOf(sandbox);
    expect(refusal(await caller(sandbox).get('/12345', token))).toEqual([400, 100, 33]);
    expect(refusal(await caller(sandbox).get('/somebody', token))).toEqual([400, 803, undefined]);
  });

  test.each(['pretty', 'debug', 'date_format', 'metadata', 'ids', 'colour'])(
    'the parameter %s is refused',
    async (name) => {
      const sandbox = still();
      const reply = await caller(sandbox).get('/me', sandbox.user.token, { [name]: '1' });
      expect(refusal(reply)).toEqual([400, 100, undefined]);
      expect(reply.body.error.message).toContain(name);
    },
  );

  test('any version is served; an old or unknown one as the oldest', async () => {
    const sandbox = still({ requireProof: false });
    let { token } = sandbox.user;
    const served = async (version: string): Promise<string | null> => {
      const url = `${sandbox.platform.graphUrl}${version}/me?access_token=${token}`;
      const response = await sandbox.fetch(url);
      expect(response.status).toBe(200);
      return response.headers.get('facebook-api-version');
    };
    expect(await Promise.all(['/v27.0', '/v26.0', '/v25.0', '/v18.0', '/v99.0', ''].map(served))).toEqual([
      'v27.0',
      'v26.0',
      'v25.0',
      'v21.0',
      'v21.0',
      'v27.0',
    ]);
    sandbox.advance(Date.UTC(2027, 4, 20) - sandbox.now());
    token = sandbox.issueToken();
    expect(await Promise.all(['/v26.0', '/v22.0', '/v21.0'].map(served))).toEqual([
      'v26.0',
      'v23.0',
      'v23.0',
    ]);
  });

  test('every response carries the sandbox clock and a trace id', async () => {
    const sandbox = still();
    sandbox.advance(3_600_000);
    const { headers } = await caller(sandbox).get('/me', sandbox.user.token);
    expect(headers.get('date')).toBe('Mon, 05 Oct 2026 13:00:00 GMT');
    expect(headers.get('x-fb-trace-id')).toMatch(/^\w{11}$/);
  });
});
