import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { stories } from '../../src/page/stories.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token };

describe('stories', () => {
  test('asks for the stories of the page, without naming fields', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '25' })
      .reply(200, {
        data: [
          {
            post_id: 12,
            status: 'PUBLISHED',
            creation_time: '1767312000',
            media_type: 'video',
            media_id: '9',
            url: 'https://example.com/stories/12',
          },
        ],
        paging: {},
      });

    const list = await stories(pageContext(), options);

    expect(list._unsafeUnwrap()).toEqual([
      {
        post_id: '12',
        status: 'PUBLISHED',
        creation_time: '1767312000',
        media_type: 'video',
        media_id: '9',
        url: 'https://example.com/stories/12',
      },
    ]);
  });

  test('hands out every digit of an id that comes as a number', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query(true)
      .reply(
        200,
        '{"data":[{"post_id":12345678901234567,"media_id":98765432109876543,"creation_time":1767312000}]}',
      );

    const list = await stories(pageContext(), options);

    expect(list._unsafeUnwrap()).toEqual([
      { post_id: '12345678901234567', media_id: '98765432109876543', creation_time: '1767312000' },
    ]);
  });

  test('counts its limit over all pages', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '2' })
      .reply(200, { data: [{ post_id: '1' }], paging: { next: `${graphBase}/42/stories?limit=2&after=a` } });
    nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '2', after: 'a' })
      .reply(200, { data: [{ post_id: '2' }, { post_id: '3' }] });

    const list = await stories(pageContext(), { ...options, limit: 2 });

    expect(list._unsafeUnwrap()).toEqual([{ post_id: '1' }, { post_id: '2' }]);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query(true)
      .reply(403, { error: { message: 'Missing permission', code: 200 } });

    const error = (await stories(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'Missing permission', code: 200 });
  });

  test('says where a response is odd', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query(true)
      .reply(200, { data: [{ url: 'https://example.com' }] });

    const error = (await stories(pageContext(), options))._unsafeUnwrapErr();

    expect(error.name).toBe('ApiError');
    expect(error.message).toContain('data.0.post_id');
  });
});
