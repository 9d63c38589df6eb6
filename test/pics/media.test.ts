import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { media } from '../../src/pics/media.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const safe =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count';
const documented = `${safe},caption,media_product_type`;
const recent =
  'alt_text,is_comment_enabled,is_shared_to_feed,owner,' +
  'children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';
const fields = `${documented},${recent}`;

function unknownField(name: string): object {
  return { error: { message: `(#100) Tried accessing nonexisting field (${name})`, code: 100 } };
}

describe('media', () => {
  test('lists the posts of the own account in login mode', async () => {
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields, limit: '25' })
      .reply(200, '{"data":[{"id":17900000000000001,"caption":"Open","like_count":3,"other":[1]}]}');

    const posts = await media(picsContext(), { token });

    expect(posts._unsafeUnwrap()).toEqual([
      { id: '17900000000000001', caption: 'Open', like_count: 3, other: [1] },
    ]);
  });

  test('walks the pages in page mode, up to the limit over all of them', async () => {
    nock(graphBase)
      .get('/17/media')
      .query({ ...authenticated, fields, limit: '3' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${graphBase}/17/media?after=b&access_token=${token}` },
      });
    nock(graphBase)
      .get('/17/media')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '3' }, { id: '4' }] });

    const posts = await media(picsPageContext(), { token, picsUserId: '17', limit: 3 });

    expect(posts._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  test('asks for the fields that the caller names', async () => {
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields: 'id,permalink', limit: '1' })
      .reply(200, { data: [] });

    const posts = await media(picsContext(), { token, fields: ['id', 'permalink'], limit: 1 });

    expect(posts._unsafeUnwrap()).toEqual([]);
  });

  test('does without the fields that login mode may not know', async () => {
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields, limit: '25' })
      .reply(400, unknownField('caption'));
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields: safe, limit: '25' })
      .reply(200, { data: [{ id: '1' }] });

    expect((await media(picsContext(), { token }))._unsafeUnwrap()).toEqual([{ id: '1' }]);
  });

  test.each([
    ['login', picsContext(), { token }, '/me/media', 'owner'],
    ['page', picsPageContext(), { token, picsUserId: '17' }, '/17/media', 'children'],
  ])(
    'does without the fields that its version may not know in %s mode',
    async (_, context, own, at, name) => {
      nock(context.graphBase)
        .get(at)
        .query({ ...authenticated, fields, limit: '25' })
        .reply(400, unknownField(name));
      nock(context.graphBase)
        .get(at)
        .query({ ...authenticated, fields: documented, limit: '25' })
        .reply(200, { data: [{ id: '1' }] });

      expect((await media(context, own))._unsafeUnwrap()).toEqual([{ id: '1' }]);
    },
  );

  test.each([
    ['of another field', picsContext(), { token }, '/me/media', unknownField('permalink')],
    [
      'of a field that the caller named',
      picsContext(),
      { token, fields: ['caption'] },
      '/me/media',
      unknownField('caption'),
    ],
    ['in page mode', picsPageContext(), { token, picsUserId: '17' }, '/17/media', unknownField('caption')],
  ])('hands on a refusal %s', async (_, context, options, address, body) => {
    nock(context.graphBase).get(address).query(true).reply(400, body);

    expect((await media(context, options))._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100 });
  });

  test('hands on a refusal of another kind that speaks of such a field', async () => {
    const error = { message: 'Log in to see the caption', code: 190 };
    nock(picsGraphBase).get('/me/media').query(true).reply(400, { error });

    expect((await media(picsContext(), { token }))._unsafeUnwrapErr()).toMatchObject({ code: 190 });
  });

  test('says where a response is misshapen', async () => {
    nock(picsGraphBase)
      .get('/me/media')
      .query(true)
      .reply(200, { data: [{ id: '1' }, { caption: 'x' }] });

    expect((await media(picsContext(), { token }))._unsafeUnwrapErr().message).toContain('data.1.id');
  });
});
