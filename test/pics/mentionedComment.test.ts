import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { mentionedComment } from '../../src/pics/mentionedComment.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', commentId: '7' };

describe('mentionedComment', () => {
  test.each([
    [undefined, 'id,text,timestamp,like_count,media{id,media_url}'],
    [['id', 'username'], 'id,username'],
  ])('reads the comment as a field of the account: %j', async (fields, asked) => {
    nock(graphBase)
      .get('/17')
      .query({ ...authenticated, fields: `mentioned_comment.comment_id(7){${asked}}` })
      .reply(200, { mentioned_comment: { id: 7, text: '@shop?', media: { id: 901 } }, id: '17' });

    const found = await mentionedComment(picsPageContext(), { ...options, fields });

    expect(found._unsafeUnwrap()).toEqual({ id: '7', text: '@shop?', media: { id: '901' } });
  });

  test.each([{ id: '17' }, { mentioned_comment: {} }])(
    'says where a response is misshapen: %j',
    async (body) => {
      nock(graphBase).get('/17').query(true).reply(200, body);

      const error = (await mentionedComment(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: expect.stringContaining('mentioned_comment'),
      });
    },
  );

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await mentionedComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test('refuses an id that would end the expression before anything is sent', async () => {
    const bad = { ...options, commentId: '7){id},name' };

    expect((await mentionedComment(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'commentId',
    });
  });
});
