import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { deleteComment } from '../../src/page/deleteComment.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { commentId: '1_9', pageToken: token };

function remove(): nock.Interceptor {
  return nock(graphBase).delete('/1_9').query(authenticated);
}

describe('deleteComment', () => {
  test('deletes it, again when the response was lost', async () => {
    remove().replyWithError(new Error('socket hang up'));
    remove().reply(200, { success: true });

    expect((await deleteComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('does not know who deleted it when it is gone after a lost response', async () => {
    remove().replyWithError(new Error('socket hang up'));
    remove().reply(400, refusal(100, { error_subcode: 33 }));

    expect((await deleteComment(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      category: 'not_found',
      outcome: 'unknown',
    });
  });
});
