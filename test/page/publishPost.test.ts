import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { ApiError } from '../../src/core/errors.ts';
import { publishPost } from '../../src/page/publishPost.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token, message: 'Hello' };

describe('publishPost', () => {
  test('posts the text and the link to the feed of the page', async () => {
    nock(graphBase)
      .post('/42/feed', { message: 'Hello', link: 'https://example.com' })
      .query(authenticated)
      .reply(200, { id: '42_1' });

    const post = await publishPost(pageContext(), { ...options, link: 'https://example.com' });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test('sends published=false for a post that is kept back', async () => {
    nock(graphBase)
      .post('/42/feed', { message: 'Hello', published: 'false' })
      .query(authenticated)
      .reply(200, { id: '42_1' });

    const post = await publishPost(pageContext(), { ...options, published: false });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test('keeps an id within its segment of the path', async () => {
    nock(graphBase).post('/..%2Fme/feed').query(authenticated).reply(200, { id: '1' });

    const post = await publishPost(pageContext(), { ...options, pageId: '../me' });

    expect(post._unsafeUnwrap()).toEqual({ id: '1' });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .post('/42/feed')
      .query(authenticated)
      .reply(400, {
        error: {
          message: 'Invalid parameter',
          type: 'OAuthException',
          code: 100,
          error_subcode: 33,
          fbtrace_id: 'T1',
        },
      });

    const error = (await publishPost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'Invalid parameter',
      status: 400,
      code: 100,
      subcode: 33,
      type: 'OAuthException',
      traceId: 'T1',
      category: 'not_found',
      outcome: 'rejected',
    });
  });

  test('returns the post that a lost answer had made', async () => {
    nock(graphBase).post('/42/feed').query(authenticated).reply(502, 'Bad Gateway');
    nock(graphBase)
      .get('/42/published_posts')
      .query({ ...authenticated, fields: 'id,message,created_time', limit: '25' })
      .reply(200, () => ({
        data: [
          { id: '42_8', message: 'Other', created_time: new Date().toISOString() },
          { id: '42_7', message: 'Hello', created_time: new Date().toISOString() },
          { id: '42_6', message: 'Hello', created_time: '2020-01-02T03:04:05+0000' },
        ],
      }));

    const post = await publishPost(pageContext(), { ...options });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_7' });
  });

  test.each([
    ['pageId', { ...options, pageId: '' }],
    ['pageId', { ...options, pageId: '..' }],
    ['pageToken', { ...options, pageToken: 'a b' }],
    ['message', { ...options, message: ' ' }],
    ['link', { ...options, link: 'example' }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await publishPost(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});
