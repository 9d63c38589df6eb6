import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { ApiError } from '../../src/core/errors.ts';
import { publishPost, type PublishPostOptions } from '../../src/page/publishPost.ts';
import { authenticated, graphBase, pageContext, token, virtualClock, dated } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token, message: 'Hello' };

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const after = '2026-01-02T03:04:06+0000';
const looked = { ...authenticated, fields: 'id,message,created_time', limit: '25' };

/** The next lookups of the newest posts show these. */
function newest(data: readonly object[], times: number): nock.Scope {
  return nock(graphBase)
    .get('/42/published_posts')
    .query(looked)
    .times(times)
    .reply(200, { data }, { date: new Date(now).toUTCString() });
}

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
      .query({ ...authenticated, fields: 'id,message,created_time', limit: '25' })
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
      .query({ ...looked, fields: 'id,message,created_time,scheduled_publish_time' })
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

  test('never sends a time that is not an option', async () => {
    nock(graphBase).post('/42/feed', { message: 'Now' }).query(authenticated).reply(200, { id: '42_6' });
    const more = { scheduled_publish_time: 1, scheduledPublishTime: 1 };

    const post = await publishPost(pageContext(), { ...options, message: 'Now', ...more });

    expect(post._unsafeUnwrap()).toEqual({ id: '42_6' });
  });

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

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
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
