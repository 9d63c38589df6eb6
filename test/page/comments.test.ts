import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { comments } from '../../src/page/comments.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { postId: '42_1', pageToken: token };
const order = 'reverse_chronological';

function written(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase)
    .get('/42_1/comments')
    .query({ ...authenticated, ...query });
}

describe('comments', () => {
  test('reads the newest 50 comments by default, without a filter', async () => {
    const data = [
      {
        id: '1_9',
        message: 'Nice',
        created_time: '2026-01-02T03:04:05+0000',
        from: { id: '7', name: 'Ann' },
        like_count: 0,
        comment_count: 1,
        attachment: { type: 'photo' },
      },
      { id: '1_8' },
    ];
    written({
      fields:
        'id,message,created_time,from,like_count,comment_count,is_hidden,can_hide,can_remove,permalink_url,' +
        'parent,attachment',
      order,
      limit: '50',
    }).reply(200, { data });

    expect((await comments(pageContext(), options))._unsafeUnwrap()).toEqual(data);
  });

  test('counts the limit over the pages of the list', async () => {
    const next = `${graphBase}/42_1/comments?access_token=${token}&fields=id&order=${order}&limit=2&after=a`;
    written({ fields: 'id', order, limit: '3' }).reply(200, {
      data: [{ id: '9' }, { id: '8' }],
      paging: { next },
    });
    written({ fields: 'id', order, limit: '2', after: 'a' }).reply(200, {
      data: [{ id: '7' }, { id: '6' }],
      paging: { next: `${next}b` },
    });

    const found = await comments(pageContext(), { ...options, fields: ['id'], limit: 3 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '9' }, { id: '8' }, { id: '7' }]);
  });

  test('fails with PermissionError when the user may not moderate', async () => {
    written({ fields: 'id', order, limit: '50' }).reply(403, refusal(10));

    const error = (await comments(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });

  test('says where a response is of the wrong shape', async () => {
    written({ fields: 'id', order, limit: '50' }).reply(200, { data: [{ id: '9' }, { message: 'Hi' }] });

    const error = (await comments(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at data.1.id: expected string',
    });
  });
});
