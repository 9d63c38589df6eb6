import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { deleteComment } from '../../src/pics/deleteComment.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { commentId: '5', token };
const gone = { error: { message: 'Gone', code: 100, error_subcode: 33 } };

describe('deleteComment', () => {
  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('deletes the comment in %s mode', async (_mode, base, contextOf) => {
    nock(base).delete('/5', '').query(authenticated).reply(200, { success: true, deleted_id: '5' });

    const deleted = await deleteComment(contextOf(), options);

    expect(deleted._unsafeUnwrap()).toEqual({ success: true, deleted_id: '5' });
  });

  test('reads a success that is written as text', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(200, { success: 'true' });

    expect((await deleteComment(picsContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).delete('/5').query(true).reply(200, { success: true });

    expect((await deleteComment(picsContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is of unknown outcome when the platform knows no such comment after a lost response', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(502, 'Bad Gateway');
    // The same for a comment that is gone and for one that the token may not see.
    nock(picsGraphBase).delete('/5').query(true).reply(400, gone);

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test('does not take "no such comment" under a 200 for a success', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(200, gone);

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test('stays in doubt when the response that follows a lost one is no refusal by code', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).delete('/5').query(true).reply(404, 'Not Found');

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown' });
  });

  test.each([
    [gone, 'not_found'],
    [{ error: { message: 'No', code: 200 } }, 'permission'],
  ])('fails when the platform refuses at once', async (body, category) => {
    nock(picsGraphBase).delete('/5').query(true).reply(400, body);

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category, outcome: 'rejected' });
  });

  test('fails when the platform says that it did not', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(200, { success: false });

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
  });
});
