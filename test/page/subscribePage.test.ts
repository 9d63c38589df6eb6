import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createPageContext } from '../../src/page/context.ts';
import { subscribePage } from '../../src/page/subscribePage.ts';
import { subscriptions } from '../../src/page/subscriptions.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

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

describe('subscribePage', () => {
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

  test('reports which events the platform took and does not show', async () => {
    for (let round = 0; round < 3; round++) {
      shows({ id: 'app-id', subscribed_fields: ['feed'] });
      subscribe('feed,leadgen').reply(200, { success: true });
    }
    shows({ id: 'app-id', subscribed_fields: ['feed'] });

    expect((await add('feed', 'leadgen'))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'unknown',
      payload: { missing: ['leadgen'] },
    });
  });

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
