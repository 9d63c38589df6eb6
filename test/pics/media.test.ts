import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  deleteMedia,
  iterateMedia,
  media,
  mediaDetails,
  mediaPoll,
  promptResponses,
  stories,
} from '../../src/pics/media.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';
import { partOf } from '../support/rules.ts';

describe('media', () => {
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
    [
      'of a field that the caller named',
      picsContext(),
      { token, fields: ['caption'] },
      '/me/media',
      unknownField('caption'),
    ],
    ['of no field', picsContext(), { token }, '/me/media', { error: { message: 'Invalid', code: 100 } }],
  ])('hands on a refusal %s', async (_, context, options, address, body) => {
    nock(context.graphBase).get(address).query(true).reply(400, body);

    expect((await media(context, options))._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100 });
  });

  test.each([
    ['login', picsContext(), { token }, '/me/media', 'permalink'],
    ['page', picsPageContext(), { token, picsUserId: '17' }, '/17/media', 'caption'],
  ])('does without a single field in %s mode, on all pages', async (_, context, own, at, name) => {
    const fewer = fields.replaceAll(new RegExp(`,${name}\\b`, 'g'), '');
    const list = (query: object) =>
      nock(context.graphBase)
        .get(at)
        .query({ ...authenticated, ...query });
    list({ fields, limit: '25' }).reply(400, unknownField(name));
    list({ fields: fewer, limit: '25' }).reply(200, {
      data: [{ id: '1' }],
      paging: { next: `${context.graphBase}${at}?limit=25&fields=${encodeURIComponent(fewer)}&after=b` },
    });
    list({ fields: fewer, limit: '25', after: 'b' }).reply(200, { data: [{ id: '2' }] });

    expect((await media(context, own))._unsafeUnwrap()).toEqual([{ id: '1' }, { id: '2' }]);
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

describe('iterateMedia', () => {
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

describe('mediaDetails', () => {
  const safe =
    'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count';

  const recent =
    'caption,media_product_type,alt_text,is_comment_enabled,is_shared_to_feed,owner,' +
    'children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';

  const fields = `${safe},${recent}`;

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

  test.each(['shortcode', 'caption'])('does without %s, that no kind of account lacks', async (name) => {
    const refused: string[] = [];
    const error = {
      message: `(#100) Tried accessing nonexisting field (${name}) on node type (X)`,
      code: 100,
    };
    nock(graphBase)
      .get('/18')
      .query({ ...authenticated, fields })
      .reply(400, { error });
    nock(graphBase)
      .get('/18')
      .query({ ...authenticated, fields: fields.replace(`,${name}`, '') })
      .reply(200, { id: '18' });
    const context = picsPageContext({ onFieldRefused: (event) => refused.push(event.field) });

    expect((await mediaDetails(context, { mediaId: '18', token }))._unsafeUnwrap()).toEqual({ id: '18' });
    expect(refused).toEqual([name]);
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

describe('mediaPoll', () => {
  const options = { mediaId: '901', token };
  const read = () => nock(graphBase).get('/901/poll_attachment').query(authenticated);

  test('reads the answers with their shares, and when it ends', async () => {
    const sent = {
      option_a: 'Tea',
      option_b: 'Coffee',
      option_c: 'Milk',
      option_a_votes_percentage: 0.5,
      option_b_votes_percentage: '0.25',
      expiration_timestamp: '2026-10-01T12:00:00+0000',
    };
    read().reply(200, sent);

    const poll = (await mediaPoll(picsPageContext(), options))._unsafeUnwrap();

    expect(poll).toEqual({
      options: [
        { text: 'Tea', share: 0.5 },
        { text: 'Coffee', share: 0.25 },
        { text: 'Milk', share: undefined },
      ],
      expires_at: new Date('2026-10-01T12:00:00Z'),
    });
    expect(poll?.raw).toEqual(sent);
  });

  test.each([[undefined], [null], ['soon'], [1_790_000_000]])(
    'has no end if the platform names none: %j',
    async (expiration_timestamp) => {
      read().reply(200, { option_a: '1', option_b: '2', expiration_timestamp });

      const poll = await mediaPoll(picsPageContext(), options);

      expect(poll._unsafeUnwrap()).toHaveProperty('expires_at', undefined);
    },
  );

  test('is null for a post without one', async () => {
    read().reply(200, 'null');

    expect((await mediaPoll(picsPageContext(), options))._unsafeUnwrap()).toBeNull();
  });

  test('says where a response is none', async () => {
    read().reply(200, { option_a: '1' });

    const error = (await mediaPoll(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining('option_b') });
  });

  test('is a matter of page mode', async () => {
    expect((await mediaPoll(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'context',
    });
  });
});

describe('promptResponses', () => {
  const options = { mediaId: '901', token };

  test.each([[{ data: [{ id: '9' }] }], [null], [[]]])('gives what the platform sends: %j', async (sent) => {
    nock(graphBase).get('/901/prompt_response').query(authenticated).reply(200, JSON.stringify(sent));

    expect((await promptResponses(picsPageContext(), options))._unsafeUnwrap()).toEqual(sent);
  });

  test('is a matter of page mode', async () => {
    expect((await promptResponses(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'context',
    });
  });
});

describe('deleteMedia', () => {
  const options = { mediaId: '901', token };

  const gone = { error: { message: 'Gone', code: 100, error_subcode: 33 } };

  test('deletes the media', async () => {
    nock(graphBase).delete('/901', '').query(authenticated).reply(200, { success: true, deleted_id: '901' });

    const deleted = await deleteMedia(picsPageContext(), options);

    expect(deleted._unsafeUnwrap()).toEqual({ success: true, deleted_id: '901' });
  });

  test('is sent again when the response was lost', async () => {
    nock(graphBase).delete('/901').query(true).reply(502, 'Bad Gateway');
    nock(graphBase).delete('/901').query(true).reply(200, { success: true });

    expect((await deleteMedia(picsPageContext(), options)).isOk()).toBe(true);
  });

  test('is of unknown outcome when the platform knows no such media after a lost response', async () => {
    nock(graphBase).delete('/901').query(true).reply(502, 'Bad Gateway');
    // The same for a media that is gone and for one that the token may not see.
    nock(graphBase).delete('/901').query(true).reply(400, gone);

    const error = (await deleteMedia(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test.each([
    [400, gone, 'not_found'],
    [400, { error: { message: 'No', code: 200 } }, 'permission'],
    [200, { success: false }, 'unknown'],
  ])('fails when the platform refuses at once', async (status, body, category) => {
    nock(graphBase).delete('/901').query(true).reply(status, body);

    const error = (await deleteMedia(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category, outcome: 'rejected' });
  });

  test.each([['context', picsContext, options]])(
    'refuses a bad %s before anything is sent',
    async (option, contextOf, bad) => {
      const error = (await deleteMedia(contextOf(), bad))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    },
  );
});

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
