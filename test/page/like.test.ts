import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { like } from '../../src/page/like.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { objectId: '42_1', pageToken: token };

describe('like', () => {
  test('likes, again when the response was lost', async () => {
    const likes = (): nock.Interceptor => nock(graphBase).post('/42_1/likes', '').query(authenticated);
    likes().replyWithError(new Error('socket hang up'));
    likes().reply(200, { success: true });

    expect((await like(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('takes the like back', async () => {
    nock(graphBase).delete('/42_1/likes').query(authenticated).reply(200, { success: 'true' });

    expect((await like(pageContext(), { ...options, liked: false }))._unsafeUnwrap()).toEqual({
      success: true,
    });
  });

  test('fails with what the platform says when it refuses', async () => {
    nock(graphBase).post('/42_1/likes').query(authenticated).reply(403, refusal(200));

    expect((await like(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      outcome: 'rejected',
    });
  });
});
