import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { replyMention } from '../../src/pics/replyMention.ts';
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

const options = { token, picsUserId: '17', mediaId: '901', message: ' Thank you! ' };
const comments = '{id,text,timestamp,username}';

describe('replyMention', () => {
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
