import { createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { createSandbox } from '../../../src/sandbox/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { caller, pageOf, refusal, start, still, type Caller, type Reply } from '../support/caller.ts';

const verifyToken = 'verify-token';
const callbackUrl = 'https://app.example/webhooks';

/** A sandbox, an app that responds to its handshakes, and calls with the token of the app. */
function setting(respond?: (request: Request) => Promise<Response>) {
  const { secret } = createSandbox().app;
  const handshakes: URL[] = [];
  const handler = createWebhookHandler({ verifyToken, secrets: secret, onEvent: () => undefined });
  const sandbox = still({
    callbacks: async (request) => {
      handshakes.push(new URL(request.url));
      return (respond ?? handler)(request);
    },
  });
  const token = `${sandbox.app.id}|${sandbox.app.secret}`;
  const path = `/${sandbox.app.id}/subscriptions`;
  const graph: Caller = caller(sandbox);
  const subscribe = (more: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    graph.post(path, token, {
      object: 'page',
      callback_url: callbackUrl,
      verify_token: verifyToken,
      fields: 'feed,leadgen',
      include_values: 'true',
      ...more,
    });
  const read = async () => (await graph.get(path, token)).body.data;
  return { sandbox, handshakes, token, path, subscribe, read, ...graph };
}

describe('the webhooks of an app', () => {
  test('are verified within the call, and listed', async () => {
    const { subscribe, read, handshakes } = setting();

    expect(await read()).toEqual([]);
    expect((await subscribe()).body).toEqual({ success: true });
    expect(handshakes.map(({ searchParams }) => searchParams.get('hub.mode'))).toEqual(['subscribe']);
    expect(await read()).toEqual([
      {
        object: 'page',
        callback_url: callbackUrl,
        active: true,
        fields: [
          { name: 'feed', version: 'v26.0' },
          { name: 'leadgen', version: 'v26.0' },
        ],
      },
    ]);
  });

  test('keep their fields when others are added', async () => {
    const { subscribe, read } = setting();
    await subscribe();
    await subscribe({ fields: '["messages","feed"]', callback_url: `${callbackUrl}/2` });

    const [{ callback_url, fields }] = await read();
    expect([callback_url, fields.map(({ name }: { name: string }) => name)]).toEqual([
      `${callbackUrl}/2`,
      ['feed', 'leadgen', 'messages'],
    ]);
  });

  test('go field by field, by object, or all at once', async () => {
    const { subscribe, read, del, path, token, sandbox } = setting();
    const objects = async () => (await read()).map(({ object }: { object: string }) => object);
    await subscribe();
    await subscribe({ object: 'instagram', fields: 'comments' });
    await subscribe({ object: 'permissions', fields: 'email' });

    await del(path, token, { object: 'page', fields: 'feed' });
    expect((await read())[0].fields).toEqual([{ name: 'leadgen', version: 'v26.0' }]);
    await del(path, token, { object: 'page' });
    expect(await objects()).toEqual(['instagram', 'permissions']);
    await del(path, token);
    expect(await objects()).toEqual([]);
    expect(sandbox.effects().map(({ kind }) => kind)).toEqual([
      'app_subscribe',
      'app_subscribe',
      'app_subscribe',
      'app_unsubscribe',
      'app_unsubscribe',
      'app_unsubscribe',
    ]);
  });

  test.each<readonly [name: string, respond: () => Promise<Response>]>([
    ['another status', async () => new Response('no', { status: 404 })],
    ['another text', async () => new Response('challenge')],
    ['nothing', async () => Promise.reject(new Error('down'))],
  ])('are refused where the handshake fails: %s', async (_, respond) => {
    const { subscribe, read } = setting(respond);

    expect(refusal(await subscribe())).toEqual([400, 2200, undefined]);
    expect(await read()).toEqual([]);
  });

  test('are called at addresses of this machine only, unless the test responds', async () => {
    const sandbox = createSandbox();
    const token = `${sandbox.app.id}|${sandbox.app.secret}`;
    const made = await caller(sandbox).post(`/${sandbox.app.id}/subscriptions`, token, {
      object: 'page',
      callback_url: callbackUrl,
      verify_token: verifyToken,
      fields: 'feed',
    });

    expect(refusal(made)).toEqual([400, 2200, undefined]);
  });

  test.each<Readonly<Record<string, string>>>([
    { object: 'groups' },
    { fields: 'colour' },
    { callback_url: 'nowhere' },
    { verify_token: 'x'.repeat(65) },
  ])('are refused, and nobody is called, for %j', async (wrong) => {
    const { subscribe, handshakes } = setting();

    expect(refusal(await subscribe(wrong))).toEqual([400, 100, undefined]);
    expect(handshakes).toEqual([]);
  });

  test('belong to the token of the app', async () => {
    const { get, path, sandbox } = setting();

    expect(refusal(await get(path, pageOf(sandbox).token))).toEqual([400, 100, 33]);
  });
});

describe('a person who removes the app', () => {
  /** What a signed request holds, and whether a secret made it. */
  function open(signedRequest: string, secret: string) {
    const [signature = '', payload = ''] = signedRequest.split('.');
    const expected = createHmac('sha256', secret).update(payload).digest('base64url');
    return [signature === expected, JSON.parse(Buffer.from(payload, 'base64url').toString())];
  }

  test.each(['deauthorize', 'deletion'] as const)('is reported in a signed request: %s', async (kind) => {
    const sandbox = still();
    const seen: [string, string | null, string][] = [];
    const body = { url: 'https://app.example/deletion?id=1', confirmation_code: '1' };
    const told = await sandbox.callBack(kind, async (request) => {
      seen.push([request.method, request.headers.get('content-type'), await request.text()]);
      return Response.json(body);
    });

    expect(seen).toEqual([
      [
        'POST',
        expect.stringContaining('application/x-www-form-urlencoded'),
        `signed_request=${told.signedRequest}`,
      ],
    ]);
    expect([told.status, JSON.parse(told.body ?? '')]).toEqual([200, body]);
    const issued_at = start / 1000;
    expect(open(told.signedRequest, sandbox.app.secret)).toEqual([
      true,
      { algorithm: 'HMAC-SHA256', expires: issued_at + 3600, issued_at, user_id: sandbox.user.id },
    ]);
    expect(refusal(await caller(sandbox).get('/me', sandbox.user.token))).toEqual([400, 190, 458]);
  });

  test('of a photo-sharing account is reported under the secret of its app', async () => {
    const { callBack, account, picsApp, user, fetch, ...rest } = still();
    const told = await callBack('deauthorize', async () => new Response(), { userId: account.id });

    expect(open(told.signedRequest, picsApp.secret)).toEqual([
      true,
      expect.objectContaining({ user_id: account.id }),
    ]);
    const me = await fetch(`${rest.platform.picsGraphUrl}/v26.0/me?access_token=${account.token}`);
    expect(me.status).toBe(400);
    expect(
      (await caller({ ...rest, callBack, account, picsApp, user, fetch }).get('/me', user.token)).status,
    ).toBe(200);
  });

  test('has no response if nobody responds', async () => {
    const told = await still().callBack('deletion', async () => Promise.reject(new Error('down')));

    expect(told).toMatchObject({ status: undefined, body: undefined });
  });
});

describe('the subscription of a Page', () => {
  test('is made, replaced, read and ended', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { get, post, del } = caller(sandbox);
    const path = `/${id}/subscribed_apps`;
    expect((await get(path, token)).body).toEqual({ data: [] });
    const first = await post(path, token, {
      subscribed_fields: 'leadgen,leadgen_update,feed,messages,mention',
    });
    expect(first.body).toEqual({ success: true });
    await post(path, token, { subscribed_fields: '["feed"]' });
    const [app] = (await get(path, token)).body.data;
    expect(app).toMatchObject({ id: sandbox.app.id, subscribed_fields: ['feed'] });
    expect((await del(path, token)).body).toEqual({ success: true });
    expect((await get(path, token)).body).toEqual({ data: [] });
    expect(sandbox.effects().map(({ kind }) => kind)).toEqual(['subscribe', 'subscribe', 'unsubscribe']);
  });

  test('wants known fields, and pages_messaging for messages', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    const path = `/${id}/subscribed_apps`;
    expect(refusal(await post(path, token))).toEqual([400, 100, undefined]);
    const unknown = await post(path, token, { subscribed_fields: 'feed,comments' });
    expect(refusal(unknown)).toEqual([400, 100, undefined]);
    expect(unknown.body.error.message).toMatch(/subscribed_fields\[1\] must be one of .*leadgen/);
    const scopes = ['pages_manage_metadata', 'pages_show_list'];
    const bare = sandbox.issueToken({ kind: 'page', pageId: id, scopes });
    expect(refusal(await post(path, bare, { subscribed_fields: 'feed,messages' }))).toEqual([
      403,
      200,
      undefined,
    ]);
    expect((await post(path, bare, { subscribed_fields: 'feed' })).status).toBe(200);
  });
});
