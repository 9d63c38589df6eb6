import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { privateReply } from '../../src/page/privateReply.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token, commentId: '42_7', text: 'It costs ten.' };
const sent = { recipient_id: '91', message_id: 'm_1' };
const repeated = { error: { message: 'Activity already replied to', code: 10900 } };

function reply(): nock.Interceptor {
  return nock(graphBase)
    .post('/42/messages', { recipient: { comment_id: '42_7' }, message: { text: 'It costs ten.' } })
    .query(authenticated);
}

describe('privateReply of a Page', () => {
  test('replies to a comment', async () => {
    reply().reply(200, sent);

    expect((await privateReply(pageContext(), options))._unsafeUnwrap()).toEqual(sent);
  });

  test('replies to a post of a visitor, with any content', async () => {
    const { commentId: _, text: __, ...rest } = options;
    nock(graphBase)
      .post('/42/messages', {
        recipient: { post_id: '42_1' },
        message: { attachment: { type: 'image', payload: { url: 'https://example.com/a' } } },
      })
      .query(authenticated)
      .reply(200, sent);

    const message = await privateReply(pageContext(), {
      ...rest,
      postId: '42_1',
      attachment: { type: 'image', url: 'https://example.com/a' },
    });

    expect(message._unsafeUnwrap()).toEqual(sent);
  });

  test('is sent again after a lost response, and returns what the second one says', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(200, sent);

    expect((await privateReply(pageContext(), options))._unsafeUnwrap()).toEqual(sent);
  });

  test('says that a lost one took effect where the platform refuses another', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(400, repeated);

    const error = (await privateReply(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 10900, category: 'recipient', outcome: 'applied' });
  });

  test('says that one to a comment that has one did not happen', async () => {
    reply().reply(400, repeated);

    const error = (await privateReply(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'recipient', outcome: 'rejected' });
  });

  test.each([
    ['commentId', { ...options, postId: '42_1' as never }],
    ['text', { ...options, text: 'x'.repeat(2001) }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await privateReply(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});
