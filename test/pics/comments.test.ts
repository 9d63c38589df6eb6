import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  commentDetails,
  comments,
  deleteComment,
  hideComment,
  iterateComments,
  iterateReplies,
  publishComment,
  replies,
  replyComment,
  setCommentsEnabled,
} from '../../src/pics/comments.ts';
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

describe('comments', () => {
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
});

describe('comments with all replies', () => {
  const options = { mediaId: '901', token, replies: true, fields: ['id', 'text'], limit: 100 };

  function listed(path: string, query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(picsGraphBase)
      .get(path)
      .query({ ...authenticated, ...query });
  }

  const fields = 'id,text,replies.limit(50){id,text}';

  function thread(): void {
    listed('/901/comments', { fields, limit: '50' }).reply(200, {
      data: [
        {
          id: '1',
          replies: { data: [{ id: '11' }], paging: { next: `${picsGraphBase}/1/replies?after=z` } },
        },
        { id: '2', replies: { data: [] } },
        { id: '3' },
        { id: '4', replies: { data: [], paging: { cursors: { after: 'a' } } } },
        { id: '5', replies: { data: [{ id: '51', text: 'Yes' }, { id: '52' }] } },
        { id: '6', replies: { data: [{ id: '61' }], paging: { cursors: { after: 'a' } } } },
      ],
    });
    const next = `${picsGraphBase}/1/replies?access_token=${token}&after=b`;
    listed('/1/replies', { fields: 'id,text', limit: '50' }).reply(200, {
      data: [{ id: '11' }],
      paging: { next },
    });
    listed('/1/replies', { after: 'b' }).reply(200, { data: [{ id: '12', text: 'Hi', parent_id: '1' }] });
    listed('/4/replies', { fields: 'id,text', limit: '50' }).reply(200, { data: [{ id: '41' }] });
  }

  const all = ['1', '11', '12', '2', '3', '4', '41', '5', '51', '52', '6', '61'];

  test('come behind their comment, each with its parent, and in requests of their own where there are more', async () => {
    thread();

    const found = (await comments(picsContext(), options))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(all);
    expect(found.filter(({ parent_id }) => parent_id !== undefined)).toEqual([
      { id: '11', parent_id: '1' },
      { id: '12', text: 'Hi', parent_id: '1' },
      { id: '41', parent_id: '4' },
      { id: '51', text: 'Yes', parent_id: '5' },
      { id: '52', parent_id: '5' },
      { id: '61', parent_id: '6' },
    ]);
    expect(found[1]?.raw).toEqual({ id: '11' });
    expect(found.hasMore).toBe(false);
  });

  test('go on behind those that came, where the platform says by which cursor', async () => {
    const paging = { cursors: { before: 'q', after: 'z' }, next: `${picsGraphBase}/1/replies?after=z` };
    const inline = { data: [{ id: '11' }, { id: '12' }], paging };
    listed('/901/comments', { fields, limit: '50' }).reply(200, { data: [{ id: '1', replies: inline }] });
    const next = `${picsGraphBase}/1/replies?access_token=${token}&after=y`;
    listed('/1/replies', { fields: 'id,text', limit: '50', after: 'z' }).reply(200, {
      data: [{ id: '12' }, { id: '13' }],
      paging: { next },
    });
    listed('/1/replies', { after: 'y' }).reply(200, { data: [{ id: '14' }] });

    const found = (await comments(picsContext(), options))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['1', '11', '12', '13', '14']);
    expect(found.slice(1).map(({ parent_id }) => parent_id)).toEqual(['1', '1', '1', '1']);
  });

  test.each([
    [2, true, ['1', '11']],
    [3, true, ['1', '11', '12']],
    [4, true, ['1', '11', '12', '13']],
    [5, false, ['1', '11', '12', '13', '14']],
  ])('that go on count against a limit of %i; hasMore is %s', async (limit, hasMore, ids) => {
    const paging = { cursors: { after: 'z' }, next: `${picsGraphBase}/1/replies?after=z` };
    const inline = { data: [{ id: '11' }, { id: '12' }], paging };
    listed('/901/comments', { fields, limit: `${limit}` }).reply(200, {
      data: [{ id: '1', replies: inline }],
    });
    if (limit > 3)
      listed('/1/replies', { fields: 'id,text', limit: `${limit - 3}`, after: 'z' }).reply(200, {
        data: [{ id: '13' }, { id: '14' }].slice(0, limit - 3),
        ...(limit === 4 && { paging: { next: `${picsGraphBase}/1/replies?after=y` } }),
      });

    const found = (await comments(picsContext(), { ...options, limit }))._unsafeUnwrap();

    expect([found.map(({ id }) => id), found.hasMore]).toEqual([ids, hasMore]);
  });

  test('are walked as well', async () => {
    thread();
    const seen: unknown[] = [];

    for await (const entry of iterateComments(picsContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(all);
  });

  test.each([
    [1, true, ['1']],
    [2, true, ['1', '11']],
    [3, true, ['1', '11', '12']],
    [4, false, ['1', '11', '12', '2']],
  ])('count against a limit of %i; hasMore is %s', async (limit, hasMore, ids) => {
    listed('/901/comments', { fields, limit: `${limit}` }).reply(200, {
      data: [{ id: '1', replies: { data: [{ id: '11' }, { id: '12' }] } }, { id: '2' }].slice(0, limit),
    });

    const found = (await comments(picsContext(), { ...options, limit }))._unsafeUnwrap();

    expect([found.map(({ id }) => id), found.hasMore]).toEqual([ids, hasMore]);
  });

  test('fail the list if they cannot be read', async () => {
    listed('/901/comments', { fields, limit: '50' }).reply(200, {
      data: [{ id: '1', replies: { data: [{ id: '11' }], paging: { next: 'a' } } }, { id: '2' }],
    });
    listed('/1/replies', { fields: 'id,text', limit: '50' }).reply(403, {
      error: { message: 'No permission', code: 10, type: 'OAuthException' },
    });

    const error = (await comments(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10, operation: 'comments' });
  });
});

describe('iterateComments', () => {
  const fields =
    'id,text,timestamp,username,like_count,hidden,from,parent_id,' +
    'replies{id,text,timestamp,username,like_count,hidden}';

  const options = { mediaId: '901', token };

  test('walks the pages to the last, each entry once', async () => {
    nock(picsGraphBase)
      .get('/901/comments')
      .query({ ...authenticated, fields, limit: '50' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${picsGraphBase}/901/comments?access_token=${token}&after=b` },
      });
    nock(picsGraphBase)
      .get('/901/comments')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const entry of iterateComments(picsContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(['1', '2', '3']);
  });

  test('asks for the fields that it is given, and for no more than its limit', async () => {
    nock(picsGraphBase)
      .get('/901/comments')
      .query({ ...authenticated, fields: 'id,from', limit: '2' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }, { id: '3' }] });

    const found = iterateComments(picsContext(), { ...options, fields: ['id', 'from'], limit: 2 });

    expect((await Array.fromAsync(found)).map((entry) => entry._unsafeUnwrap())).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });
});

describe('publishComment', () => {
  const options = { mediaId: '901', token, message: 'Still available!' };

  const user = { id: '17' };

  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('posts the comment in %s mode', async (_mode, base, contextOf) => {
    nock(base)
      .post('/901/comments', { message: 'Still available!' })
      .query(authenticated)
      .reply(200, '{"id":17841400000000001}');

    const comment = await publishComment(contextOf(), options);

    expect(comment._unsafeUnwrap()).toEqual({ id: '17841400000000001' });
  });

  test('returns the comment that a lost response had made, and never that of another person', async () => {
    nock(picsGraphBase).post('/902/comments').query(true).replyWithError(new Error('reset'));
    nock(picsGraphBase)
      .get('/902/comments')
      .query({ ...authenticated, fields: 'id,text,timestamp,user', limit: '50' })
      .reply(
        200,
        () => ({
          data: [
            { id: '5', text: 'Still available!', timestamp: wireNow() },
            { id: '6', text: 'Other', timestamp: wireNow(), user },
            { id: '7', text: 'Still available! ', timestamp: wireNow(), user },
            { id: '8', text: 'Still available!', timestamp: '2020-01-02T03:04:05+0000', user },
          ],
        }),
        dated(),
      );

    const comment = await publishComment(picsContext(), { ...options, mediaId: '902' });

    expect(comment._unsafeUnwrap()).toEqual({ id: '7' });
  });

  test('does not send again what it does not find, and says that it may have happened', async () => {
    nock(picsGraphBase).post('/903/comments').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase)
      .get('/903/comments')
      .query(true)
      .times(4)
      .reply(200, () => ({ data: [{ id: '5', text: 'Still available!', timestamp: wireNow() }] }), dated());

    const error = (await publishComment(picsContext(), { ...options, mediaId: '903' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'unknown' });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/901/comments')
      .query(true)
      .reply(400, { error: { message: 'No', code: 10 } });

    const error = (await publishComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'No', outcome: 'rejected' });
  });
});

describe('replyComment', () => {
  const options = { commentId: '5', token, message: 'Thank you!' };

  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('posts the reply in %s mode', async (_mode, base, contextOf) => {
    nock(base)
      .post('/5/replies', { message: 'Thank you!' })
      .query(authenticated)
      .reply(200, '{"id":17841400000000001}');

    const reply = await replyComment(contextOf(), options);

    expect(reply._unsafeUnwrap()).toEqual({ id: '17841400000000001' });
  });

  test('returns the reply that a lost response had made', async () => {
    nock(picsGraphBase).post('/5/replies').query(true).replyWithError(new Error('reset'));
    nock(picsGraphBase)
      .get('/5/replies')
      .query({ ...authenticated, fields: 'id,text,timestamp,user', limit: '50' })
      .reply(
        200,
        () => ({
          data: [
            { id: '6', text: 'Other', timestamp: wireNow() },
            { id: '5', text: 'Thank you!', timestamp: wireNow() },
            { id: '7', text: 'Thank you!', timestamp: wireNow(), user: { id: '17' } },
            { id: '8', text: 'Thank you!', timestamp: '2020-01-02T03:04:05+0000' },
            { id: '9', timestamp: wireNow() },
          ],
        }),
        dated(),
      );

    const reply = await replyComment(picsContext(), { ...options, commentId: '5' });

    expect(reply._unsafeUnwrap()).toEqual({ id: '7' });
  });

  test('does not send again what it does not find, and says that it may have happened', async () => {
    nock(picsGraphBase).post('/51/replies').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).get('/51/replies').query(true).times(4).reply(200, { data: [] });

    const error = (await replyComment(picsContext(), { ...options, commentId: '51' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'unknown' });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/5/replies')
      .query(true)
      .reply(400, { error: { message: 'No', code: 10 } });

    const error = (await replyComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'No', outcome: 'rejected' });
  });
});

describe('hideComment', () => {
  const options = { commentId: '5', token };

  test.each([
    ['login', picsGraphBase, picsContext, undefined, 'true'],
    ['login', picsGraphBase, picsContext, false, 'false'],
    ['page', graphBase, picsPageContext, true, 'true'],
  ] as const)('says in the query what to do, in %s mode', async (_mode, base, contextOf, hidden, hide) => {
    nock(base)
      .post('/5', '')
      .query({ ...authenticated, hide })
      .reply(200, { success: true });

    const done = await hideComment(contextOf(), { ...options, hidden });

    expect(done._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again after a lost response', async () => {
    nock(picsGraphBase).post('/5').query(true).replyWithError(new Error('reset'));
    nock(picsGraphBase).post('/5').query(true).reply(200, { success: true });

    expect((await hideComment(picsContext(), options)).isOk()).toBe(true);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .post('/5')
      .query(true)
      .reply(400, { error: { message: 'Gone', code: 100, error_subcode: 33 } });

    const error = (await hideComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'Gone', category: 'not_found' });
  });

  test('fails on a response that says nothing', async () => {
    nock(picsGraphBase).post('/5').query(true).reply(200, {});

    const error = (await hideComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at success: expected a value',
    });
  });
});

describe('deleteComment', () => {
  const options = { commentId: '5', token };

  const gone = { error: { message: 'Gone', code: 100, error_subcode: 33 } };

  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('deletes the comment in %s mode', async (_mode, base, contextOf) => {
    nock(base).delete('/5', '').query(authenticated).reply(200, { success: true, deleted_id: '5' });

    const deleted = await deleteComment(contextOf(), options);

    expect(deleted._unsafeUnwrap()).toEqual({ success: true, deleted_id: '5' });
  });

  test('reads a success that is written as text', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(200, { success: 'true' });

    expect((await deleteComment(picsContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).delete('/5').query(true).reply(200, { success: true });

    expect((await deleteComment(picsContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is of unknown outcome when the platform knows no such comment after a lost response', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(502, 'Bad Gateway');
    // The same for a comment that is gone and for one that the token may not see.
    nock(picsGraphBase).delete('/5').query(true).reply(400, gone);

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test('does not take "no such comment" under a 200 for a success', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(200, gone);

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test('stays in doubt when the response that follows a lost one is no refusal by code', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).delete('/5').query(true).times(2).reply(404, 'Not Found');

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown' });
  });

  test.each([
    [gone, 'not_found'],
    [{ error: { message: 'No', code: 200 } }, 'permission'],
  ])('fails when the platform refuses at once', async (body, category) => {
    nock(picsGraphBase).delete('/5').query(true).reply(400, body);

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category, outcome: 'rejected' });
  });

  test('fails when the platform says that it did not', async () => {
    nock(picsGraphBase).delete('/5').query(true).reply(200, { success: false });

    const error = (await deleteComment(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
  });
});

describe('setCommentsEnabled', () => {
  const options = { mediaId: '901', token, enabled: false };

  test.each([
    ['login', picsGraphBase, picsContext, false],
    ['page', graphBase, picsPageContext, true],
  ] as const)('sends the state in %s mode', async (_mode, base, contextOf, enabled) => {
    nock(base)
      .post('/901', '')
      .query({ ...authenticated, comment_enabled: String(enabled) })
      .reply(200, { success: true });

    const set = await setCommentsEnabled(contextOf(), { ...options, enabled });

    expect(set._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(picsGraphBase).post('/901').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).post('/901').query(true).reply(200, { success: true });

    expect((await setCommentsEnabled(picsContext(), options)).isOk()).toBe(true);
  });

  test.each([
    [400, { error: { message: 'No', code: 200 } }, 'PermissionError'],
    [200, { success: false }, 'ApiError'],
  ])('fails where the platform does not do it', async (status, body, name) => {
    nock(picsGraphBase).post('/901').query(true).reply(status, body);

    const error = (await setCommentsEnabled(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name, outcome: 'rejected' });
  });
});

describe.each([
  ['login', picsGraphBase, picsContext],
  ['page', graphBase, picsPageContext],
] as const)('one comment in %s mode', (_mode, base, contextOf) => {
  const fields = 'id,text,timestamp,username,like_count,hidden,from,parent_id';

  test('commentDetails reads it with its first replies', async () => {
    nock(base)
      .get('/181')
      .query({
        ...authenticated,
        fields: `${fields},replies{id,text,timestamp,username,like_count,hidden}`,
      })
      .reply(200, { id: '181', username: 'ann', replies: { data: [{ id: 182, text: 'Yes' }] } });

    const comment = await commentDetails(contextOf(), { commentId: '181', token });

    expect(comment._unsafeUnwrap()).toEqual({
      id: '181',
      username: 'ann',
      replies: { data: [{ id: '182', text: 'Yes' }] },
    });
  });

  test('commentDetails asks for chosen fields only', async () => {
    nock(base)
      .get('/181')
      .query({ ...authenticated, fields: 'id,media' })
      .reply(200, { id: '181', media: { id: '17' } });

    const comment = await commentDetails(contextOf(), { commentId: '181', token, fields: ['id', 'media'] });

    expect(comment._unsafeUnwrap()).toEqual({ id: '181', media: { id: '17' } });
  });

  test('replies lists 25 of them, and says whether there are more', async () => {
    nock(base)
      .get('/181/replies')
      .query({ ...authenticated, fields, limit: '25' })
      .reply(200, {
        data: Array.from({ length: 25 }, (_, at) => ({ id: String(at), parent_id: '181' })),
        paging: { next: `${base}/181/replies?after=A&limit=25` },
      });

    const found = (await replies(contextOf(), { commentId: '181', token }))._unsafeUnwrap();

    expect(found).toHaveLength(25);
    expect(found[24]).toEqual({ id: '24', parent_id: '181' });
    expect([found.hasMore, found.unreadable]).toEqual([true, 0]);
  });

  test('iterateReplies walks the pages to the last, 50 at once', async () => {
    nock(base)
      .get('/181/replies')
      .query({ ...authenticated, fields: 'id,text', limit: '50' })
      .reply(200, {
        data: [{ id: '1' }],
        paging: { next: `${base}/181/replies?fields=id,text&after=A&limit=50` },
      });
    nock(base)
      .get('/181/replies')
      .query({ ...authenticated, fields: 'id,text', after: 'A', limit: '50' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }] });

    const ids: string[] = [];
    const options = { commentId: '181', token, fields: ['id', 'text'] };
    for await (const reply of iterateReplies(contextOf(), options)) ids.push(reply._unsafeUnwrap().id);

    expect(ids).toEqual(['1', '2']);
  });
});
