import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { unsubscribeApp } from '../../src/page/unsubscribeApp.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asApp, refusal } from './support.ts';

function unsubscribe(query: object): nock.Interceptor {
  return nock(graphBase)
    .delete('/app-id/subscriptions')
    .query({ ...query, ...asApp });
}

describe('unsubscribeApp', () => {
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
