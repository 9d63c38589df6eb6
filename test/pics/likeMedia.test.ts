import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { likeMedia, type LikeMediaOptions } from '../../src/pics/likeMedia.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', mediaId: '901' };

describe('likeMedia', () => {
  test.each([
    [{ mediaId: '901' }, { media_id: '901' }],
    [{ commentId: '7' }, { comment_id: '7' }],
  ] as const)('likes %j, and takes it back', async (what, sent) => {
    nock(graphBase).post('/17/likes', sent).query(authenticated).reply(200, { success: true });
    nock(graphBase)
      .delete('/17/likes', '')
      .query({ ...authenticated, ...sent })
      .reply(200, { success: true });

    for (const liked of [undefined, false]) {
      const told = await likeMedia(picsPageContext(), { token, picsUserId: '17', ...what, liked });

      expect(told._unsafeUnwrap()).toEqual({ success: true });
    }
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(graphBase).post('/17/likes').query(true).reply(502, 'Bad Gateway');
    nock(graphBase).post('/17/likes').query(true).reply(200, { success: true });

    expect((await likeMedia(picsPageContext(), options)).isOk()).toBe(true);
  });

  test('fails where the platform does not do it', async () => {
    nock(graphBase).post('/17/likes').query(true).reply(200, { success: false });

    expect((await likeMedia(picsPageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'rejected',
    });
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await likeMedia(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each([{}, { mediaId: '901', commentId: '7' }])(
    'refuses none and two before anything is sent: %j',
    async (what) => {
      const bad = { token, picsUserId: '17', ...what } as LikeMediaOptions;

      expect((await likeMedia(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        message: 'give exactly one of mediaId and commentId',
      });
    },
  );
});
