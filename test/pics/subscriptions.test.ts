import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { subscribeAccount } from '../../src/pics/subscriptions.ts';
import { authenticated, picsContext, picsGraphBase, picsPageContext, token } from '../support/context.ts';

describe('subscribeAccount', () => {
  test('subscribes the token’s owner to the default events', async () => {
    nock(picsGraphBase)
      .post('/me/subscribed_apps', '')
      .query({
        ...authenticated,
        subscribed_fields: 'comments,messages,messaging_postbacks,message_reactions',
      })
      .reply(200, { success: true });

    expect((await subscribeAccount(picsContext(), { token }))._unsafeUnwrap()).toBe(true);
  });

  test('subscribes another account to other events', async () => {
    nock(picsGraphBase)
      .post('/1784/subscribed_apps', '')
      .query({ ...authenticated, subscribed_fields: 'comments,mentions' })
      .reply(200, { success: 'true' });

    const subscribed = await subscribeAccount(picsContext(), {
      token,
      picsUserId: '1784',
      fields: ['comments', 'mentions'],
    });

    expect(subscribed._unsafeUnwrap()).toBe(true);
  });

  test('is sent again after a lost response', async () => {
    nock(picsGraphBase).post('/me/subscribed_apps').query(true).reply(503, '');
    nock(picsGraphBase).post('/me/subscribed_apps').query(true).reply(200, { success: true });

    expect((await subscribeAccount(picsContext(), { token })).isOk()).toBe(true);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/me/subscribed_apps')
      .query(true)
      .reply(400, { error: { message: 'Bad field', code: 100 } });

    const error = (await subscribeAccount(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'Bad field', category: 'validation' });
  });

  test.each([[{ token, picsUserId: '1784' }], [{ token }]])(
    'refuses page mode before anything is sent, and says so first: %o',
    async (options) => {
      const error = (await subscribeAccount(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ConfigurationError',
        option: 'context',
        message: 'this function works in login mode only: subscribe the Page instead',
      });
    },
  );

  test.each([
    ['a list', { data: [{ app_id: 'pics-app-id', subscribed_fields: ['mentions'] }, { app_id: '9' }] }],
    ['the entry of the app alone', { id: 'pics-app-id', subscribed_fields: ['mentions'] }],
  ])('adds events to those that the app has, from %s', async (_, body) => {
    nock(picsGraphBase).get('/me/subscribed_apps').query(authenticated).reply(200, body);
    nock(picsGraphBase)
      .post('/me/subscribed_apps', '')
      .query({ ...authenticated, subscribed_fields: 'mentions,comments' })
      .reply(200, { success: true });
    nock(picsGraphBase)
      .get('/me/subscribed_apps')
      .query(authenticated)
      .reply(200, { data: [{ id: 'pics-app-id', subscribed_fields: ['mentions', 'comments'] }] });

    const subscribed = await subscribeAccount(picsContext(), { token, fields: ['comments'], add: true });

    expect(subscribed._unsafeUnwrap()).toBe(true);
  });

  test.each([
    ['is refused', 400, { error: { message: 'No', code: 10 } }],
    ['is of another shape', 200, { data: {} }],
  ])('sends nothing when the read of the events %s', async (_, status, body) => {
    nock(picsGraphBase).get('/me/subscribed_apps').query(true).reply(status, body);

    const error = (await subscribeAccount(picsContext(), { token, add: true }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'rejected' });
  });

  test('cannot add events without the id of the app', async () => {
    const error = (
      await subscribeAccount(picsContext({ appId: '' }), { token, add: true })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'appId' });
  });
});
