import { describe, expect, test } from 'vitest';

import { checkConnection } from '../../../src/connections/index.ts';
import { batch } from '../../../src/core/lowLevel/batch.ts';
import { paginate } from '../../../src/core/lowLevel/paginate.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { posts } from '../../../src/page/posts.ts';
import { grantedScopes, inspectToken, me, exchangeCode } from '../../../src/page/tokens.ts';
import { createPicsContext } from '../../../src/pics/context.ts';
import * as pics from '../../../src/pics/tokens.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import {
  graphBase,
  pageContext,
  picsContext,
  picsPageContext,
  proof,
  token,
  virtualClock,
} from '../../support/context.ts';
import { json, requestsTo, type Step, stubFetch } from '../stub.ts';

const header = { tokenTransport: 'header' } as const;

describe('tokens that go into the header', () => {
  test('are in no address; the proof stays where it is', async () => {
    const fetch = stubFetch(json({ id: '1', name: 'x' }));

    await me(pageContext({ ...header, fetch }), { token });

    const [sent] = requestsTo(fetch);
    expect(sent?.headers.get('authorization')).toBe(`Bearer ${token}`);
    expect(sent?.url).toContain(`appsecret_proof=${proof}`);
    expect(sent?.url).not.toContain('access_token=');
  });

  test('are in a body when one is asked about: the question is the one part of a batch', async () => {
    const said = { data: { app_id: '1', is_valid: true, scopes: ['email'], user_id: '5' } };
    const fetch = stubFetch(json([{ code: 200, body: JSON.stringify(said) }]));
    const context = pageContext({ ...header, fetch });
    const viaPages = picsPageContext({ ...header, appId: 'app-id', fetch });

    expect((await inspectToken(context, { token }))._unsafeUnwrap()).toMatchObject({ user_id: '5' });
    expect((await grantedScopes(context, { token }))._unsafeUnwrap()).toEqual(['email']);
    expect((await pics.inspectToken(viaPages, { token }))._unsafeUnwrap()).toMatchObject({ user_id: '5' });

    for (const sent of requestsTo(fetch)) {
      expect([sent.method, sent.headers.get('authorization')]).toEqual([
        'POST',
        `Bearer ${context.appToken}`,
      ]);
      expect(new URL(sent.url).pathname).toBe(new URL(`${graphBase}/`).pathname);
      expect([...new URL(sent.url).searchParams.keys()]).toEqual(['appsecret_proof']);
      expect(Object.fromEntries(await sent.formData())).toEqual({
        batch: JSON.stringify([{ method: 'GET', relative_url: `debug_token?input_token=${token}` }]),
        include_headers: 'false',
      });
    }
    expect(requestsTo(fetch)).toHaveLength(3);
  });

  test('are hidden where the question fails, which is tried again as if it had been sent alone', async () => {
    const error = { message: `Cannot ask about ${token}`, type: 'OAuthException', code: 100 };
    const parts = [
      json([{ code: 400, body: JSON.stringify({ error }) }]),
      json([null]),
      json({ error }, 400),
      json([{ code: 200, body: `{"data":{"is_valid":false,"error":{"code":190,"message":"${token}"}}}` }]),
    ];
    const read = async (step: Step) =>
      inspectToken(pageContext({ ...header, fetch: stubFetch(step) }), { token });
    const results = await Promise.all(parts.map(read));

    expect(results.map((one) => one.isErr() && one.error.name)).toEqual([
      'ApiError',
      'ApiError',
      'ApiError',
      false,
    ]);
    expect(results[0]?._unsafeUnwrapErr()).toMatchObject({
      operation: 'inspectToken',
      category: 'validation',
      outcome: 'rejected',
    });
    expect(JSON.stringify(results)).not.toContain(token);
    const busy = json([{ code: 500, body: '{"error":{"code":2,"message":"Busy"}}' }]);
    const well = json([{ code: 200, body: '{"data":{"is_valid":true}}' }]);
    const fetch = stubFetch(busy, well);
    const context = pageContext({ ...header, fetch, clock: virtualClock() });
    expect((await inspectToken(context, { token })).isOk()).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('are taken out of the links of a list', async () => {
    const next = `${graphBase}/1/posts?access_token=${token}&after=x&limit=1`;
    const fetch = stubFetch(json({ data: [{ id: '1_2' }], paging: { next } }), json({ data: [] }));

    await posts(pageContext({ ...header, fetch }), { pageId: '1', pageToken: token });

    const sent = requestsTo(fetch);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${token}`,
      `Bearer ${token}`,
    ]);
    expect(sent.map(({ url }) => url).join(' ')).not.toContain('access_token');
  });

  test('are those of low-level parameters too, if they go to the graph', async () => {
    const fetch = stubFetch(json({ data: [] }));
    const context = pageContext({ ...header, fetch });
    const params = { access_token: token };

    await get(context, 'me', { params });
    await paginate(context, 'me/accounts', { params });
    await paginate(context, `me/accounts?access_token=${token}`);
    await get(context, `me?access_token=${token}`);
    await get(context, 'https://elsewhere.test/me', { params });

    const sent = requestsTo(fetch);
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      ...Array.from({ length: 4 }, () => `Bearer ${token}`),
      null,
    ]);
    expect(sent.map(({ url }) => url.includes('access_token'))).toEqual([false, false, false, false, true]);
  });

  test('give way to a header of the caller, however it is written', async () => {
    const fetch = stubFetch(json({ data: [] }));

    await get(pageContext({ ...header, fetch }), 'me', {
      params: { access_token: token },
      headers: { Authorization: 'Bearer other' },
    });

    expect(requestsTo(fetch)[0]?.headers.get('authorization')).toBe('Bearer other');
  });

  test('are the query otherwise, and nothing else is taken', () => {
    expect(pageContext().tokenTransport).toBe('query');
    const bad = createPageContext({ appId: '1', appSecret: 'x', tokenTransport: 'cookie' as 'query' });
    expect(bad._unsafeUnwrapErr().option).toBe('tokenTransport');
  });

  test('are understood by the sandbox, in every kind of request', async () => {
    const sandbox = createSandbox({ strict: true, appCreatedAt: new Date('2026-11-05T00:00:00Z') });
    const { app, platform, fetch, clock } = sandbox;
    const context = createPageContext({
      appId: app.id,
      appSecret: app.secret,
      platform,
      fetch,
      clock,
      ...header,
    })._unsafeUnwrap();
    const [page] = sandbox.pages;
    const user = sandbox.user.token;

    expect((await me(context, { token: user })).isOk()).toBe(true);
    expect((await grantedScopes(context, { token: user }))._unsafeUnwrap()).toContain('pages_show_list');
    expect((await inspectToken(context, { token: user }))._unsafeUnwrap().is_valid).toBe(true);
    const report = await checkConnection(context, {
      token: user,
      pageId: page?.id,
      functions: ['publishPost'],
    });
    expect(report._unsafeUnwrap().works).toBe(true);
    const parts = await batch(context, [{ method: 'GET', path: 'me' }], { token: page?.token ?? '' });
    expect(parts._unsafeUnwrap()[0].isOk()).toBe(true);
  });
});

test.each(['query', 'header'] as const)(
  'exchanges of the Page are forms, and those of login mode a GET, with the transport %s',
  async (tokenTransport) => {
    const response = json({ access_token: 'EAAnew', expires_in: 60 });
    const ofPage = stubFetch(response);
    const ofPics = stubFetch(response);
    await exchangeCode(pageContext({ tokenTransport, fetch: ofPage }), {
      code: 'c',
      redirectUri: 'https://x.test/',
    });
    await pics.refreshToken(picsContext({ tokenTransport, fetch: ofPics }), { token });

    const forms = requestsTo(ofPage);
    expect(forms.map(({ method, url }) => `${method} ${new URL(url).search}`)).toEqual(['POST ', 'POST ']);
    const [first] = await Promise.all(
      forms.map(async (request) => Object.fromEntries(await request.formData())),
    );
    expect(first).toMatchObject({ code: 'c', client_secret: 'app-secret' });
    const [refresh] = requestsTo(ofPics);
    expect([refresh?.method, refresh?.headers.has('authorization')]).toEqual(['GET', false]);
    expect(Object.fromEntries(new URL(refresh?.url ?? '').searchParams)).toMatchObject({
      access_token: token,
      grant_type: 'ig_refresh_token',
    });
  },
);

test('a context of login mode without a secret takes the header too', () => {
  expect(createPicsContext(header)._unsafeUnwrap().tokenTransport).toBe('header');
});
