import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { hashtagId } from '../../src/pics/hashtagId.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17', name: 'coffee' };

describe('hashtagId', () => {
  test.each(['coffee', '#coffee', ' #coffee '])('searches for the word of %j', async (name) => {
    nock(graphBase)
      .get('/ig_hashtag_search')
      .query({ ...authenticated, user_id: '17', q: 'coffee' })
      .reply(200, '{"data":[{"id":17843853986012965}]}');

    const found = await hashtagId(picsPageContext(), { ...options, name });

    expect(found._unsafeUnwrap()).toEqual({ id: '17843853986012965' });
  });

  test('is a RateLimitError for the 31st word of a week', async () => {
    nock(graphBase)
      .get('/ig_hashtag_search')
      .query(true)
      .times(3)
      .reply(403, { error: { message: 'Application request limit reached', code: 4 } });

    const error = (await hashtagId(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'RateLimitError', category: 'rate_limit', outcome: 'rejected' });
  });

  test.each([
    [{ data: [] }, 'data.0'],
    [{ data: [{ name: 'coffee' }] }, 'data.0.id'],
    [[], 'body: expected Object'],
  ])('says where a response is misshapen: %j', async (body, where) => {
    nock(graphBase).get('/ig_hashtag_search').query(true).reply(200, body);

    const error = (await hashtagId(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining(where) });
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await hashtagId(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each([['name', { ...options, name: '#' }]])(
    'refuses a bad %s before anything is sent',
    async (option, bad) => {
      const error = (await hashtagId(picsPageContext(), bad))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    },
  );
});
