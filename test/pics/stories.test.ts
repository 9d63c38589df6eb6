import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { stories } from '../../src/pics/stories.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';
import { partOf } from '../support/rules.ts';

const fields =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count,' +
  'caption,media_product_type,alt_text,is_comment_enabled,is_shared_to_feed,owner,' +
  'children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';
const options = { token, picsUserId: '17' };

describe('stories', () => {
  test('lists the active stories of the account', async () => {
    nock(graphBase)
      .get('/17/stories')
      .query({ ...authenticated, fields, limit: '25' })
      .reply(200, { data: [{ id: '1', media_product_type: 'STORY' }] });

    expect((await stories(picsPageContext(), options))._unsafeUnwrap()).toEqual([
      { id: '1', media_product_type: 'STORY' },
    ]);
  });

  test.each([
    [['id'], 'id,media_product_type'],
    [['media_product_type', 'id'], 'media_product_type,id'],
  ])('always asks for media_product_type, once, beside %j', async (chosen, sent) => {
    nock(graphBase)
      .get('/17/stories')
      .query({ ...authenticated, fields: sent, limit: '2' })
      .reply(200, { data: [] });

    const active = await stories(picsPageContext(), { ...options, fields: chosen, limit: 2 });

    expect(active._unsafeUnwrap()).toEqual([]);
  });

  test('fails with what the platform said', async () => {
    nock(graphBase)
      .get('/17/stories')
      .query(true)
      .reply(403, { error: { message: 'No permission', code: 10 } });

    expect((await stories(picsPageContext(), options))._unsafeUnwrapErr().name).toBe('PermissionError');
  });

  test.each([
    ['context', picsContext(), options],
    ['fields', picsPageContext(), { ...options, fields: ['id', 'from{access_token}'] }],
  ])('refuses a bad %s before anything is sent', async (option, context, bad) => {
    expect((await stories(context, bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
    });
  });
});
