import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { hideComment } from '../../src/page/hideComment.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { commentId: '1_9', pageToken: token };

function hide(is_hidden: string): nock.Interceptor {
  return nock(graphBase).post('/1_9', { is_hidden }).query(authenticated);
}

describe('hideComment', () => {
  test('hides the comment', async () => {
    hide('true').reply(200, { success: true });

    expect((await hideComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('shows the comment again', async () => {
    hide('false').reply(200, { success: 'true' });

    const shown = await hideComment(pageContext(), { ...options, hidden: false });

    expect(shown._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: to hide twice does no harm', async () => {
    hide('true').replyWithError(new Error('socket hang up'));
    hide('true').reply(200, { success: true });

    expect((await hideComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test.each([
    ['the permission is missing', 403, refusal(200), { name: 'PermissionError', outcome: 'rejected' }],
    ['it is gone', 400, refusal(100, { error_subcode: 33 }), { name: 'ApiError', category: 'not_found' }],
    ['it did not', 200, { success: false }, { name: 'ApiError', outcome: 'rejected' }],
  ])('fails when the platform says that %s', async (_, status, body, expected) => {
    hide('true').reply(status, body);

    expect((await hideComment(pageContext(), options))._unsafeUnwrapErr()).toMatchObject(expected);
  });
});
