import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iteratePosts } from '../../src/page/iteratePosts.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const fields =
  'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,' +
  'from,shares';
const options = { pageId: '42', pageToken: token };

describe('iteratePosts', () => {
  test('walks the pages to the last, each entry once', async () => {
    nock(graphBase)
      .get('/42/published_posts')
      .query({ ...authenticated, fields, limit: '100' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${graphBase}/42/published_posts?access_token=${token}&after=b` },
      });
    nock(graphBase)
      .get('/42/published_posts')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const entry of iteratePosts(pageContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(['1', '2', '3']);
  });

  test('asks for the fields that it is given, and for no more than its limit', async () => {
    nock(graphBase)
      .get('/42/published_posts')
      .query({ ...authenticated, fields: 'id,from', limit: '2' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }, { id: '3' }] });

    const found = iteratePosts(pageContext(), { ...options, fields: ['id', 'from'], limit: 2 });

    expect((await Array.fromAsync(found)).map((entry) => entry._unsafeUnwrap())).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });
});
