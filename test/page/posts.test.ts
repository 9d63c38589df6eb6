import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { ApiError } from '../../src/core/errors.ts';
import {
  deletePost,
  feed,
  iterateFeed,
  iteratePosts,
  postDetails,
  posts,
  publishPost,
  type PublishPostOptions,
  publishScheduledPost,
  scheduledPosts,
  updatePost,
  type UpdatePostOptions,
} from '../../src/page/posts.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { partOf } from '../support/rules.ts';
import { refusal } from './support.ts';

describe('publishPost', () => {
  const options = { pageId: '42', pageToken: token, message: 'Hello' };

  const now = Date.UTC(2026, 0, 2, 3, 4, 5);

  const after = '2026-01-02T03:04:06+0000';

  const shown = 'attachments{target,subattachments{target}}';
  const looked = { ...authenticated, fields: `id,message,created_time,application,${shown}`, limit: '25' };

  /** The next lookups of the newest posts show these. */
  function newest(data: readonly object[], times: number): nock.Scope {
    return nock(graphBase)
      .get('/42/published_posts')
      .query(looked)
      .times(times)
      .reply(200, { data }, { date: new Date(now).toUTCString() });
  }

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

  test('names the place, and who is there', async () => {
    nock(graphBase)
      .post('/42/feed', { message: 'Hello', place: '77', tags: '["8","9"]' })
      .query(authenticated)
      .reply(200, { id: '42_1' });

    const post = await publishPost(pageContext(), { ...options, placeId: '77', tags: ['8', '9'] });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test.each([
    ['tags must come with placeId', { tags: ['8'] }],
    ['tags[0] must be a non-empty string', { placeId: '77', tags: [''] }],
  ])('refuses a bad place before anything is sent: %s', async (message, bad) => {
    const error = (await publishPost(pageContext(), { ...options, ...bad }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', message });
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

  test('returns the post that a lost response had made', async () => {
    nock(graphBase).post('/42/feed').query(authenticated).reply(502, 'Bad Gateway');
    nock(graphBase)
      .get('/42/published_posts')
      .query(looked)
      .reply(
        200,
        () => ({
          data: [
            { id: '42_8', message: 'Other', created_time: new Date().toISOString() },
            { id: '42_7', message: 'Hello', created_time: new Date().toISOString() },
            { id: '42_6', message: 'Hello', created_time: '2020-01-02T03:04:05+0000' },
          ],
        }),
        dated(),
      );

    const post = await publishPost(pageContext(), { ...options });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_7' });
  });

  test('does not take a post without text, or one with another, for its own', async () => {
    nock(graphBase).post('/42/feed').query(authenticated).replyWithError(new Error('socket hang up'));
    newest(
      [
        { id: '42_9', created_time: after },
        { id: '42_8', message: 'undefined!', created_time: after },
        { message: 'undefined', created_time: after },
      ],
      4,
    );

    const error = (
      await publishPost(pageContext({ clock: virtualClock(now) }), { ...options, message: 'undefined' })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
  });

  test('finds its post whatever blanks stand around the text', async () => {
    nock(graphBase).post('/42/feed').query(authenticated).replyWithError(new Error('socket hang up'));
    newest([{ id: '42_8', message: 'Blanks\n', created_time: after }], 1);

    const post = await publishPost(pageContext({ clock: virtualClock(now) }), {
      ...options,
      message: ' Blanks',
    });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_8' });
  });

  test('leaves a post to an equal one that may have made it, and not to any other', async () => {
    const context = pageContext({ clock: virtualClock(now) });
    const publish = (message: string) => publishPost(context, { ...options, message });
    nock(graphBase).post('/42/feed').query(authenticated).times(3).reply(502, 'Bad Gateway');
    newest([], 4);
    expect((await publish(' Rival')).isErr()).toBe(true);

    newest([{ id: '42_8', message: 'No rival', created_time: '2026-01-02T03:04:20+0000' }], 1);
    expect((await publish('No rival'))._unsafeUnwrap()).toEqual({ id: '42_8' });

    newest([{ id: '42_9', message: 'Rival', created_time: '2026-01-02T03:04:20+0000' }], 4);
    expect((await publish('Rival'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  });

  test('hands out no post twice when every response is lost', async () => {
    const message = 'Six times the same';
    nock(graphBase).post('/42/feed').query(authenticated).times(6).reply(502, 'Bad Gateway');
    newest(
      [1, 2, 3, 4, 5, 6].map((id) => ({ id: `42_${id}`, message, created_time: after })),
      24,
    );
    const context = pageContext({ clock: virtualClock(now) });

    const made = await Promise.all(
      Array.from({ length: 6 }, () => publishPost(context, { ...options, message })),
    );

    expect(made.map((post) => post._unsafeUnwrapErr())).toMatchObject(
      Array(6).fill({ status: 502, outcome: 'unknown' }),
    );
  });

  test('neither repeats nor looks for an unpublished post: it shows in no list', async () => {
    nock(graphBase)
      .post('/42/feed', { message: 'Later', published: 'false' })
      .query(authenticated)
      .replyWithError(new Error('socket hang up'));

    const error = (
      await publishPost(pageContext(), { ...options, message: 'Later', published: false })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
  });

  test.each([true, false])('sends it again when the rate was limited: published %j', async (published) => {
    nock(graphBase).post('/42/feed').query(authenticated).reply(403, refusal(32));
    nock(graphBase).post('/42/feed').query(authenticated).reply(200, { id: '42_5' });

    const post = await publishPost(pageContext(), { ...options, message: 'Limited', published });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_5' });
  });

  test.each([
    ['a time in unix seconds', 1_800_000_000, '1800000000'],
    ['a Date', new Date(1_800_000_000_999), '1800000000'],
  ])('schedules for %s', async (_, scheduledAt, sent) => {
    nock(graphBase)
      .post('/42/feed', { message: 'Hello', published: 'false', scheduled_publish_time: sent })
      .query(authenticated)
      .reply(200, { id: '42_1' });

    const post = await publishPost(pageContext({ clock: virtualClock(now) }), { ...options, scheduledAt });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test('finds a lost scheduled post by its text and its time', async () => {
    const scheduledAt = 1_800_000_000;
    nock(graphBase).post('/42/feed').query(authenticated).replyWithError(new Error('socket hang up'));
    nock(graphBase)
      .get('/42/scheduled_posts')
      .query({ ...looked, fields: `id,message,created_time,application,scheduled_publish_time,${shown}` })
      .reply(
        200,
        {
          data: [
            { id: '42_9', message: 'Later', created_time: after, scheduled_publish_time: scheduledAt + 60 },
            { id: '42_8', message: 'Later', created_time: after, scheduled_publish_time: scheduledAt },
          ],
        },
        { date: new Date(now).toUTCString() },
      );

    const post = await publishPost(pageContext({ clock: virtualClock(now) }), {
      ...options,
      message: 'Later',
      scheduledAt,
    });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_8' });
  });

  test('sends a draft as one, once, and looks for it nowhere', async () => {
    nock(graphBase)
      .post('/42/feed', { message: 'Draft', published: 'false', unpublished_content_type: 'DRAFT' })
      .query(authenticated)
      .reply(502, 'Bad Gateway');

    const error = (
      await publishPost(pageContext(), { ...options, message: 'Draft', draft: true })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'unknown' });
  });

  test('sends the button and the audience as JSON', async () => {
    const link = 'https://example.com/shop';
    const targeting = { age_min: 0, geo_locations: { countries: ['DE'] } };
    nock(graphBase)
      .post('/42/feed', {
        message: 'Hello',
        link,
        call_to_action: `{"type":"SHOP_NOW","value":{"link":"${link}"}}`,
        targeting: '{"age_min":0,"geo_locations":{"countries":["DE"]}}',
        feed_targeting: '{"genders":[2]}',
      })
      .query(authenticated)
      .reply(200, { id: '42_1' });

    const post = await publishPost(pageContext(), {
      ...options,
      link,
      draft: false,
      callToAction: { type: 'SHOP_NOW', link },
      targeting,
      feedTargeting: { genders: [2] },
    });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_1' });
  });

  test.each([
    ['targeting.ageMin is not an option: age_min is', { targeting: { ageMin: 18 } }],
    ['targeting.age_min must be a number of at least 0', { targeting: { age_min: '18+' } }],
    ['targeting.age_min must be a value that JSON can hold', { targeting: { age_min: NaN } }],
    ['targeting.age_max must be a value that JSON can hold', { targeting: { age_max: Infinity } }],
    ['feedTargeting.gender is not an option: genders is', { feedTargeting: { gender: [1] } }],
    [
      'targeting.geo_locations.countries must be a list of 1 or more',
      { targeting: { geo_locations: { countries: 'DE' } } },
    ],
  ] as const)('shows a post to nobody else by a slip: %s', async (message, more) => {
    const post = await publishPost(pageContext(), { ...options, message: 'Wine', ...(more as object) });

    expect(post._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', message });
  });

  test.each(['scheduled_publish_time', 'scheduledPublishTime', 'publishAt', 'schedule', 'when'])(
    'publishes nothing when a time is given as %s, which is no option',
    async (name) => {
      const post = await publishPost(pageContext(), { ...options, message: 'Later', [name]: 1_800_000_000 });

      expect(post._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: name });
    },
  );

  test('does not know what happened when the response has no id', async () => {
    nock(graphBase).post('/42/feed').query(authenticated).reply(200, { success: true });
    newest([], 4);

    const error = (
      await publishPost(pageContext({ clock: virtualClock(now) }), { ...options, message: 'No id' })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown', payload: { success: true } });
  });

  test.each([
    ['scheduledAt', { ...options, scheduledAt: now / 1000 + 599 }],
    ['scheduledAt', { ...options, scheduledAt: now + 86_400_000 }],
    ['scheduledAt', { ...options, scheduledAt: new Date(now - 1) }],
    ['scheduledAt', { ...options, scheduledAt: new Date(NaN) }],
    ['scheduledAt', { ...options, scheduledAt: now / 1000 + 900, published: true as never }],
    ['draft', { ...options, draft: true, scheduledAt: (now / 1000 + 900) as never }],
    ['draft', { ...options, draft: true, published: true as never }],
    ['callToAction', { ...options, callToAction: { type: 'SHOP_NOW', link: 'shop' } }],
    ['callToAction', { ...options, callToAction: { type: '', link: 'https://example.com' } }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (
      await publishPost(pageContext({ clock: virtualClock(now) }), bad as PublishPostOptions)
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: partOf(option) });
  });

  test('says how far ahead a post may be scheduled when the platform refuses its time', async () => {
    const said = 'The specified scheduled publish time is invalid.';
    nock(graphBase)
      .post('/42/feed')
      .query(authenticated)
      .reply(400, { error: { code: 100, message: said } });

    const clock = virtualClock(now);
    const post = await publishPost(pageContext({ clock }), { ...options, scheduledAt: now / 1000 + 1e7 });

    expect(post._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', category: 'validation' });
    expect(post._unsafeUnwrapErr().message).toBe(
      `${said} (10 minutes ahead at least; at most 30 days for posts and photos, 29 for a Reel, six months for a video)`,
    );
  });

  test('takes a time that is ten minutes ahead to the millisecond', async () => {
    nock(graphBase).post('/42/feed').query(authenticated).reply(200, { id: '42_1' });
    const clock = virtualClock(now + 500);

    const post = await publishPost(pageContext({ clock }), {
      ...options,
      scheduledAt: new Date(now + 600_500),
    });

    expect(post.isOk()).toBe(true);
  });
});

describe('posts', () => {
  const options = { pageId: '42', pageToken: token };

  function published(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/published_posts')
      .query({ ...authenticated, ...query });
  }

  function entries(count: number, from = 0): { id: string }[] {
    return Array.from({ length: count }, (_, at) => ({ id: `42_${from + at}` }));
  }

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

describe('iteratePosts', () => {
  const fields =
    'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,' +
    'from,shares';

  const options = { pageId: '42', pageToken: token };

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

describe('deletePost', () => {
  const options = { postId: '42_1', pageToken: token };

  function post(): nock.Interceptor {
    return nock(graphBase).delete('/42_1').query(authenticated);
  }

  test.each([true, 'true'])(
    'deletes the post, whether success is written as a flag or as text: %j',
    async (success) => {
      post().reply(200, { success });

      const deleted = await deletePost(pageContext(), options);

      expect(deleted._unsafeUnwrap()).toBe(true);
    },
  );

  test('is sent again when the response was lost', async () => {
    post().replyWithError(new Error('socket hang up'));
    post().reply(200, { success: true });

    expect((await deletePost(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('is of unknown outcome when the platform knows no such post after a lost response', async () => {
    post().replyWithError(new Error('socket hang up'));
    // The same for a post that is gone and for one that the token may not see.
    post().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test('fails when there was no such post from the start', async () => {
    post().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'rejected' });
  });

  test('fails with PermissionError when the permission is missing', async () => {
    post().reply(403, refusal(200));

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 200, outcome: 'rejected' });
  });

  test.each([
    ['that it did not', { success: false }, 'rejected'],
    ['something else', { id: '42_1' }, 'unknown'],
  ])('fails when the platform responds with %s', async (_, body, outcome) => {
    post().reply(200, body);

    const error = (await deletePost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', payload: body, outcome });
  });
});

describe('postDetails', () => {
  const fields =
    'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

  const counts = 'reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count)';

  const options = { postId: '42_1', pageToken: token };

  test('reads a post in one request, with the fields of posts', async () => {
    nock(graphBase)
      .get('/42_1')
      .query({ ...authenticated, fields })
      .reply(200, { id: '42_1', message: 'Hello', from: { id: 42 }, shares: { count: 3 }, extra: 1 });

    const post = (await postDetails(pageContext(), options))._unsafeUnwrap();

    expect(post).toEqual({
      id: '42_1',
      message: 'Hello',
      from: { id: '42' },
      shares: { count: 3 },
      extra: 1,
    });
    expect(post.raw['from']).toEqual({ id: 42 });
  });

  test('asks for chosen fields only', async () => {
    nock(graphBase)
      .get('/42_1')
      .query({ ...authenticated, fields: 'id,scheduled_publish_time' })
      .reply(200, { id: '42_1', scheduled_publish_time: 1_767_323_045 });

    const chosen = { ...options, fields: ['id', 'scheduled_publish_time'], totals: false };

    expect((await postDetails(pageContext(), chosen))._unsafeUnwrap()).toEqual({
      id: '42_1',
      scheduled_publish_time: 1_767_323_045,
    });
  });

  test.each([
    [{ shares: { count: 2 } }, { shares: 2 }],
    [{}, { shares: 0 }],
    [{ shares: { count: 'many' } }, {}],
  ])('counts in the same request; a post that nobody shared has no shares: %j', async (shared, shares) => {
    nock(graphBase)
      .get('/42_1')
      .query({ ...authenticated, fields: `${fields},${counts}` })
      .reply(200, {
        id: '42_1',
        reactions: { data: [], summary: { total_count: 1214, viewer_reaction: 'NONE' } },
        comments: { data: [], summary: { order: 'ranked', total_count: 7, can_comment: true } },
        ...shared,
      });

    const post = (await postDetails(pageContext(), { ...options, totals: true }))._unsafeUnwrap();

    expect(post).toMatchObject({ id: '42_1', totals: { reactions: 1214, comments: 7, ...shares } });
    expect(Object.keys(post.totals ?? {})).toHaveLength(2 + Object.keys(shares).length);
    expect(post).not.toHaveProperty('comments');
    expect(post).not.toHaveProperty('reactions');
    expect(post.withheld).toEqual([]);
    expect(Object.keys(post)).not.toContain('raw');
  });

  test('comes without totals if the token may not count, and says so', async () => {
    nock(graphBase)
      .get('/42_1')
      .query({ ...authenticated, fields: `${fields},${counts}` })
      .reply(403, refusal(10));
    nock(graphBase)
      .get('/42_1')
      .query({ ...authenticated, fields })
      .reply(200, { id: '42_1' });

    const post = (await postDetails(pageContext(), { ...options, totals: true }))._unsafeUnwrap();

    expect(post).toEqual({ id: '42_1' });
    expect(post.withheld).toEqual([{ totals: true, reason: 'refused 10' }]);
    expect(Object.keys(post)).toEqual(['id']);
  });

  test('fails if the platform refuses it without the totals, too', async () => {
    nock(graphBase).get('/42_1').query(true).times(2).reply(400, refusal(100));

    const error = (await postDetails(pageContext(), { ...options, totals: true }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 100, operation: 'postDetails' });
  });

  test.each([
    [400, refusal(100, { error_subcode: 33 }), 'not_found'],
    [400, refusal(190), 'auth'],
    [400, refusal(32), 'rate_limit'],
  ])('asks once where nothing of it can be read: %i', async (status, body, category) => {
    nock(graphBase)
      .get('/42_1')
      .query({ ...authenticated, fields: `${fields},${counts}` })
      .reply(status, body);

    const context = pageContext({ retry: { attempts: 1 } });
    const error = (await postDetails(context, { ...options, totals: true }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category });
  });
});

describe('the feed of a Page', () => {
  const fields =
    'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

  const options = { pageId: '42', pageToken: token };

  test('feed lists 25 posts, of visitors too', async () => {
    nock(graphBase)
      .get('/42/feed')
      .query({ ...authenticated, fields, limit: '25' })
      .reply(200, { data: [{ id: '42_2', from: { id: '9', name: 'Ann' } }, { id: '42_1' }] });

    const found = (await feed(pageContext(), options))._unsafeUnwrap();

    expect([...found]).toEqual([{ id: '42_2', from: { id: '9', name: 'Ann' } }, { id: '42_1' }]);
    expect([found.hasMore, found.unreadable]).toEqual([false, 0]);
  });

  test('feed sends its bounds in seconds', async () => {
    nock(graphBase)
      .get('/42/feed')
      .query({ ...authenticated, fields: 'id', since: '1767323045', until: '1767409445', limit: '5' })
      .reply(200, { data: [] });

    const bounds = { since: new Date(1_767_323_045_900), until: 1_767_409_445 };
    const found = await feed(pageContext(), { ...options, ...bounds, fields: ['id'], limit: 5 });

    expect(found._unsafeUnwrap()).toEqual([]);
  });

  test('iterateFeed walks the pages by time', async () => {
    nock(graphBase)
      .get('/42/feed')
      .query({ ...authenticated, fields: 'id', since: '5', limit: '100' })
      .reply(200, {
        data: [{ id: '42_2' }],
        paging: { next: `${graphBase}/42/feed?fields=id&since=5&limit=100&until=9&__paging_token=a` },
      });
    nock(graphBase)
      .get('/42/feed')
      .query({ ...authenticated, fields: 'id', since: '5', limit: '100', until: '9', __paging_token: 'a' })
      .reply(200, { data: [{ id: '42_1' }] });

    const ids: string[] = [];
    for await (const post of iterateFeed(pageContext(), { ...options, fields: ['id'], since: 5 })) {
      ids.push(post._unsafeUnwrap().id);
    }

    expect(ids).toEqual(['42_2', '42_1']);
  });

  test('refuses a time in milliseconds before anything is sent', async () => {
    const error = (await feed(pageContext(), { ...options, since: 1_767_323_045_900 }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'since' });
  });
});

describe('scheduledPosts', () => {
  const options = { pageId: '42', pageToken: token };

  function scheduled(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/scheduled_posts')
      .query({ ...authenticated, ...query });
  }

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

describe('updatePost', () => {
  const now = Date.UTC(2026, 0, 2);

  const options = { postId: '42_1', pageToken: token };

  function update(form: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase).post('/42_1', form).query(authenticated);
  }

  function change(changes: Partial<UpdatePostOptions>) {
    return updatePost(pageContext({ clock: virtualClock(now) }), { ...options, ...changes });
  }

  test.each<[string, Partial<UpdatePostOptions>, Readonly<Record<string, string>>]>([
    ['the text', { message: 'New' }, { message: 'New' }],
    ['the time', { scheduledAt: 1_800_000_000 }, { scheduled_publish_time: '1800000000' }],
    ['whether it is shown', { hidden: false }, { is_hidden: 'false' }],
    ['whether it is pinned', { pinned: false }, { is_pinned: 'false' }],
    [
      'all of it',
      { message: 'New', scheduledAt: new Date(1_800_000_000_000), hidden: true, pinned: true },
      { message: 'New', scheduled_publish_time: '1800000000', is_hidden: 'true', is_pinned: 'true' },
    ],
  ])('changes %s, and sends nothing else', async (_, changes, form) => {
    update(form).reply(200, { success: true });

    expect((await change(changes))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: to set it twice does no harm', async () => {
    update({ message: 'New' }).replyWithError(new Error('socket hang up'));
    update({ message: 'New' }).reply(200, { success: true });

    expect((await change({ message: 'New' })).isOk()).toBe(true);
  });

  test.each([
    ['it is of another app', 403, refusal(200), { name: 'PermissionError', outcome: 'rejected' }],
    ['it did not', 200, { success: false }, { name: 'ApiError', outcome: 'rejected' }],
  ])('fails when the platform says that %s', async (_, status, body, expected) => {
    update({ message: 'New' }).reply(status, body);

    expect((await change({ message: 'New' }))._unsafeUnwrapErr()).toMatchObject(expected);
  });

  test.each([
    ['message', {}],
    ['isAiGenerated', { message: 'Edited', isAiGenerated: true }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    expect((await change(bad))._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('publishScheduledPost', () => {
  const options = { postId: '42_1', pageToken: token };

  function publish(): nock.Interceptor {
    return nock(graphBase).post('/42_1', { is_published: 'true' }).query(authenticated);
  }

  test('publishes it', async () => {
    publish().reply(200, { success: true });

    expect((await publishScheduledPost(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: one post is published once', async () => {
    publish().replyWithError(new Error('socket hang up'));
    publish().reply(200, { success: 'true' });

    expect((await publishScheduledPost(pageContext(), options)).isOk()).toBe(true);
  });

  test('fails with what the platform says when it refuses', async () => {
    publish().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await publishScheduledPost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'rejected' });
  });
});
