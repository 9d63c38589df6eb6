import { describe, expect, test } from 'vitest';

import { createSandbox, type SandboxQuotas } from '../../src/sandbox/index.ts';
import { as } from './pics/support.ts';
import { caller, pageOf, proofOf, read, refusal, still, type Reply } from './support/caller.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function setting(quotas: SandboxQuotas) {
  const sandbox = still({ quotas });
  const page = pageOf(sandbox);
  return { sandbox, page, ...caller(sandbox) };
}

const appUsage = ({ headers }: Reply): unknown => JSON.parse(headers.get('x-app-usage') ?? 'null');
const usage = ({ headers }: Reply): unknown => JSON.parse(headers.get('x-business-use-case-usage') ?? 'null');
const entry = (type: string, call_count: number, estimated_time_to_regain_access = 0) => [
  { type, call_count, total_cputime: 0, total_time: 0, estimated_time_to_regain_access },
];

describe('calls', () => {
  test('of a Page token are reported in whole percent, by the Page', async () => {
    const { sandbox, page, get, post } = setting({ page: 3 });
    const first = await get(`/${page.id}`, page.token);
    const second = await post(`/${page.id}/feed`, page.token, { message: 'x' });

    expect([usage(first), usage(second)]).toEqual([
      { [page.id]: entry('pages', 33) },
      { [page.id]: entry('pages', 66) },
    ]);
    expect(appUsage(first)).toBeNull();
    expect(sandbox.quotas).toEqual([
      { kind: 'page', id: page.id, calls: 2, limit: 3, percent: 66, blockedUntil: undefined },
    ]);
  });

  test('of user and app tokens are reported in their own header', async () => {
    const { sandbox, get } = setting({ user: 4, app: 10 });
    const { id, secret } = sandbox.app;
    const byUser = await get('/me/accounts', sandbox.user.token);
    const byApp = await get(`/${id}/subscriptions`, `${id}|${secret}`);

    expect([appUsage(byUser), appUsage(byApp)]).toEqual([
      { call_count: 25, total_cputime: 0, total_time: 0 },
      { call_count: 10, total_cputime: 0, total_time: 0 },
    ]);
    expect([usage(byUser), usage(byApp)]).toEqual([null, null]);
  });

  test('of one Page token count by what they are for', async () => {
    const { sandbox, page, get } = setting({ page: 10, messages: 10, leads: 10, pics: 10, app: 10 });
    const user_id = sandbox.account.userId;
    const types: unknown[] = [];
    for (const path of [
      `/${page.id}/conversations`,
      `/${page.conversationIds[0]}`,
      `/${page.formIds[0]}/leads`,
      `/${page.postIds[0]}`,
    ]) {
      types.push(usage(await get(path, page.token)));
    }
    expect(types).toEqual([
      { [page.id]: entry('messenger', 10) },
      { [page.id]: entry('messenger', 20) },
      { [page.id]: entry('leadgen', 10) },
      { [page.id]: entry('pages', 10) },
    ]);

    const media = await get(`/${user_id}/media`, page.token);
    expect(Object.keys(usage(media) as object)).toEqual([expect.any(String), user_id]);
    expect(Object.values(usage(media) as object)).toEqual([entry('instagram', 10), entry('instagram', 10)]);
    const search = await get('/ig_hashtag_search', page.token, { user_id, q: 'coffee' });
    expect([appUsage(search), usage(search)]).toEqual([
      { call_count: 10, total_cputime: 0, total_time: 0 },
      null,
    ]);
  });

  test('of login mode count for the account', async () => {
    const { sandbox } = setting({ pics: 2 });

    const { headers } = await as('login', sandbox).get('/me');

    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? 'null')).toEqual({
      [sandbox.account.userId]: entry('instagram', 50),
    });
  });

  test('of a batch count one by one', async () => {
    const { sandbox, page, post } = setting({ page: 2 });
    const batch = JSON.stringify(Array(3).fill({ method: 'GET', relative_url: `v26.0/${page.id}` }));

    const { body } = await post('/', page.token, { batch });

    expect(body.map(({ code }: { code: number }) => code)).toEqual([200, 200, 400]);
    expect(sandbox.quotas).toMatchObject([{ calls: 3 }]);
  });

  test('of several ids at once count one by one', async () => {
    const { sandbox, page, get } = setting({ page: 4 });
    const ids = [page.id, ...page.postIds.slice(0, 2)].join(',');
    const at = new URL(`${sandbox.platform.graphUrl}/v25.0/`);
    const query = { ids, access_token: page.token, appsecret_proof: proofOf(sandbox.app.secret, page.token) };
    for (const [name, value] of Object.entries(query)) at.searchParams.set(name, value);

    expect(usage(await read(await sandbox.fetch(at)))).toEqual({ [page.id]: entry('pages', 75) });
    expect(usage(await get(`/${page.id}`, page.token))).toMatchObject({
      [page.id]: [{ type: 'pages', call_count: 100 }],
    });
  });

  test('are reported only after as many as the quota says', async () => {
    const { sandbox, page, get } = setting({ page: { calls: 4, headersAfter: 2 } });
    const told: unknown[] = [];
    for (let call = 0; call < 4; call++) told.push(usage(await get(`/${page.id}`, page.token)));

    expect(told).toMatchObject([null, null, { [page.id]: [{ call_count: 75 }] }, expect.anything()]);
    expect(sandbox.quotas).toMatchObject([{ calls: 4, percent: 100 }]);
    sandbox.advance(day);
    expect(usage(await get(`/${page.id}`, page.token))).toBeNull();
  });

  test('without a limit are not counted', async () => {
    const { sandbox, page, get } = setting({ leads: 1 });

    const response = await get(`/${page.id}`, page.token);

    expect([appUsage(response), usage(response), sandbox.quotas]).toEqual([null, null, []]);
  });
});

describe('over the limit, calls', () => {
  test('are refused until the rolling count falls below it, and still count', async () => {
    const { sandbox, page, get } = setting({ page: 2 });
    const ask = () => get(`/${page.id}`, page.token);
    await ask();
    sandbox.advance(hour);
    expect(usage(await ask())).toEqual({ [page.id]: entry('pages', 100, 23 * 60) });

    const refused = await ask();
    expect(refusal(refused)).toEqual([400, 80_001, undefined]);
    // It has made the block longer: two calls have to leave the window now.
    expect(usage(refused)).toEqual({ [page.id]: entry('pages', 150, 24 * 60) });
    expect(sandbox.quotas[0]?.blockedUntil).toBe(sandbox.now() + day);
    sandbox.advance(day - 1);
    expect(sandbox.quotas).toMatchObject([{ calls: 2, percent: 100 }]);
    sandbox.advance(1);
    expect((await ask()).status).toBe(200);
  });

  test('are let through again after the window that the quota says', async () => {
    const { sandbox, page, get } = setting({ page: { calls: 1, windowMs: 90_000 } });
    const ask = () => get(`/${page.id}`, page.token);

    expect(usage(await ask())).toEqual({ [page.id]: entry('pages', 100, 2) });
    expect(refusal(await ask())).toEqual([400, 80_001, undefined]);
    sandbox.advance(90_000);
    expect((await ask()).status).toBe(200);
  });

  test('do nothing', async () => {
    const { sandbox, page, post } = setting({ page: 1 });
    await post(`/${page.id}/feed`, page.token, { message: 'one' });

    expect((await post(`/${page.id}/feed`, page.token, { message: 'two' })).status).toBe(400);
    expect(sandbox.effects('post')).toHaveLength(1);
  });

  test('are refused by the code of their limit', async () => {
    const { sandbox, page, get } = setting({ app: 1, user: 1, messages: 1, leads: 1, pics: 1 });
    const { id, secret } = sandbox.app;
    const codes: unknown[] = [];
    for (const [path, token] of [
      [`/${id}/subscriptions`, `${id}|${secret}`],
      ['/me', sandbox.user.token],
      [`/${page.id}/conversations`, page.token],
      [`/${page.id}/leadgen_forms`, page.token],
      [`/${sandbox.account.userId}`, page.token],
    ] as const) {
      await get(path, token);
      codes.push(refusal(await get(path, token)).slice(0, 2));
    }

    // Of a Page, people are refused by a code of its own.
    codes.push(refusal(await get(`/${page.id}`, sandbox.user.token)).slice(0, 2));

    expect(codes).toEqual([
      [403, 4],
      [400, 17],
      [400, 80_006],
      [400, 80_005],
      [400, 80_002],
      [400, 32],
    ]);
    sandbox.advance(hour);
    expect((await get('/me', sandbox.user.token)).status).toBe(200);
  });
});

describe('rates, which no header reports,', () => {
  const ofSends = { recipient: '{"id":"1"}', message: '{"text":"Hello"}' };
  const { recipient } = ofSends;
  const video = '{"attachment":{"type":"video","payload":{"attachment_id":"1"}}}';
  test.each([
    ['conversations', 1000, 'get', '/me/conversations', {}],
    ['conversations', 1000, 'get', '/conversation/messages', {}],
    ['sends', 1000, 'post', '/me/messages', ofSends],
    ['media', 1000, 'post', '/me/messages', { recipient, message: video }],
    ['privateReplies', hour, 'post', '/me/messages', { ...ofSends, recipient: '{"comment_id":"1"}' }],
    ['messengerProfile', 10 * minute, 'get', '/me/messenger_profile', { fields: 'greeting' }],
  ] as const)('are refused by code 613: %s, for %i ms', async (kind, windowMs, method, path, params) => {
    const { sandbox, page, ...graph } = setting({ [kind]: 1 });
    const at = path.replace('/conversation/', `/${page.conversationIds[0]}/`);
    const ask = () => graph[method](at, page.token, params);
    const isRefused = async (): Promise<boolean> => refusal(await ask())[1] === 613;

    expect(await isRefused()).toBe(false);
    expect(usage(await ask())).toBeNull();
    expect(await isRefused()).toBe(true);
    expect(sandbox.quotas).toMatchObject([{ kind, id: page.id, calls: 3, limit: 1 }]);
    sandbox.advance(windowMs);
    expect(await isRefused()).toBe(false);
  });

  test('count in addition to the calls of the day, and one kind of message not for another', async () => {
    const { sandbox, page, get, post } = setting({ messages: 100, conversations: 9, sends: 9, media: 9 });
    await get(`/${page.id}/conversations`, page.token);
    await post(`/${page.id}/messages`, page.token, ofSends);
    await post(`/${page.id}/messages`, page.token, { recipient, message: video });
    await post(`/${page.id}/messages`, page.token, { recipient, sender_action: 'typing_on' });

    expect(sandbox.quotas.map(({ kind, calls }) => [kind, calls])).toEqual([
      ['messages', 4],
      ['conversations', 1],
      ['sends', 1],
      ['media', 1],
    ]);
  });
});

test('quotas are positive whole numbers under known names', () => {
  for (const quotas of [
    { page: 0 },
    { page: 1.5 },
    { pages: 3 },
    { page: { calls: 0 } },
    { page: { calls: 1, windowMs: 0 } },
    { page: { calls: 1, headersAfter: -1 } },
  ]) {
    expect(() => createSandbox({ quotas: quotas as SandboxQuotas })).toThrow(
      /quotas\.page|no quota pages: app, user, page/,
    );
  }
});
