import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { deletePost } from '../../src/page/deletePost.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { postId: '42_1', pageToken: token };

function post(): nock.Interceptor {
  return nock(graphBase).delete('/42_1').query(authenticated);
}

describe('deletePost', () => {
  test.each([true, 'true'])(
    'deletes the post, whether success is written as a flag or as text: %j',
    async (success) => {
      post().reply(200, { success });

      const deleted = await deletePost(pageContext(), options);

      expect(deleted._unsafeUnwrap()).toBe(true);
    },
  );

  test('is sent again when the response was lost', async () => {
    post().replyWithError(new Error('socket hang up'));
    post().reply(200, { success: true });

    expect((await deletePost(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('is of unknown outcome when the platform knows no such post after a lost response', async () => {
    post().replyWithError(new Error('socket hang up'));
    // The same for a post that is gone and for one that the token may not see.
    post().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test('fails when there was no such post from the start', async () => {
    post().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'rejected' });
  });

  test('fails with PermissionError when the permission is missing', async () => {
    post().reply(403, refusal(200));

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 200, outcome: 'rejected' });
  });

  test.each([
    ['that it did not', { success: false }, 'rejected'],
    ['something else', { id: '42_1' }, 'unknown'],
  ])('fails when the platform responds with %s', async (_, body, outcome) => {
    post().reply(200, body);

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', payload: body, outcome });
  });
});
