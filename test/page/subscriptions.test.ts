import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test, vi } from 'vitest';

import { createWriteMemory } from '../../src/core/writes/memory.ts';
import { createPageContext } from '../../src/page/context.ts';
import {
  appSubscriptions,
  subscribeApp,
  type SubscribeAppOptions,
  subscribePage,
  subscriptions,
  unsubscribeApp,
  unsubscribePage,
} from '../../src/page/subscriptions.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { asApp, refusal } from './support.ts';

describe('subscribePage', () => {
  const options = { pageId: '42', pageToken: token };

  function subscribe(subscribed_fields: string): nock.Interceptor {
    return nock(graphBase).post('/42/subscribed_apps', { subscribed_fields }).query(authenticated);
  }

  /** The platform shows these apps once. */
  function shows(...data: readonly object[]): void {
    nock(graphBase)
      .get('/42/subscribed_apps')
      .query({ ...authenticated, limit: '100' })
      .reply(200, { data });
  }

  function add(...fields: readonly string[]) {
    return subscribePage(pageContext(), { ...options, fields, add: true });
  }

  test('subscribes to the events that apps want when none are named', async () => {
    subscribe('leadgen,leadgen_update,feed,messages,messaging_postbacks,mention').reply(200, {
      success: true,
    });

    const subscribed = await subscribePage(pageContext(), options);

    expect(subscribed._unsafeUnwrap()).toBe(true);
  });

  test('subscribes to the named events, and asks again when the response was lost', async () => {
    subscribe('leadgen,feed').replyWithError(new Error('socket hang up'));
    subscribe('leadgen,feed').reply(200, { success: true });

    const subscribed = await subscribePage(pageContext(), { ...options, fields: ['leadgen', 'feed'] });

    expect(subscribed._unsafeUnwrap()).toBe(true);
  });

  test('fails with PermissionError when an event needs another permission', async () => {
    subscribe('messages').reply(403, refusal(200));

    const error = (
      await subscribePage(pageContext(), { ...options, fields: ['messages'] })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 200, outcome: 'rejected' });
  });

  test('fails when the platform says that it did not', async () => {
    subscribe('feed').reply(200, { success: false });

    const error = (await subscribePage(pageContext(), { ...options, fields: ['feed'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
  });

  test('changes nothing where the list of apps repeats itself without end', async () => {
    const methods: string[] = [];
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      methods.push((input as Request).method);
      const next = `${graphBase}/42/subscribed_apps?after=${methods.length}`;
      return Response.json({ data: [{ id: '9', subscribed_fields: ['feed'] }], paging: { next } });
    };

    const error = (await subscribePage(pageContext({ fetch }), { ...options, add: true }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining('paging.next') });
    expect(methods).toEqual(Array(51).fill('GET'));
  });

  test('adds events to those that the app has, whatever others have, and reads them back', async () => {
    shows(
      { id: '9', subscribed_fields: ['ratings'] },
      { id: 'app-id', subscribed_fields: ['feed', { name: 'mention', version: 'v26.0' }] },
    );
    subscribe('feed,mention,leadgen').reply(200, { success: true });
    shows({ id: 'app-id', subscribed_fields: ['feed', 'mention', 'leadgen'] });

    const subscribed = await subscribePage(pageContext(), {
      ...options,
      fields: ['leadgen', 'feed'],
      add: true,
    });

    expect(subscribed._unsafeUnwrap()).toBe(true);
  });

  test.each([
    ['no app', []],
    ['its own entry without fields', [{ id: 'app-id' }]],
    ['its own entry with null fields', [{ id: 'app-id', subscribed_fields: null }]],
  ])('adds events where the Page lists %s', async (_, data) => {
    shows(...data);
    subscribe('leadgen').reply(200, { success: true });
    shows({ id: 'app-id', subscribed_fields: ['leadgen'] });

    const subscribed = await subscribePage(pageContext(), { ...options, fields: ['leadgen'], add: true });

    expect(subscribed.isOk()).toBe(true);
  });

  test.each([
    ['is refused', 403, refusal(200)],
    ['is no list', 200, { data: 'none' }],
    ['has fields of another shape', 200, { data: [{ id: 'app-id', subscribed_fields: 'feed' }] }],
  ])('sends nothing when the read of the events %s', async (_, status, body) => {
    nock(graphBase).get('/42/subscribed_apps').query(true).reply(status, body);

    const error = (
      await subscribePage(pageContext(), { ...options, fields: ['leadgen'], add: true })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'rejected' });
  });

  test('writes again what another process took out between the read and the write', async () => {
    shows({ id: 'app-id', subscribed_fields: ['feed'] });
    subscribe('feed,leadgen').reply(200, { success: true });
    shows({ id: 'app-id', subscribed_fields: ['feed', 'mention'] });
    subscribe('feed,mention,leadgen').reply(200, { success: true });
    shows({ id: 'app-id', subscribed_fields: ['feed', 'mention', 'leadgen'] });

    expect((await add('leadgen'))._unsafeUnwrap()).toBe(true);
  });

  test('looks again for some seconds, writing once, while the list does not show it yet', async () => {
    for (let look = 0; look < 4; look++) shows({ id: 'app-id', subscribed_fields: ['feed'] });
    shows({ id: 'app-id', subscribed_fields: ['feed', 'leadgen'] });
    subscribe('feed,leadgen').reply(200, { success: true });
    const clock = virtualClock();

    const added = await subscribePage(pageContext({ clock }), { ...options, fields: ['leadgen'], add: true });

    expect(added._unsafeUnwrap()).toBe(true);
    expect(clock.slept).toEqual([500, 1000, 2000]);
  });

  test('reports which events the platform took and never shows', async () => {
    for (let look = 0; look < 6; look++) shows({ id: 'app-id', subscribed_fields: ['feed'] });
    subscribe('feed,leadgen').reply(200, { success: true });
    const context = pageContext({ clock: virtualClock() });

    const added = await subscribePage(context, { ...options, fields: ['feed', 'leadgen'], add: true });

    expect(added._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'unknown',
      payload: { missing: ['leadgen'] },
    });
  });

  test('waits for a call that the runtime ended a minute, and once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const memory = createWriteMemory();
      const call = { ...options, fields: ['feed'], add: true };
      // Nothing that it does comes to an end, not even its timers.
      const fetch = (): Promise<never> => new Promise(() => undefined);
      void subscribePage(pageContext({ memory, fetch, timeoutMs: 2 ** 31 - 1 }), call);
      await vi.advanceTimersByTimeAsync(1000);
      const data = [{ id: 'app-id', subscribed_fields: ['feed'] }];
      const context = pageContext({ memory, fetch: async () => Response.json({ success: true, data }) });

      const over: string[] = [];
      void subscribePage(context, call).then((added) => over.push(`first ${added.isOk()}`));
      await vi.advanceTimersByTimeAsync(59_000);
      expect(over).toEqual([]);
      await vi.advanceTimersByTimeAsync(2000);
      // A proof is made on another thread, whatever the time.
      await expect.poll(() => over).toEqual(['first true']);
      void subscribePage(context, call).then((added) => over.push(`second ${added.isOk()}`));
      await expect.poll(() => over).toEqual(['first true', 'second true']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not start a pause that would exceed the deadline', async () => {
    for (let look = 0; look < 3; look++) shows({ id: 'app-id', subscribed_fields: ['feed'] });
    subscribe('feed,leadgen').reply(200, { success: true });
    const clock = virtualClock();
    const context = pageContext({ clock, deadlineMs: 1200 });

    const added = await subscribePage(context, { ...options, fields: ['leadgen'], add: true });

    expect(added._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', payload: { missing: ['leadgen'] } });
    expect(clock.slept).toEqual([500]);
  });

  test('writes again, at most three times, what another process takes away each time', async () => {
    shows({ id: 'app-id', subscribed_fields: ['feed'] });
    for (const other of ['a', 'b', 'c']) shows({ id: 'app-id', subscribed_fields: [other] });
    subscribe('feed,leadgen').reply(200, { success: true });
    subscribe('a,leadgen').reply(200, { success: true });
    subscribe('b,leadgen').reply(200, { success: true });

    expect((await add('leadgen'))._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      payload: { missing: ['leadgen'] },
    });
  });

  test.each([[{ id: 'app-id' }], [{ id: 'app-id', subscribed_fields: [] }]])(
    'takes the success of the platform, where its entry lists no fields: %j',
    async (entry) => {
      shows(entry);
      subscribe('leadgen').reply(200, { success: true });
      shows(entry);

      expect((await add('leadgen'))._unsafeUnwrap()).toBe(true);
    },
  );

  test('says that the events were added if they cannot be read back', async () => {
    shows();
    subscribe('leadgen').reply(200, { success: true });
    nock(graphBase).get('/42/subscribed_apps').query(true).reply(403, refusal(200));

    expect((await add('leadgen'))._unsafeUnwrapErr()).toMatchObject({ code: 200, outcome: 'applied' });
  });

  describe('three calls side by side', () => {
    const { app, platform, fetch, pages, fault, effects, requests } = createSandbox({ strict: true });
    const context = createPageContext({
      appId: app.id,
      appSecret: app.secret,
      platform,
      fetch,
    })._unsafeUnwrap();
    const fieldsOf = async (pageId: string, pageToken: string) =>
      (await subscriptions(context, { pageId, pageToken }))._unsafeUnwrap()[0]?.subscribed_fields;

    test('add what each of them is to add', async () => {
      const [{ id: pageId, token: pageToken } = { id: '', token: '' }] = pages;
      const names = ['feed', 'leadgen', 'mention'];

      const added = await Promise.all(
        names.map((name) => subscribePage(context, { pageId, pageToken, fields: [name], add: true })),
      );

      expect(added.map((one) => one._unsafeUnwrap())).toEqual([true, true, true]);
      expect(await fieldsOf(pageId, pageToken)).toEqual(names);
      expect(effects('subscribe').length).toBe(3);
    });

    test('of which one hangs and one is aborted: the third one comes after the first', async () => {
      const [, { id: pageId, token: pageToken } = { id: '', token: '' }] = pages;
      fault({ method: 'POST', path: '/subscribed_apps', delayMs: 50 });
      const abort = new AbortController();
      const add = (name: string, signal?: AbortSignal) =>
        subscribePage(context, { pageId, pageToken, fields: [name], add: true, signal });
      const all = [add('feed'), add('leadgen', abort.signal), add('mention')];
      abort.abort();

      const [first, second, third] = await Promise.all(all);

      expect([first?.isOk(), third?.isOk()]).toEqual([true, true]);
      expect(second?._unsafeUnwrapErr()).toMatchObject({ reason: 'aborted', outcome: 'rejected' });
      expect(await fieldsOf(pageId, pageToken)).toEqual(['feed', 'mention']);
      expect(requests.filter(({ faulted }) => faulted).length).toBe(1);
    });
  });
});

describe('subscriptions', () => {
  const options = { pageId: '42', pageToken: token };

  function apps(): nock.Interceptor {
    return nock(graphBase).get('/42/subscribed_apps').query(authenticated);
  }

  test('reads the list as the platform sent it', async () => {
    const data = [
      {
        category: 'Business',
        link: 'https://app',
        name: 'My App',
        id: '7',
        subscribed_fields: ['feed', 'leadgen'],
      },
    ];
    apps().reply(200, { data });

    const found = await subscriptions(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual(data);
  });

  test('changes nothing of what the platform sent, whatever it is', async () => {
    const data = [{ id: '7', name: null, link: 5, subscribed_fields: null, other: { name: null } }];
    apps().reply(200, { data });

    const [app] = (await subscriptions(pageContext(), options))._unsafeUnwrap();

    expect(JSON.parse(JSON.stringify(app))).toEqual(data[0]);
  });

  test('holds no secret', async () => {
    apps().reply(200, { data: [{ id: '7', link: `https://app/?t=${token}`, access_token: 'EAAB' }] });

    const found = (await subscriptions(pageContext(), options))._unsafeUnwrap();

    expect(JSON.stringify(found)).toBe(
      '[{"id":"7","link":"https://app/?t=[secret]","access_token":"[secret]"}]',
    );
  });

  test('is empty when no app is subscribed', async () => {
    apps().reply(200, { data: [] });

    expect((await subscriptions(pageContext(), options))._unsafeUnwrap()).toEqual([]);
  });

  test('fails with PermissionError when the permission is missing', async () => {
    apps().reply(403, refusal(210));

    const error = (await subscriptions(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 210 });
  });

  test.each([[{}], [{ data: {} }], [{ data: ['7'] }]])(
    'fails for a response without a list of apps: %j',
    async (body) => {
      apps().reply(200, body);

      const error = (await subscriptions(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', status: 200, payload: body });
    },
  );
});

describe('unsubscribePage', () => {
  const options = { pageId: '42', pageToken: token };

  function unsubscribe(): nock.Interceptor {
    return nock(graphBase).delete('/42/subscribed_apps').query(authenticated);
  }

  test('deletes the subscription', async () => {
    unsubscribe().reply(200, { success: true });

    expect((await unsubscribePage(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('asks again when the response was lost', async () => {
    unsubscribe().reply(502, 'Bad Gateway');
    unsubscribe().reply(200, { success: true });

    expect((await unsubscribePage(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('fails with PermissionError when the permission is missing', async () => {
    unsubscribe().reply(403, refusal(200));

    const error = (await unsubscribePage(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', outcome: 'rejected' });
  });
});

describe('appSubscriptions', () => {
  function ask(): nock.Interceptor {
    return nock(graphBase).get('/app-id/subscriptions').query(asApp);
  }

  test('reads what the app receives, with its own token; photo-sharing accounts are pics', async () => {
    const fields = [{ name: 'feed', version: 'v26.0' }];
    const callback_url = 'https://example.org/webhooks';
    const data = [
      { object: 'page', callback_url, active: true, fields },
      { object: 'instagram', callback_url, active: false, fields },
      { object: 'user' },
      { object: 'novelty', fields: [{ name: 'x' }, { version: 'v1' }] },
    ];
    ask().reply(200, { data });

    const found = (await appSubscriptions(pageContext()))._unsafeUnwrap();

    expect(found).toEqual([
      { object: 'page', callback_url, active: true, fields },
      { object: 'pics', callback_url, active: false, fields },
      { object: 'user', fields: [] },
      { object: 'novelty', fields: [{ name: 'x' }] },
    ]);
    expect(found.map(({ raw }) => raw)).toEqual(data);
  });

  test('fails where the platform refuses the token of the app', async () => {
    ask().reply(400, refusal(190));

    expect((await appSubscriptions(pageContext()))._unsafeUnwrapErr()).toMatchObject({ code: 190 });
  });

  test.each([{}, { data: {} }, { data: [{ fields: [] }] }])('fails for what is no list: %j', async (body) => {
    ask().reply(200, body);

    expect((await appSubscriptions(pageContext()))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      payload: body,
    });
  });
});

describe('subscribeApp', () => {
  const callbackUrl = 'https://example.org/webhooks';

  const options: SubscribeAppOptions = {
    object: 'page',
    callbackUrl,
    verifyToken: 'geheim-4711',
    fields: ['feed', 'leadgen'],
  };

  function subscribe(object = 'page'): nock.Interceptor {
    const form = {
      object,
      callback_url: callbackUrl,
      verify_token: 'geheim-4711',
      fields: 'feed,leadgen',
      include_values: 'true',
    };
    return nock(graphBase).post('/app-id/subscriptions', form).query(asApp);
  }

  test.each([
    ['page', 'page'],
    ['pics', 'instagram'],
    ['user', 'user'],
    ['permissions', 'permissions'],
  ] as const)('subscribes the app to %s, with the content of its events', async (object, sent) => {
    subscribe(sent).reply(200, { success: true });

    expect((await subscribeApp(pageContext(), { ...options, object }))._unsafeUnwrap()).toBe(true);
  });

  test('takes the success that is a text', async () => {
    subscribe().reply(200, { success: 'true' });

    expect((await subscribeApp(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('asks again when the response was lost, since fields that are there stay', async () => {
    subscribe().reply(502, 'Bad Gateway');
    subscribe().reply(200, { success: true });

    expect((await subscribeApp(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('fails where the platform gets no challenge, and does not show the verify token', async () => {
    const message = '(#2200) Callback verification failed with the following errors: geheim-4711';
    subscribe().reply(400, refusal(2200, { message }));

    const failure = (await subscribeApp(pageContext(), options))._unsafeUnwrapErr();

    expect(failure).toMatchObject({ name: 'ApiError', code: 2200, outcome: 'rejected' });
    expect(inspect(failure, { depth: 9 }) + JSON.stringify(failure)).not.toContain('geheim');
  });

  test.each([
    ['verifyToken', { verifyToken: 'geheim 4711' }],
    ['verifyToken', { verifyToken: 'geheim-4711'.repeat(6) }],
  ])('refuses a wrong %s: %j', async (option, wrong) => {
    const failure = (
      await subscribeApp(pageContext(), { ...options, ...wrong } as SubscribeAppOptions)
    )._unsafeUnwrapErr();

    expect(failure).toMatchObject({ name: 'ConfigurationError', option });
    expect(failure.message).not.toContain('geheim');
  });

  test('takes a verify token of 64 characters', async () => {
    nock(graphBase).post('/app-id/subscriptions').query(asApp).reply(200, { success: true });

    const verifyToken = 'x'.repeat(64);
    expect((await subscribeApp(pageContext(), { ...options, verifyToken })).isOk()).toBe(true);
  });
});

describe('unsubscribeApp', () => {
  function unsubscribe(query: object): nock.Interceptor {
    return nock(graphBase)
      .delete('/app-id/subscriptions')
      .query({ ...query, ...asApp });
  }

  test.each([
    [{ object: 'page' }, { object: 'page' }],
    [
      { object: 'pics', fields: ['comments', 'messages'] },
      { object: 'instagram', fields: 'comments,messages' },
    ],
  ] as const)('ends the subscription to %j', async (options, query) => {
    unsubscribe(query).reply(200, { success: true });

    expect((await unsubscribeApp(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('asks again when the response was lost', async () => {
    unsubscribe({ object: 'user' }).reply(502, 'Bad Gateway');
    unsubscribe({ object: 'user' }).reply(200, { success: true });

    expect((await unsubscribeApp(pageContext(), { object: 'user' }))._unsafeUnwrap()).toBe(true);
  });

  test('fails where the platform knows no such field', async () => {
    unsubscribe({ object: 'page', fields: 'x' }).reply(400, refusal(100));

    const failed = await unsubscribeApp(pageContext(), { object: 'page', fields: ['x'] });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100 });
  });

  // Without an object, the platform would end them all.
});
