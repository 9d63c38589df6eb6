import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { hashtagId, hashtagMedia, recentHashtags } from '../../src/pics/hashtags.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

describe('hashtagId', () => {
  const options = { token, picsUserId: '17', name: 'coffee' };

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

describe('hashtagMedia', () => {
  const options = { token, picsUserId: '17', hashtagId: '178', order: 'recent' } as const;

  const fields =
    'id,caption,media_type,media_url,permalink,timestamp,like_count,comments_count,' +
    'children{id,media_type,media_url,permalink}';

  const behind = (after: string): object => ({ cursors: { after } });

  /** Mocks the pages of a list, and records the cursor that each is asked for with. */
  function pages(...bodies: readonly object[]): unknown[] {
    const asked: unknown[] = [];
    for (const body of bodies) {
      nock(graphBase)
        .get('/178/recent_media')
        .query(({ after, ...query }) => {
          expect(query).toMatchObject({ user_id: '17', fields });
          asked.push(after);
          return true;
        })
        .reply(200, body);
    }
    return asked;
  }

  test.each(['recent', 'top'] as const)('asks for the documented fields of %s media', async (order) => {
    nock(graphBase)
      .get(`/178/${order}_media`)
      .query({ ...authenticated, user_id: '17', fields, limit: '25' })
      .reply(200, { data: [{ id: 1, caption: '#coffee', like_count: 3 }] });

    const found = await hashtagMedia(picsPageContext(), { ...options, order });

    expect(found._unsafeUnwrap()).toEqual([{ id: '1', caption: '#coffee', like_count: 3 }]);
    expect(found._unsafeUnwrap().hasMore).toBe(false);
  });

  test('asks for the fields that the caller names, and for 50 at once at most', async () => {
    nock(graphBase)
      .get('/178/recent_media')
      .query({ ...authenticated, user_id: '17', fields: 'id,permalink', limit: '50' })
      .reply(200, { data: [] });

    const own = { ...options, fields: ['id', 'permalink'], limit: 200 };

    expect((await hashtagMedia(picsPageContext(), own))._unsafeUnwrap()).toEqual([]);
  });

  test('goes on behind a cursor that stays the same, until a page is empty', async () => {
    const asked = pages(
      { data: [{ id: '1' }, { id: '2' }], paging: behind('A') },
      { data: [{ id: '2' }, { id: '3' }], paging: behind('A') },
      { data: [{ id: '4' }], paging: behind('A') },
      { data: [], paging: behind('A') },
    );

    const found = (await hashtagMedia(picsPageContext(), { ...options, limit: Infinity }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(asked).toEqual([undefined, 'A', 'A', 'A']);
    expect(found.hasMore).toBe(false);
  });

  test('ends at its limit, and says that there may be more', async () => {
    const asked = pages(
      { data: [{ id: '1' }, { id: '2' }], paging: behind('A') },
      { data: [{ id: '3' }, { id: '4' }], paging: behind('B') },
    );

    const found = (await hashtagMedia(picsPageContext(), { ...options, limit: 4 }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(found.hasMore).toBe(true);
    expect(asked).toEqual([undefined, 'A']);
  });

  test('is not complete where a cursor brings the same page again', async () => {
    const same = { data: [{ id: '1' }], paging: behind('A') };
    const asked = pages(same, same);

    const found = (await hashtagMedia(picsPageContext(), { ...options, limit: 9 }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['1']);
    expect(found).toMatchObject({ hasMore: false, isComplete: false });
    expect(asked).toHaveLength(2);
  });

  test('is not complete where new cursors bring nothing new, fifty times', async () => {
    let at = 0;
    nock(graphBase)
      .get('/178/recent_media')
      .query(true)
      .times(51)
      .reply(200, () => ({ data: [{ id: '1' }], paging: behind(`cursor ${at++}`) }));

    const found = (await hashtagMedia(picsPageContext(), { ...options, limit: 9 }))._unsafeUnwrap();

    expect(found).toMatchObject({ length: 1, hasMore: false, isComplete: false });
    expect(at).toBe(51);
  });

  test('says where a response is misshapen', async () => {
    pages({ data: [{ id: '1' }, { caption: 'x' }] });

    expect((await hashtagMedia(picsPageContext(), options))._unsafeUnwrapErr().message).toContain(
      'data.1.id',
    );
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await hashtagMedia(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});

describe('recentHashtags', () => {
  const options = { token, picsUserId: '17' };

  test('asks for all that count in a week', async () => {
    nock(graphBase)
      .get('/17/recently_searched_hashtags')
      .query({ ...authenticated, fields: 'id,name', limit: '30' })
      .reply(200, '{"data":[{"id":17843853986012965,"name":"coffee"}]}');

    const searched = await recentHashtags(picsPageContext(), options);

    expect(searched._unsafeUnwrap()).toEqual([{ id: '17843853986012965', name: 'coffee' }]);
  });

  test('asks for 30 at once at most, and follows the pages', async () => {
    nock(graphBase)
      .get('/17/recently_searched_hashtags')
      .query({ ...authenticated, fields: 'id', limit: '30' })
      .reply(200, {
        data: [{ id: '1' }],
        paging: { next: `${graphBase}/17/recently_searched_hashtags?after=b&access_token=${token}` },
      });
    nock(graphBase)
      .get('/17/recently_searched_hashtags')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }] });

    const searched = await recentHashtags(picsPageContext(), { ...options, limit: 40, fields: ['id'] });

    expect(searched._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await recentHashtags(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
