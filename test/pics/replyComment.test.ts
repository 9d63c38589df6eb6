import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { replyComment } from '../../src/pics/replyComment.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  dated,
  wireNow,
} from '../support/context.ts';

const options = { commentId: '5', token, message: 'Thank you!' };

describe('replyComment', () => {
  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('posts the reply in %s mode', async (_mode, base, contextOf) => {
    nock(base)
      .post('/5/replies', { message: 'Thank you!' })
      .query(authenticated)
      .reply(200, '{"id":17841400000000001}');

    const reply = await replyComment(contextOf(), options);

    expect(reply._unsafeUnwrap()).toEqual({ id: '17841400000000001' });
  });

  test('returns the reply that a lost response had made', async () => {
    nock(picsGraphBase).post('/5/replies').query(true).replyWithError(new Error('reset'));
    nock(picsGraphBase)
      .get('/5/replies')
      .query({ ...authenticated, fields: 'id,text,timestamp,user', limit: '50' })
      .reply(
        200,
        () => ({
          data: [
            { id: '6', text: 'Other', timestamp: wireNow() },
            { id: '5', text: 'Thank you!', timestamp: wireNow() },
            { id: '7', text: 'Thank you!', timestamp: wireNow(), user: { id: '17' } },
            { id: '8', text: 'Thank you!', timestamp: '2020-01-02T03:04:05+0000' },
            { id: '9', timestamp: wireNow() },
          ],
        }),
        dated(),
      );

    const reply = await replyComment(picsContext(), { ...options, commentId: '5' });

    expect(reply._unsafeUnwrap()).toEqual({ id: '7' });
  });

  test('does not send again what it does not find, and says that it may have happened', async () => {
    nock(picsGraphBase).post('/51/replies').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).get('/51/replies').query(true).times(4).reply(200, { data: [] });

    const error = (await replyComment(picsContext(), { ...options, commentId: '51' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'unknown' });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/5/replies')
      .query(true)
      .reply(400, { error: { message: 'No', code: 10 } });

    const error = (await replyComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'No', outcome: 'rejected' });
  });
});
