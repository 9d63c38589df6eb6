import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  likeMedia,
  type LikeMediaOptions,
  mentionedComment,
  mentionedMedia,
  replyMention,
  taggedMedia,
} from '../../src/pics/mentions.ts';
import {
  authenticated,
  dated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  wireNow,
} from '../support/context.ts';

describe('taggedMedia', () => {
  const fields =
    'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count,' +
    'caption,media_product_type,alt_text,is_comment_enabled,is_shared_to_feed,owner,' +
    'children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';

  test.each([
    ['login', picsGraphBase, picsContext, {}, 'me'],
    ['page', graphBase, picsPageContext, { picsUserId: '17' }, '17'],
  ] as const)('lists the media in %s mode', async (_mode, base, contextOf, own, node) => {
    nock(base)
      .get(`/${node}/tags`)
      .query({ ...authenticated, fields, limit: '25' })
      .reply(200, { data: [{ id: 1, username: 'ada' }] });

    const tagged = await taggedMedia(contextOf(), { token, ...own });

    expect(tagged._unsafeUnwrap()).toEqual([{ id: '1', username: 'ada' }]);
  });

  test('asks for media of a type and a time', async () => {
    nock(picsGraphBase)
      .get('/me/tags')
      .query({
        ...authenticated,
        fields: 'id',
        limit: '25',
        media_type: 'IMAGE',
        posted_after: '1790000000',
        posted_before: '1790003600',
      })
      .reply(200, { data: [{ id: '1' }] });

    const tagged = await taggedMedia(picsContext(), {
      token,
      fields: ['id'],
      mediaType: 'IMAGE',
      postedAfter: 1_790_000_000,
      postedBefore: new Date(1_790_003_600_000),
    });

    expect(tagged._unsafeUnwrap()).toEqual([{ id: '1' }]);
  });

  test('goes on behind the cursor, although there is no link, until a page is empty', async () => {
    const page = (ids: readonly string[], after: string): object => ({
      data: ids.map((id) => ({ id })),
      paging: { cursors: { before: 'Z', after } },
    });
    const asked: unknown[] = [];
    for (const body of [page(['1', '2'], 'A'), page(['3'], 'B'), page([], 'B')]) {
      nock(picsGraphBase)
        .get('/me/tags')
        .query(({ after, fields: names, limit }) => {
          asked.push([after, names, limit]);
          return true;
        })
        .reply(200, body);
    }

    const tagged = await taggedMedia(picsContext(), { token, fields: ['id'], limit: 99 });

    expect(tagged._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(asked).toEqual([
      [undefined, 'id', '99'],
      ['A', 'id', '99'],
      ['B', 'id', '99'],
    ]);
  });

  test('does without the fields that its mode may not know', async () => {
    nock(picsGraphBase)
      .get('/me/tags')
      .query(true)
      .reply(400, { error: { message: '(#100) Tried accessing nonexisting field (caption)', code: 100 } });
    nock(picsGraphBase)
      .get('/me/tags')
      .query(({ fields: names }) => !String(names).includes('caption'))
      .reply(200, { data: [{ id: '1' }] });

    expect((await taggedMedia(picsContext(), { token }))._unsafeUnwrap()).toEqual([{ id: '1' }]);
  });
});

describe('mentionedMedia', () => {
  const options = { token, picsUserId: '17', mediaId: '901' };

  const documented = 'id,caption,media_type,media_url,timestamp,username,owner,like_count,comments_count';

  test.each([
    [undefined, documented],
    [['id', 'permalink'], 'id,permalink'],
  ])('reads the media as a field of the account: %j', async (fields, asked) => {
    nock(graphBase)
      .get('/17')
      .query({ ...authenticated, fields: `mentioned_media.media_id(901){${asked}}` })
      .reply(200, { mentioned_media: { id: 901, caption: 'Hi @shop', owner: { id: 8 } }, id: '17' });

    const found = await mentionedMedia(picsPageContext(), { ...options, fields });

    expect(found._unsafeUnwrap()).toEqual({ id: '901', caption: 'Hi @shop', owner: { id: '8' } });
  });

  test.each([{ id: '17' }, { mentioned_media: {} }, { mentioned_media: [] }])(
    'says where a response is misshapen: %j',
    async (body) => {
      nock(graphBase).get('/17').query(true).reply(200, body);

      const error = (await mentionedMedia(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining('mentioned_media') });
    },
  );

  test('hands on a refusal', async () => {
    nock(graphBase)
      .get('/17')
      .query(true)
      .reply(400, { error: { message: 'No', code: 100, error_subcode: 33 } });

    const error = (await mentionedMedia(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'not_found' });
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await mentionedMedia(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each(['9){id},name'])('refuses the id %j before anything is sent', async (mediaId) => {
    const error = (await mentionedMedia(picsPageContext(), { ...options, mediaId }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'mediaId' });
  });
});

describe('mentionedComment', () => {
  const options = { token, picsUserId: '17', commentId: '7' };

  test.each([
    [undefined, 'id,text,timestamp,like_count,media{id,media_url}'],
    [['id', 'username'], 'id,username'],
  ])('reads the comment as a field of the account: %j', async (fields, asked) => {
    nock(graphBase)
      .get('/17')
      .query({ ...authenticated, fields: `mentioned_comment.comment_id(7){${asked}}` })
      .reply(200, { mentioned_comment: { id: 7, text: '@shop?', media: { id: 901 } }, id: '17' });

    const found = await mentionedComment(picsPageContext(), { ...options, fields });

    expect(found._unsafeUnwrap()).toEqual({ id: '7', text: '@shop?', media: { id: '901' } });
  });

  test.each([{ id: '17' }, { mentioned_comment: {} }])(
    'says where a response is misshapen: %j',
    async (body) => {
      nock(graphBase).get('/17').query(true).reply(200, body);

      const error = (await mentionedComment(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: expect.stringContaining('mentioned_comment'),
      });
    },
  );

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await mentionedComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test('refuses an id that would end the expression before anything is sent', async () => {
    const bad = { ...options, commentId: '7){id},name' };

    expect((await mentionedComment(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'commentId',
    });
  });
});

describe('replyMention', () => {
  const options = { token, picsUserId: '17', mediaId: '901', message: ' Thank you! ' };

  const comments = '{id,text,timestamp,username}';

  test.each([
    ['login', picsGraphBase, picsContext, { picsUserId: undefined }, 'me'],
    ['page', graphBase, picsPageContext, {}, '17'],
  ] as const)('replies to a caption in %s mode', async (_mode, base, contextOf, own, node) => {
    nock(base)
      .post(`/${node}/mentions`, { media_id: '901', message: ' Thank you! ' })
      .query(authenticated)
      .reply(200, '{"id":17841400000000001}');

    const reply = await replyMention(contextOf(), { ...options, ...own });

    expect(reply._unsafeUnwrap()).toEqual({ id: '17841400000000001' });
  });

  test('replies to a comment', async () => {
    nock(graphBase)
      .post('/17/mentions', { media_id: '901', comment_id: '7', message: ' Thank you! ' })
      .query(authenticated)
      .reply(200, { id: '8' });

    const reply = await replyMention(picsPageContext(), { ...options, commentId: '7' });

    expect(reply._unsafeUnwrap()).toEqual({ id: '8' });
  });

  test.each([
    [{}, 'mentioned_media', 'media_id(901)', 'comments'],
    [{ commentId: '7' }, 'mentioned_comment', 'comment_id(7)', 'replies'],
  ])('returns the reply that a lost response had made: %j', async (own, field, at, edge) => {
    nock(graphBase).post('/17/mentions').query(true).replyWithError(new Error('reset'));
    nock(graphBase)
      .get('/17')
      .query({ ...authenticated, fields: `username,${field}.${at}{${edge}.limit(50)${comments}}` })
      .reply(
        200,
        () => ({
          username: 'shop',
          [field]: {
            [edge]: {
              data: [
                { id: '5', text: 'Thank you!', timestamp: wireNow(), username: 'ada' },
                { id: '6', text: 'Other', timestamp: wireNow(), username: 'shop' },
                { id: '7', text: 'Thank you!', timestamp: wireNow(), username: 'shop' },
                { id: '8', text: 'Thank you!', timestamp: '2020-01-02T03:04:05+0000', username: 'shop' },
              ],
            },
          },
        }),
        dated(),
      );

    const reply = await replyMention(picsPageContext(), { ...options, ...own });

    expect(reply._unsafeUnwrap()).toEqual({ id: '7' });
  });

  test('is of unknown outcome in login mode, which cannot look, and is not sent again', async () => {
    nock(picsGraphBase).post('/me/mentions').query(true).reply(502, 'Bad Gateway');

    const error = (
      await replyMention(picsContext(), { ...options, picsUserId: undefined })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown' });
  });

  test('is of unknown outcome where it is not found, or the mentions cannot be read', async () => {
    for (const [status, body] of [
      [200, { username: 'shop', id: '17' }],
      [400, { error: { message: 'No', code: 10 } }],
      [200, { id: '17' }],
    ] as const) {
      nock(graphBase).post('/17/mentions').query(true).reply(502, 'Bad Gateway');
      nock(graphBase).get('/17').query(true).times(4).reply(status, body);

      const error = (await replyMention(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ status: 502, outcome: 'unknown' });
    }
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .post('/17/mentions')
      .query(true)
      .reply(400, { error: { message: 'No', code: 10 } });

    const error = (await replyMention(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', outcome: 'rejected' });
  });
});

describe('likeMedia', () => {
  const options = { token, picsUserId: '17', mediaId: '901' };

  test.each([
    [{ mediaId: '901' }, { media_id: '901' }],
    [{ commentId: '7' }, { comment_id: '7' }],
  ] as const)('likes %j, and takes it back', async (what, sent) => {
    nock(graphBase).post('/17/likes', sent).query(authenticated).reply(200, { success: true });
    nock(graphBase)
      .delete('/17/likes', '')
      .query({ ...authenticated, ...sent })
      .reply(200, { success: true });

    for (const liked of [undefined, false]) {
      const told = await likeMedia(picsPageContext(), { token, picsUserId: '17', ...what, liked });

      expect(told._unsafeUnwrap()).toEqual({ success: true });
    }
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(graphBase).post('/17/likes').query(true).reply(502, 'Bad Gateway');
    nock(graphBase).post('/17/likes').query(true).reply(200, { success: true });

    expect((await likeMedia(picsPageContext(), options)).isOk()).toBe(true);
  });

  test('fails where the platform does not do it', async () => {
    nock(graphBase).post('/17/likes').query(true).reply(200, { success: false });

    expect((await likeMedia(picsPageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'rejected',
    });
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await likeMedia(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each([{}, { mediaId: '901', commentId: '7' }])(
    'refuses none and two before anything is sent: %j',
    async (what) => {
      const bad = { token, picsUserId: '17', ...what } as LikeMediaOptions;

      expect((await likeMedia(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        message: 'give exactly one of mediaId and commentId',
      });
    },
  );
});
