import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { subscribeApp, type SubscribeAppOptions } from '../../src/page/subscribeApp.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asApp, refusal } from './support.ts';

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

describe('subscribeApp', () => {
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
