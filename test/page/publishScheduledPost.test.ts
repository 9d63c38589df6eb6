import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishScheduledPost } from '../../src/page/publishScheduledPost.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { postId: '42_1', pageToken: token };

function publish(): nock.Interceptor {
  return nock(graphBase).post('/42_1', { is_published: 'true' }).query(authenticated);
}

describe('publishScheduledPost', () => {
  test('publishes it', async () => {
    publish().reply(200, { success: true });

    expect((await publishScheduledPost(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: one post is published once', async () => {
    publish().replyWithError(new Error('socket hang up'));
    publish().reply(200, { success: 'true' });

    expect((await publishScheduledPost(pageContext(), options)).isOk()).toBe(true);
  });

  test('fails with what the platform says when it refuses', async () => {
    publish().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await publishScheduledPost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'rejected' });
  });
});
