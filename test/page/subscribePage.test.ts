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
});
