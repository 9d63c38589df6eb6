import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { grantedScopes } from '../../src/page/grantedScopes.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asApp, refusal, userToken } from './support.ts';

const options = { token: userToken };

function debug(): nock.Interceptor {
  return nock(graphBase)
    .get('/debug_token')
    .query({ ...asApp, input_token: userToken });
}

describe('grantedScopes', () => {
  test('asks with the token of the app what the token may do', async () => {
    debug().reply(200, {
      data: { app_id: '1', is_valid: true, scopes: ['email', 'pages_show_list'], user_id: '4' },
    });

    const scopes = await grantedScopes(pageContext(), options);

    expect(scopes._unsafeUnwrap()).toEqual(['email', 'pages_show_list']);
  });

  test.each([
    ['has none', { data: { is_valid: true, scopes: [] } }],
    ['is described without any', { data: { is_valid: true } }],
    [
      'is dead',
      { data: { error: { code: 190, message: 'dead', subcode: 463 }, is_valid: false, scopes: [] } },
    ],
    ['is dead and is described with those it had', { data: { is_valid: false, scopes: ['email'] } }],
    ['has an error beside those it had', { data: { error: { code: 190 }, scopes: ['email'] } }],
  ])('is empty for a token that %s', async (_, body) => {
    debug().reply(200, body);

    const scopes = await grantedScopes(pageContext(), options);

    expect(scopes._unsafeUnwrap()).toEqual([]);
  });

  test.each([
    ['refuses', 400, refusal(190)],
    ['fails to the last', 500, refusal(2)],
    ['limits the rate to the last', 403, refusal(4)],
    ['responds with no JSON', 200, '<html>'],
    ['responds with something else', 200, { data: [1] }],
  ])('is empty when the platform %s', async (_, status, body) => {
    debug()
      .times(status === 400 || status === 200 ? 1 : 3)
      .reply(status, body);

    const scopes = await grantedScopes(pageContext(), options);

    expect(scopes._unsafeUnwrap()).toEqual([]);
  });

  test('fails when the network does, without a token in the message', async () => {
    debug()
      .times(3)
      .replyWithError(new Error(`cannot reach host for ${userToken} of app-id|app-secret`));

    const error = (await grantedScopes(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
    expect(error.message).not.toMatch(/user-token|app-secret/);
  });
});
