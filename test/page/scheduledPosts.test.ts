import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { scheduledPosts } from '../../src/page/scheduledPosts.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token };

function scheduled(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase)
    .get('/42/scheduled_posts')
    .query({ ...authenticated, ...query });
}

describe('scheduledPosts', () => {
  test('reads all of them, over all pages, with the time of each', async () => {
    const fields = 'id,message,story,created_time,scheduled_publish_time,is_published,permalink_url';
    const next = `${graphBase}/42/scheduled_posts?access_token=${token}&fields=${fields}&limit=100&after=b`;
    const first = { id: '42_2', message: 'Later', scheduled_publish_time: 1_800_000_000.5 };
    scheduled({ fields, limit: '100' }).reply(200, { data: [first], paging: { next } });
    scheduled({ fields, limit: '100', after: 'b' }).reply(200, {
      data: [{ id: '42_1', scheduled_publish_time: '1800000600', story: null }, null],
    });

    expect((await scheduledPosts(pageContext(), options))._unsafeUnwrap()).toEqual([
      first,
      { id: '42_1', scheduled_publish_time: 1_800_000_600 },
    ]);
  });

  test('asks for the fields and the number that it is given', async () => {
    scheduled({ fields: 'id', limit: '2' }).reply(200, {
      data: [{ id: '42_1' }, { id: '42_2' }, { id: '42_3' }],
    });

    const found = await scheduledPosts(pageContext(), { ...options, fields: ['id'], limit: 2 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '42_1' }, { id: '42_2' }]);
  });

  test('says where a response is of the wrong shape', async () => {
    scheduled({ fields: 'id', limit: '100' }).reply(200, {
      data: [{ scheduled_publish_time: 1_800_000_000 }],
    });

    const error = (await scheduledPosts(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error.message).toMatch(/^unexpected response at data\.0\.id: /);
  });
});
