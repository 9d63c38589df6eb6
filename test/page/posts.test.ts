import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { posts } from '../../src/page/posts.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function published(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase)
    .get('/42/published_posts')
    .query({ ...authenticated, ...query });
}

function entries(count: number, from = 0): { id: string }[] {
  return Array.from({ length: count }, (_, at) => ({ id: `42_${from + at}` }));
}

describe('posts', () => {
  test('reads what the Page has published, 25 posts by default', async () => {
    const data = [
      { id: '42_2', message: 'Hello', created_time: '2026-01-02T03:04:05+0000', shares: { count: 3 } },
      { id: '42_1', story: 'Bakery changed its picture', created_time: '2026-01-01T03:04:05+0000' },
    ];
    published({
      fields:
        'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,' +
        'from,shares',
      limit: '25',
    }).reply(200, { data });

    expect((await posts(pageContext(), options))._unsafeUnwrap()).toEqual(data);
  });

  test('asks for the fields that it is given', async () => {
    published({ fields: 'id,message', limit: '3' }).reply(200, { data: entries(2) });

    const found = await posts(pageContext(), { ...options, fields: ['id', 'message'], limit: 3 });

    expect(found._unsafeUnwrap()).toEqual(entries(2));
  });

  test('takes Infinity for all', async () => {
    published({ fields: 'id', limit: '100' }).reply(200, { data: entries(100) });

    const found = await posts(pageContext(), { ...options, fields: ['id'], limit: Infinity });

    expect(found._unsafeUnwrap()).toHaveLength(100);
  });

  test('counts the limit over the pages of the list, which may be short, empty and paged by time', async () => {
    const fields = 'id';
    const next = `${graphBase}/42/published_posts?access_token=${token}&fields=id&limit=100`;
    published({ fields, limit: '100' }).reply(200, {
      data: entries(90),
      paging: { next: `${next}&until=3&__paging_token=a` },
    });
    published({ fields, limit: '100', until: '3', __paging_token: 'a' }).reply(200, {
      data: [],
      paging: { next: `${next}&until=2&__paging_token=b` },
    });
    published({ fields, limit: '100', until: '2', __paging_token: 'b' }).reply(200, {
      data: entries(100, 90),
      paging: { next: `${next}&until=1&__paging_token=c` },
    });

    const found = await posts(pageContext(), { ...options, fields: ['id'], limit: 120 });

    expect(found._unsafeUnwrap()).toEqual(entries(120));
  });

  test('fails with what the platform says of an unknown field', async () => {
    published({ fields: 'nonsense', limit: '25' }).reply(400, refusal(100));

    const error = (await posts(pageContext(), { ...options, fields: ['nonsense'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 100, category: 'validation' });
  });

  test('says where a response is of the wrong shape', async () => {
    published({ fields: 'id', limit: '25' }).reply(200, { data: [{ id: '42_1' }, { id: null }] });

    const error = (await posts(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error.message).toMatch(/^unexpected response at data\.1\.id: /);
  });
});
