import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createPicsContextViaPages } from '../../src/pics/context.ts';
import { inspectToken } from '../../src/pics/inspectToken.ts';
import { appSecret, graphBase, picsContext, picsPageContext, platform, token } from '../support/context.ts';

describe('inspectToken', () => {
  test('asks the page graph as the app', async () => {
    const context = createPicsContextViaPages({ platform, appSecret, appId: 'app-id' })._unsafeUnwrap();
    nock(graphBase)
      .get('/debug_token')
      .query({
        access_token: 'app-id|app-secret',
        appsecret_proof: '5f2ed0e066975d94ab13138f2fac6d5a6c41b621034436e53d6d59b320c25b06',
        input_token: token,
      })
      .reply(200, {
        data: { type: 'PAGE', is_valid: true, expires_at: 0, profile_id: '7', error: null },
      });

    expect((await inspectToken(context, { token }))._unsafeUnwrap()).toMatchObject({
      is_valid: true,
      profile_id: '7',
      never_expires: true,
    });
  });

  test.each([
    ['a context without app id', picsPageContext(), { token }, 'appId'],
    ['an empty app id', picsPageContext({ appId: '' } as object), { token }, 'appId'],
    ['login mode', picsContext(), { token }, 'context'],
  ])('refuses %s before anything is sent', async (_, context, options, option) => {
    const error = (await inspectToken(context, options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});
