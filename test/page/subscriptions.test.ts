import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { subscriptions } from '../../src/page/subscriptions.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function apps(): nock.Interceptor {
  return nock(graphBase).get('/42/subscribed_apps').query(authenticated);
}

describe('subscriptions', () => {
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
