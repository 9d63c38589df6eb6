import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { taggedMedia } from '../../src/pics/taggedMedia.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const fields =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count,' +
  'caption,media_product_type,alt_text,is_comment_enabled,is_shared_to_feed,owner,' +
  'children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';

describe('taggedMedia', () => {
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
