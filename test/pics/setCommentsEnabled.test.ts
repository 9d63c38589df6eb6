import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { setCommentsEnabled } from '../../src/pics/setCommentsEnabled.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { mediaId: '901', token, enabled: false };

describe('setCommentsEnabled', () => {
  test.each([
    ['login', picsGraphBase, picsContext, false],
    ['page', graphBase, picsPageContext, true],
  ] as const)('sends the state in %s mode', async (_mode, base, contextOf, enabled) => {
    nock(base)
      .post('/901', '')
      .query({ ...authenticated, comment_enabled: String(enabled) })
      .reply(200, { success: true });

    const set = await setCommentsEnabled(contextOf(), { ...options, enabled });

    expect(set._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(picsGraphBase).post('/901').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).post('/901').query(true).reply(200, { success: true });

    expect((await setCommentsEnabled(picsContext(), options)).isOk()).toBe(true);
  });

  test.each([
    [400, { error: { message: 'No', code: 200 } }, 'PermissionError'],
    [200, { success: false }, 'ApiError'],
  ])('fails where the platform does not do it', async (status, body, name) => {
    nock(picsGraphBase).post('/901').query(true).reply(status, body);

    const error = (await setCommentsEnabled(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name, outcome: 'rejected' });
  });
});
