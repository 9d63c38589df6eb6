import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { hideComment } from '../../src/pics/hideComment.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { commentId: '5', token };

describe('hideComment', () => {
  test.each([
    ['login', picsGraphBase, picsContext, undefined, 'true'],
    ['login', picsGraphBase, picsContext, false, 'false'],
    ['page', graphBase, picsPageContext, true, 'true'],
  ] as const)('says in the query what to do, in %s mode', async (_mode, base, contextOf, hidden, hide) => {
    nock(base)
      .post('/5', '')
      .query({ ...authenticated, hide })
      .reply(200, { success: true });

    const done = await hideComment(contextOf(), { ...options, hidden });

    expect(done._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again after a lost response', async () => {
    nock(picsGraphBase).post('/5').query(true).replyWithError(new Error('reset'));
    nock(picsGraphBase).post('/5').query(true).reply(200, { success: true });

    expect((await hideComment(picsContext(), options)).isOk()).toBe(true);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/5')
      .query(true)
      .reply(400, { error: { message: 'Gone', code: 100, error_subcode: 33 } });

    const error = (await hideComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'Gone', category: 'not_found' });
  });

  test('fails on a response that says nothing', async () => {
    nock(picsGraphBase).post('/5').query(true).reply(200, {});

    const error = (await hideComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at success: expected true',
    });
  });
});
