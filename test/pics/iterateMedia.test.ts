import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iterateMedia } from '../../src/pics/iterateMedia.ts';
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
const options = { token };

function list(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(picsGraphBase)
    .get('/me/media')
    .query({ ...authenticated, ...query });
}

function unknownField(name: string): object {
  return { error: { message: `(#100) Tried accessing nonexisting field (${name})`, code: 100 } };
}

describe('iterateMedia', () => {
  test('walks the pages to the last, each entry once', async () => {
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields, limit: '100' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${picsGraphBase}/me/media?access_token=${token}&after=b` },
      });
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const entry of iterateMedia(picsContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(['1', '2', '3']);
  });

  test('asks for the fields that it is given, and for no more than its limit', async () => {
    nock(picsGraphBase)
      .get('/me/media')
      .query({ ...authenticated, fields: 'id,from', limit: '2' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }, { id: '3' }] });

    const found = iterateMedia(picsContext(), { ...options, fields: ['id', 'from'], limit: 2 });

    expect((await Array.fromAsync(found)).map((entry) => entry._unsafeUnwrap())).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });

  test.each([
    ['caption', safe],
    ['owner', documented],
  ])('does without the fields that the platform may not know, such as %s', async (name, fewer) => {
    list({ fields, limit: '100' }).reply(400, unknownField(name));
    list({ fields: fewer, limit: '100' }).reply(200, {
      data: [{ id: '1' }],
      paging: { next: `${picsGraphBase}/me/media?access_token=${token}&after=b` },
    });
    list({ after: 'b' }).reply(400, unknownField(name));

    const found = await Array.fromAsync(iterateMedia(picsContext(), options));

    // A refusal in the middle of the walk does not restart it.
    expect(found.map((entry) => (entry.isErr() ? entry.error.name : entry.value.id))).toEqual([
      '1',
      'ApiError',
    ]);
  });

  test('hands on the refusal of a field that the caller named', async () => {
    list({ fields: 'caption', limit: '100' }).reply(400, unknownField('caption'));

    const found = await Array.fromAsync(iterateMedia(picsContext(), { ...options, fields: ['caption'] }));

    expect(found.map((entry) => entry._unsafeUnwrapErr())).toMatchObject([{ name: 'ApiError', code: 100 }]);
  });

  test('walks the media of the account that page mode names', async () => {
    nock(graphBase)
      .get('/17/media')
      .query({ ...authenticated, fields, limit: '100' })
      .reply(200, { data: [{ id: '1' }] });

    const found = await Array.fromAsync(iterateMedia(picsPageContext(), { token, picsUserId: '17' }));

    expect(found.map((entry) => entry._unsafeUnwrap())).toEqual([{ id: '1' }]);
    const [missing] = await Array.fromAsync(iterateMedia(picsPageContext(), options));
    expect(missing?._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'picsUserId' });
  });
});
