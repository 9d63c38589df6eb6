import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { appSubscriptions } from '../../src/page/appSubscriptions.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asApp, refusal } from './support.ts';

function ask(): nock.Interceptor {
  return nock(graphBase).get('/app-id/subscriptions').query(asApp);
}

describe('appSubscriptions', () => {
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
