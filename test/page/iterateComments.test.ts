import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iterateComments } from '../../src/page/iterateComments.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const fields =
  'id,message,created_time,from,like_count,comment_count,is_hidden,can_hide,can_remove,permalink_url,parent,attachment';
const options = { postId: '42_1', pageToken: token };

describe('iterateComments of a Page', () => {
  test('walks the pages to the last, each entry once', async () => {
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, fields, order: 'reverse_chronological', limit: '100' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${graphBase}/42_1/comments?access_token=${token}&after=b` },
      });
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const entry of iterateComments(pageContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(['1', '2', '3']);
  });

  test('asks for the fields that it is given, and for no more than its limit', async () => {
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, order: 'reverse_chronological', fields: 'id,from', limit: '2' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }, { id: '3' }] });

    const found = iterateComments(pageContext(), { ...options, fields: ['id', 'from'], limit: 2 });

    expect((await Array.fromAsync(found)).map((entry) => entry._unsafeUnwrap())).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });
});
