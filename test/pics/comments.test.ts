import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { comments } from '../../src/pics/comments.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const fields =
  'id,text,timestamp,username,like_count,hidden,from,parent_id,replies{id,text,timestamp,username,like_count,hidden}';
const options = { mediaId: '17', token };

describe.each([
  ['login', picsGraphBase, picsContext],
  ['page', graphBase, picsPageContext],
] as const)('comments in %s mode', (_mode, base, contextOf) => {
  test('asks for the fields of a comment, 50 at once', async () => {
    nock(base)
      .get('/17/comments')
      .query({ ...authenticated, fields, limit: '50' })
      .reply(200, { data: [{ id: '1', text: 'Nice', extra: 5 }] });

    const found = await comments(contextOf(), options);

    expect(found._unsafeUnwrap()).toEqual([{ id: '1', text: 'Nice', extra: 5 }]);
  });

  test('counts the limit over all pages, and asks for no more than 50 at once', async () => {
    const page = (from: number) =>
      Array.from({ length: 50 }, (_, index) => ({ id: String(from + index), text: 'x' }));
    nock(base)
      .get('/17/comments')
      .query({ ...authenticated, fields: 'id,text', limit: '50' })
      .reply(200, {
        data: page(0),
        paging: { next: `${base}/17/comments?after=A&limit=50&access_token=${token}` },
      });
    nock(base)
      .get('/17/comments')
      .query({ ...authenticated, after: 'A', limit: '50' })
      .reply(200, { data: page(50), paging: { next: `${base}/17/comments?after=B&limit=50` } });

    const found = await comments(contextOf(), { ...options, limit: 60, fields: ['id', 'text'] });

    expect(found._unsafeUnwrap().map(({ id }) => id)).toEqual(
      Array.from({ length: 60 }, (_, n) => String(n)),
    );
  });
});

describe('comments', () => {
  test('hands out ids as texts, digit for digit, in replies too', async () => {
    nock(picsGraphBase)
      .get('/17/comments')
      .query(true)
      .reply(
        200,
        '{"data":[{"id":17841400000000001,"from":{"id":17841400000000003},"replies":{"data":[{"id":17841400000000005}]}}]}',
      );

    const found = await comments(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual([
      {
        id: '17841400000000001',
        from: { id: '17841400000000003' },
        replies: { data: [{ id: '17841400000000005' }] },
      },
    ]);
  });

  test('says where a response is of another shape', async () => {
    nock(picsGraphBase)
      .get('/17/comments')
      .query(true)
      .reply(200, { data: [{ text: 'no id' }] });

    const error = (await comments(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining('data.0.id') });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .get('/17/comments')
      .query(true)
      .reply(403, { error: { message: 'No permission', code: 10, type: 'OAuthException' } });

    const error = (await comments(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'No permission', code: 10 });
  });
});
