import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still } from './support/caller.ts';

const linked = still().platform.words.linkedAccount;

describe('a user', () => {
  test('gives the fields asked for, with the picture edge', async () => {
    const sandbox = still();
    const fields = 'id,name,email,picture.type(large)';
    const { body } = await caller(sandbox).get('/me', sandbox.user.token, { fields });
    expect(body).toEqual({
      id: sandbox.user.id,
      name: 'Ada Keller',
      email: 'ada@sandbox.test',
      picture: {
        data: { height: 200, width: 200, is_silhouette: false, url: expect.stringMatching(/^https:/) },
      },
    });
  });

  test('without the email permission has none', async () => {
    const sandbox = still();
    const token = sandbox.issueToken({ scopes: ['public_profile'] });
    const { body } = await caller(sandbox).get('/me', token, { fields: 'id,email' });
    expect(body).toEqual({ id: sandbox.user.id });
  });

  test('lists the Pages with tokens and linked accounts', async () => {
    const sandbox = still();
    const fields = `id,name,access_token,${linked}{id,username}`;
    const { body } = await caller(sandbox).get('/me/accounts', sandbox.user.token, { fields, limit: '100' });
    expect(body.data).toEqual(
      sandbox.pages.map((page) => ({
        id: page.id,
        name: page.name,
        access_token: page.token,
        ...(page.picsId === undefined ? {} : { [linked]: { id: page.picsId, username: page.picsUsername } }),
      })),
    );
    expect(sandbox.pages.map((page) => page.picsId !== undefined)).toEqual([true, false, true]);
    expect(pageOf(sandbox).picsId).toBe(sandbox.account.userId);
    expect(body.paging.next).toBeUndefined();
  });

  test('knows tasks on the edge only', async () => {
    const sandbox = still();
    const { get } = caller(sandbox);
    const edge = await get('/me/accounts', sandbox.user.token, { fields: 'tasks' });
    expect(edge.body.data[0].tasks).toContain('CREATE_CONTENT');
    const node = await get(`/${pageOf(sandbox).id}`, sandbox.user.token, { fields: 'tasks' });
    expect(refusal(node)).toEqual([400, 100, undefined]);
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

describe('the ad context', () => {
  const fields = 'id,name,adset{id,name,optimization_goal,targeting},campaign{id,name,objective}';

  test('nests ad set and campaign', async () => {
    const sandbox = still();
    const { adId = '' } = pageOf(sandbox);
    const { body } = await caller(sandbox).get(`/${adId}`, sandbox.user.token, { fields });
    expect(body).toEqual({
      id: adId,
      name: 'Sign up',
      adset: {
        id: expect.stringMatching(/^\d{17}$/),
        name: 'Readers 25+',
        optimization_goal: 'LEAD_GENERATION',
        targeting: { age_min: 25, geo_locations: { countries: ['DE'] } },
      },
      campaign: { id: expect.any(String), name: 'Autumn at Harbour Coffee', objective: 'OUTCOME_LEADS' },
    });
  });

  test('wants ads_management and known names, nested ones too', async () => {
    const sandbox = still();
    const path = `/${pageOf(sandbox).adId}`;
    const { get } = caller(sandbox);
    const bare = sandbox.issueToken({ scopes: ['email'] });
    expect(refusal(await get(path, bare, { fields }))).toEqual([403, 10, undefined]);
    expect(refusal(await get(path, sandbox.user.token, { fields: 'adset{goal}' }))).toEqual([
      400,
      100,
      undefined,
    ]);
    expect(refusal(await get(path, sandbox.user.token, { fields: 'adset{id' }))).toEqual([
      400,
      2500,
      undefined,
    ]);
  });
});
