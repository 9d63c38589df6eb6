import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { updateComment } from '../../src/page/updateComment.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { commentId: '1_9', pageToken: token, message: 'Sold out' };

function update(): nock.Interceptor {
  return nock(graphBase).post('/1_9', { message: 'Sold out' }).query(authenticated);
}

describe('updateComment', () => {
  test('sends the new text, again when the response was lost', async () => {
    update().replyWithError(new Error('socket hang up'));
    update().reply(200, { success: true });

    expect((await updateComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test.each([
    ['it is by someone else', 400, refusal(100), { name: 'ApiError', outcome: 'rejected' }],
    ['it did not', 200, { success: false }, { name: 'ApiError', outcome: 'rejected' }],
  ])('fails when the platform says that %s', async (_, status, body, expected) => {
    update().reply(status, body);

    expect((await updateComment(pageContext(), options))._unsafeUnwrapErr()).toMatchObject(expected);
  });
});
