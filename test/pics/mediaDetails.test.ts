import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { mediaDetails } from '../../src/pics/mediaDetails.ts';
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
const recent =
  'caption,media_product_type,alt_text,is_comment_enabled,is_shared_to_feed,owner,' +
  'children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';
const fields = `${safe},${recent}`;

describe('mediaDetails', () => {
  test.each([
    ['login', picsContext(), picsGraphBase],
    ['page', picsPageContext(), graphBase],
  ])('reads one post in %s mode', async (_, context, base) => {
    const post = { id: '18', permalink: 'https://pics.test/p/1', media_type: 'IMAGE', owner: { id: '1' } };
    nock(base)
      .get('/18')
      .query({ ...authenticated, fields })
      .reply(200, post);

    expect((await mediaDetails(context, { mediaId: '18', token }))._unsafeUnwrap()).toEqual(post);
  });

  test('asks for the fields that the caller names', async () => {
    nock(picsGraphBase)
      .get('/18')
      .query({ ...authenticated, fields: 'permalink' })
      .reply(200, { id: '18', permalink: null });

    const post = await mediaDetails(picsContext(), { mediaId: '18', token, fields: ['permalink'] });

    expect(post._unsafeUnwrap()).toEqual({ id: '18' });
  });

  test('does without the fields that login mode may not know', async () => {
    nock(picsGraphBase)
      .get('/18')
      .query({ ...authenticated, fields })
      .reply(400, { error: { message: 'nonexisting field (media_product_type)', code: 100 } });
    nock(picsGraphBase)
      .get('/18')
      .query({ ...authenticated, fields: safe })
      .reply(200, { id: '18' });

    expect((await mediaDetails(picsContext(), { mediaId: '18', token }))._unsafeUnwrap()).toEqual({
      id: '18',
    });
  });

  test('fails with what the platform said of an unknown id', async () => {
    nock(picsGraphBase)
      .get('/18')
      .query(true)
      .reply(400, { error: { message: 'Unsupported get request', code: 100, error_subcode: 33 } });

    expect((await mediaDetails(picsContext(), { mediaId: '18', token }))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      category: 'not_found',
    });
  });
});
