import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { inspectToken } from '../../src/page/inspectToken.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asApp, refusal, userToken } from './support.ts';

const options = { token: userToken };

function debug(): nock.Interceptor {
  return nock(graphBase)
    .get('/debug_token')
    .query({ ...asApp, input_token: userToken });
}

describe('inspectToken', () => {
  test('reports what a token is, whose, until when and for what', async () => {
    debug().reply(200, {
      data: {
        app_id: '1',
        type: 'USER',
        application: 'n',
        expires_at: 1577347200,
        data_access_expires_at: 1585040349,
        is_valid: true,
        issued_at: 1347235328,
        scopes: ['pages_show_list'],
        granular_scopes: [
          { scope: 'pages_show_list', target_ids: ['17841400000000001'] },
          { scope: 'email' },
        ],
        user_id: '4',
      },
    });

    expect((await inspectToken(pageContext(), options))._unsafeUnwrap()).toEqual({
      is_valid: true,
      type: 'USER',
      app_id: '1',
      user_id: '4',
      profile_id: undefined,
      issued_at: new Date(1347235328_000),
      expires_at: new Date(1577347200_000),
      data_access_expires_at: new Date(1585040349_000),
      never_expires: false,
      scopes: ['pages_show_list'],
      granular_scopes: [
        { scope: 'pages_show_list', target_ids: ['17841400000000001'] },
        { scope: 'email', target_ids: undefined },
      ],
      error: undefined,
    });
  });

  test('knows a page token without an end, and ids that come as numbers beyond 2^53', async () => {
    debug().reply(
      200,
      '{"data":{"app_id":9007199254740993,"type":"PAGE","expires_at":0,"data_access_expires_at":0,"is_valid":true,"profile_id":12345678901234567890,"scopes":null,"granular_scopes":null}}',
    );

    expect((await inspectToken(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      app_id: '9007199254740993',
      profile_id: '12345678901234567890',
      never_expires: true,
      expires_at: undefined,
      data_access_expires_at: undefined,
      scopes: [],
      granular_scopes: [],
    });
  });

  test.each([
    [
      'with the reason',
      {
        error: { code: 190, message: `Session of ${userToken} has expired`, subcode: 463 },
        is_valid: false,
        scopes: [],
      },
      { error: { code: 190, subcode: 463, message: 'Session of [secret] has expired' } },
    ],
    [
      'with the scopes that it had',
      { is_valid: false, scopes: ['email'], error: { code: 190, subcode: 467 } },
      { scopes: ['email'], error: { code: 190, subcode: 467, message: undefined } },
    ],
    ['with a reason alone', { error: { code: 190 } }, { error: { code: 190 }, never_expires: false }],
    ['without a reason', { is_valid: false }, { error: undefined }],
  ])('a dead token is a value, %s', async (_, data, expected) => {
    debug().reply(200, { data });

    const info = (await inspectToken(pageContext(), options))._unsafeUnwrap();

    expect(info).toMatchObject({ is_valid: false, ...expected });
    expect(JSON.stringify(info)).not.toContain(userToken);
  });

  test.each([
    ['the app itself is refused', 400, refusal(190), { category: 'auth' }],
    ['the response is not one', 200, { data: [1] }, { name: 'ApiError', status: 200 }],
  ])('fails when %s', async (_, status, body, expected) => {
    debug().reply(status, body);

    const error = (await inspectToken(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome: 'rejected', ...expected });
  });
});
