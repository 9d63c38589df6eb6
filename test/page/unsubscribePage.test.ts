import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { unsubscribePage } from '../../src/page/unsubscribePage.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function unsubscribe(): nock.Interceptor {
  return nock(graphBase).delete('/42/subscribed_apps').query(authenticated);
}

describe('unsubscribePage', () => {
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
