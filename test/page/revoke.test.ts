import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { revoke } from '../../src/page/revoke.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

const options = { token: userToken };

describe('revoke', () => {
  test('deletes the permissions of the user that the token belongs to', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).reply(200, { success: true });

    const revoked = await revoke(pageContext(), options);

    expect(revoked._unsafeUnwrap()).toBe(true);
  });

  test('deletes those of another user by id', async () => {
    nock(graphBase).delete('/42/permissions').query(asUser).reply(200, { success: 'true' });

    const revoked = await revoke(pageContext(), { ...options, userId: '42' });

    expect(revoked._unsafeUnwrap()).toBe(true);
  });

  test('succeeds when the app is removed by the time that a lost response is asked for again', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).replyWithError(new Error('socket hang up'));
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(400, refusal(190, { error_subcode: 458 }));

    const revoked = await revoke(pageContext(), options);

    expect(revoked._unsafeUnwrap()).toBe(true);
  });

  test('does not know what happened when the token is dead otherwise after a lost response', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).replyWithError(new Error('socket hang up'));
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(400, refusal(190, { error_subcode: 463 }));

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, outcome: 'unknown' });
  });

  test('fails when the platform refuses, also if the app was removed before', async () => {
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(400, refusal(190, { error_subcode: 458 }));

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, category: 'auth', outcome: 'rejected' });
  });

  test('does not take a removed app under a first 200 for its own work', async () => {
    nock(graphBase)
      .delete('/me/permissions')
      .query(asUser)
      .reply(200, refusal(190, { error_subcode: 458 }));

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190, outcome: 'unknown' });
  });

  test('fails when the platform says that it did not', async () => {
    nock(graphBase).delete('/me/permissions').query(asUser).reply(200, { success: false });

    const error = (await revoke(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
  });
});
