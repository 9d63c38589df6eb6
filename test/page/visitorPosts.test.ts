import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { visitorPosts } from '../../src/page/visitorPosts.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };
const fields =
  'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

function posts(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase)
    .get('/42/visitor_posts')
    .query({ ...authenticated, ...query });
}

describe('visitorPosts', () => {
  test('reads what visitors posted, over the pages of the list', async () => {
    const next = `${graphBase}/42/visitor_posts?access_token=${token}&fields=${fields}&limit=25&after=b`;
    const first = { id: '8_2', message: 'Great coffee', from: { id: '8', name: 'Ada' } };
    posts({ fields, limit: '25' }).reply(200, { data: [first], paging: { next } });
    posts({ fields, limit: '25', after: 'b' }).reply(200, { data: [{ id: '9_1', message: null }] });

    expect((await visitorPosts(pageContext(), options))._unsafeUnwrap()).toEqual([first, { id: '9_1' }]);
  });

  test('asks for the fields and the number that it is given', async () => {
    posts({ fields: 'id', limit: '1' }).reply(200, { data: [{ id: '8_2' }, { id: '8_1' }] });

    const found = await visitorPosts(pageContext(), { ...options, fields: ['id'], limit: 1 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '8_2' }]);
  });

  test('fails with what the platform says when it refuses', async () => {
    posts({ fields: 'id', limit: '25' }).reply(403, refusal(10));

    const error = (await visitorPosts(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });
});
