import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishComment } from '../../src/pics/publishComment.ts';
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

const options = { mediaId: '901', token, message: 'Still available!' };
const user = { id: '17' };

describe('publishComment', () => {
  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('posts the comment in %s mode', async (_mode, base, contextOf) => {
    nock(base)
      .post('/901/comments', { message: 'Still available!' })
      .query(authenticated)
      .reply(200, '{"id":17841400000000001}');

    const comment = await publishComment(contextOf(), options);

    expect(comment._unsafeUnwrap()).toEqual({ id: '17841400000000001' });
  });

  test('returns the comment that a lost response had made, and never that of another person', async () => {
    nock(picsGraphBase).post('/902/comments').query(true).replyWithError(new Error('reset'));
    nock(picsGraphBase)
      .get('/902/comments')
      .query({ ...authenticated, fields: 'id,text,timestamp,user', limit: '50' })
      .reply(
        200,
        () => ({
          data: [
            { id: '5', text: 'Still available!', timestamp: wireNow() },
            { id: '6', text: 'Other', timestamp: wireNow(), user },
            { id: '7', text: 'Still available! ', timestamp: wireNow(), user },
            { id: '8', text: 'Still available!', timestamp: '2020-01-02T03:04:05+0000', user },
          ],
        }),
        dated(),
      );

    const comment = await publishComment(picsContext(), { ...options, mediaId: '902' });

    expect(comment._unsafeUnwrap()).toEqual({ id: '7' });
  });

  test('does not send again what it does not find, and says that it may have happened', async () => {
    nock(picsGraphBase).post('/903/comments').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase)
      .get('/903/comments')
      .query(true)
      .times(4)
      .reply(200, () => ({ data: [{ id: '5', text: 'Still available!', timestamp: wireNow() }] }), dated());

    const error = (await publishComment(picsContext(), { ...options, mediaId: '903' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'unknown' });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/901/comments')
      .query(true)
      .reply(400, { error: { message: 'No', code: 10 } });

    const error = (await publishComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'No', outcome: 'rejected' });
  });
});
