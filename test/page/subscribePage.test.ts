import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { subscribePage } from '../../src/page/subscribePage.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function subscribe(subscribed_fields: string): nock.Interceptor {
  return nock(graphBase).post('/42/subscribed_apps', { subscribed_fields }).query(authenticated);
}

describe('subscribePage', () => {
  test('subscribes to the events that apps want when none are named', async () => {
    subscribe('leadgen,leadgen_update,feed,messages,messaging_postbacks,mention').reply(200, {
      success: true,
    });

    const subscribed = await subscribePage(pageContext(), options);

    expect(subscribed._unsafeUnwrap()).toBe(true);
  });

  test('subscribes to the named events, and asks again when the answer was lost', async () => {
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

  test('fails when the platform answers that it did not', async () => {
    subscribe('feed').reply(200, { success: false });

    const error = (await subscribePage(pageContext(), { ...options, fields: ['feed'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
  });

  test.each([
    ['pageId', { pageId: '' }],
    ['pageToken', { pageToken: ' ' }],
    ['fields', { fields: [] }],
    ['fields', { fields: [''] }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await subscribePage(pageContext(), { ...options, ...bad }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
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

  test('adds events to those that the app has, whatever others have', async () => {
    nock(graphBase)
      .get('/42/subscribed_apps')
      .query({ ...authenticated, limit: '100' })
      .reply(200, {
        data: [
          { id: '9', subscribed_fields: ['ratings'] },
          { id: 'app-id', subscribed_fields: ['feed', { name: 'mention', version: 'v26.0' }] },
        ],
      });
    subscribe('feed,mention,leadgen').reply(200, { success: true });

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
    nock(graphBase).get('/42/subscribed_apps').query(true).reply(200, { data });
    subscribe('leadgen').reply(200, { success: true });

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
});
