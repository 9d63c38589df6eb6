import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  commentDetails,
  comments,
  deleteComment,
  hideComment,
  iterateComments,
  like,
  publishComment,
  reactions,
  type PublishCommentOptions,
  replyComment,
  updateComment,
} from '../../src/page/comments.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

describe('comments', () => {
  const options = { postId: '42_1', pageToken: token };

  const order = 'reverse_chronological';

  function written(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, ...query });
  }

  test('reads the newest 50 comments by default, without a filter', async () => {
    const data = [
      {
        id: '1_9',
        message: 'Nice',
        created_time: '2026-01-02T03:04:05+0000',
        from: { id: '7', name: 'Ann' },
        like_count: 0,
        comment_count: 1,
        attachment: { type: 'photo' },
      },
      { id: '1_8' },
    ];
    written({
      fields:
        'id,message,created_time,from,like_count,comment_count,is_hidden,can_hide,can_remove,permalink_url,' +
        'parent,attachment',
      order,
      limit: '50',
    }).reply(200, { data });

    expect((await comments(pageContext(), options))._unsafeUnwrap()).toEqual(data);
  });

  test('counts the limit over the pages of the list', async () => {
    const next = `${graphBase}/42_1/comments?access_token=${token}&fields=id&order=${order}&limit=2&after=a`;
    written({ fields: 'id', order, limit: '3' }).reply(200, {
      data: [{ id: '9' }, { id: '8' }],
      paging: { next },
    });
    written({ fields: 'id', order, limit: '2', after: 'a' }).reply(200, {
      data: [{ id: '7' }, { id: '6' }],
      paging: { next: `${next}b` },
    });

    const found = await comments(pageContext(), { ...options, fields: ['id'], limit: 3 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '9' }, { id: '8' }, { id: '7' }]);
  });

  test.each([true, false])('replies: %s asks for them as well, in one list', async (replies) => {
    const data = [{ id: '9', parent: { id: '8' } }, { id: '8' }];
    written({ fields: 'id,parent', order, ...(replies && { filter: 'stream' }), limit: '50' }).reply(200, {
      data,
    });

    const found = await comments(pageContext(), { ...options, fields: ['id', 'parent'], replies });

    expect(found._unsafeUnwrap()).toEqual(data);
  });

  test('fails with PermissionError when the user may not moderate', async () => {
    written({ fields: 'id', order, limit: '50' }).reply(403, refusal(10));

    const error = (await comments(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });

  test('says where a response is of the wrong shape', async () => {
    written({ fields: 'id', order, limit: '50' }).reply(200, { data: [{ id: '9' }, { message: 'Hi' }] });

    const error = (await comments(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at data.1.id: expected a value',
    });
  });
});

describe('iterateComments of a Page', () => {
  const fields =
    'id,message,created_time,from,like_count,comment_count,is_hidden,can_hide,can_remove,permalink_url,parent,attachment';

  const options = { postId: '42_1', pageToken: token };

  test('walks the pages to the last, each entry once', async () => {
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, fields, order: 'reverse_chronological', limit: '100' })
      .reply(200, {
        data: [{ id: '1' }, { id: '2' }],
        paging: { next: `${graphBase}/42_1/comments?access_token=${token}&after=b` },
      });
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }, { id: '3' }] });
    const seen: unknown[] = [];

    for await (const entry of iterateComments(pageContext(), options)) seen.push(entry._unsafeUnwrap().id);

    expect(seen).toEqual(['1', '2', '3']);
  });

  test('walks the replies too, if they are asked for', async () => {
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, fields, order: 'reverse_chronological', filter: 'stream', limit: '100' })
      .reply(200, { data: [{ id: '2', parent: { id: '1' } }, { id: '1' }] });
    const seen: unknown[] = [];

    for await (const entry of iterateComments(pageContext(), { ...options, replies: true }))
      seen.push(entry._unsafeUnwrap());

    expect(seen).toEqual([{ id: '2', parent: { id: '1' } }, { id: '1' }]);
  });

  test('asks for the fields that it is given, and for no more than its limit', async () => {
    nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, order: 'reverse_chronological', fields: 'id,from', limit: '2' })
      .reply(200, { data: [{ id: '1' }, { id: '2' }, { id: '3' }] });

    const found = iterateComments(pageContext(), { ...options, fields: ['id', 'from'], limit: 2 });

    expect((await Array.fromAsync(found)).map((entry) => entry._unsafeUnwrap())).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  });
});

describe('publishComment', () => {
  const options = { objectId: '42_1', pageToken: token };

  const now = Date.UTC(2026, 0, 2, 3, 4, 5);

  const after = '2026-01-02T03:04:06+0000';

  const image = 'https://example.com/a.jpg';

  const photo = new Uint8Array([1, 2, 3]);

  function comment(form: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase).post('/42_1/comments', form).query(authenticated);
  }

  function upload(): nock.Interceptor {
    const isPhoto = (body: string): boolean =>
      /name="published"\r\n\r\nfalse\r\n/.test(body) && /name="source"; filename="source"/.test(body);
    return nock(graphBase).post('/42/photos', isPhoto).query(authenticated);
  }

  function newest(fields: string, data: readonly object[]): nock.Scope {
    return nock(graphBase)
      .get('/42_1/comments')
      .query({ ...authenticated, fields, order: 'reverse_chronological', limit: '25' })
      .reply(200, { data }, dated({ now: () => now }));
  }

  function publish(more: Partial<PublishCommentOptions>) {
    const context = pageContext({ clock: virtualClock(now) });
    return publishComment(context, { ...options, ...more } as PublishCommentOptions);
  }

  test.each([
    ['text', { message: 'Hi' }, { message: 'Hi' }],
    ['an image', { attachmentUrl: image }, { attachment_url: image }],
    ['both', { message: 'Hi', attachmentUrl: image }, { message: 'Hi', attachment_url: image }],
  ])('comments with %s', async (_, more, form) => {
    comment(form).reply(200, { id: '1_9' });

    expect((await publish(more))._unsafeUnwrap()).toEqual({ id: '1_9' });
  });

  test('uploads a photo unpublished, reports its id, and comments with it', async () => {
    const created: unknown[] = [];
    upload().reply(200, { id: '5' });
    comment({ message: 'Hi', attachment_id: '5' }).reply(200, { id: '1_9' });

    const made = await publish({ message: 'Hi', photo, pageId: '42', onCreated: (ids) => created.push(ids) });

    expect(made._unsafeUnwrap()).toEqual({ id: '1_9' });
    expect(created).toEqual([{ photo_id: '5' }]);
  });

  test('uploads again after a lost response, and comments with the photo that it knows of', async () => {
    upload().reply(502, 'Bad Gateway');
    upload().reply(200, { id: '6' });
    comment({ attachment_id: '6' }).reply(200, { id: '1_9' });

    expect((await publish({ photo, pageId: '42' })).isOk()).toBe(true);
  });

  test('finds a lost comment by its text and its author', async () => {
    const message = 'Found by text';
    comment({ message }).replyWithError(new Error('socket hang up'));
    nock(graphBase)
      .get('/me')
      .query({ ...authenticated, fields: 'id' })
      .reply(200, { id: 42 });
    newest('id,message,created_time,from,application', [
      { id: '1_9', message, created_time: after, from: { id: '7', name: 'A visitor' } },
      { id: '1_8', message: 'Other', created_time: after, from: { id: '42' } },
      { id: '1_7', message, created_time: after, from: { id: '42' } },
    ]);

    expect((await publish({ message: 'Found by text' }))._unsafeUnwrap()).toEqual({ id: '1_7' });
  });

  test('finds a lost comment by its photo, whatever its text', async () => {
    upload().reply(200, { id: '5' });
    comment({ attachment_id: '5' }).reply(502, 'Bad Gateway');
    newest('id,message,created_time,from,application,attachment', [
      { id: '1_8', attachment: { type: 'photo', target: { id: '4' } } },
      { id: '1_7', attachment: { type: 'photo', target: { id: 5 } } },
      { id: '1_6', attachment: null },
    ]);

    expect((await publish({ photo, pageId: '42' }))._unsafeUnwrap()).toEqual({ id: '1_7' });
  });

  test('is neither sent again nor looked for where an address is all that it has', async () => {
    comment({ attachment_url: image }).reply(502, 'Bad Gateway');

    expect((await publish({ attachmentUrl: image }))._unsafeUnwrapErr()).toMatchObject({
      status: 502,
      outcome: 'unknown',
    });
  });

  test('names the photo when the comment is refused, and nothing when the photo is', async () => {
    upload().reply(200, { id: '5' });
    comment({ attachment_id: '5' }).reply(403, refusal(200));
    expect((await publish({ photo, pageId: '42' }))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      outcome: 'rejected',
      ids: { photo_id: '5' },
      payload: { photo_id: '5', error: { code: 200 } },
    });

    upload().reply(400, refusal(324));
    expect((await publish({ photo, pageId: '42' }))._unsafeUnwrapErr()).toMatchObject({
      code: 324,
      outcome: 'rejected',
      ids: {},
    });
  });

  test('sends nothing for a file that is not there', async () => {
    const error = (await publish({ photo: '/no/such/photo.jpg', pageId: '42' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'photo' });
  });

  test.each([
    ['message', {}],
    ['attachmentUrl', { attachmentUrl: image, photo, pageId: '42' }],
    ['pageId', { photo }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await publish(bad as Partial<PublishCommentOptions>))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('replyComment', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);

  const after = '2026-01-02T03:04:06+0000';

  const before = '2026-01-02T03:04:04+0000';

  const date = new Date(now).toUTCString();

  let replies = 0;

  /** Options of a reply that is unique in this process: equal writes are each other's rivals. */
  function reply(): { commentId: string; pageToken: string; message: string } {
    replies++;
    return { commentId: '1_9', pageToken: token, message: `Thank you! ${replies}` };
  }

  function post(message: string): nock.Interceptor {
    return nock(graphBase).post('/1_9/comments', { message }).query(authenticated);
  }

  function newest(): nock.Interceptor {
    return nock(graphBase)
      .get('/1_9/comments')
      .query({
        ...authenticated,
        fields: 'id,message,created_time,from,application',
        order: 'reverse_chronological',
        limit: '25',
      });
  }

  /** The Page that the token is of. */
  const from = { id: '42', name: 'A Page' };

  function me(): nock.Interceptor {
    return nock(graphBase)
      .get('/me')
      .query({ ...authenticated, fields: 'id' });
  }

  test('posts the reply below the comment', async () => {
    const options = reply();
    post(options.message).reply(200, { id: '1_10' });

    expect((await replyComment(pageContext(), options))._unsafeUnwrap()).toEqual({ id: '1_10' });
  });

  test('returns the reply that a lost response had made, and no older or other one', async () => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    me().reply(200, { id: '42' });
    newest().reply(
      200,
      {
        data: [
          { id: '1_13', message: 'Me too', created_time: after, from },
          { id: '1_12', message: ` ${message}\n`, created_time: after, from },
          { id: '1_11', message, created_time: before, from },
          { id: '1_10', created_time: after, from },
        ],
      },
      { date },
    );

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test('does not send it again after a server error, and looks until the reply shows', async () => {
    const options = reply();
    const { message } = options;
    post(message).reply(500, refusal(2));
    newest().reply(200, { data: [] }, { date });
    newest().reply(500, 'no');
    newest().reply(500, 'no');
    me().reply(200, { id: '42' });
    newest().reply(200, { data: [{ id: '1_12', message, created_time: after, from }] }, { date });

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test.each([
    ['no reply shows', []],
    ['two replies fit', ['1_12', '1_13']],
  ])('does not know what happened when %s', async (_, ids) => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    if (ids.length > 0) me().reply(200, { id: '42' });
    newest()
      .times(4)
      .reply(200, { data: ids.map((id) => ({ id, message, created_time: after, from })) }, { date });

    const error = (await replyComment(pageContext({ clock: virtualClock(now) }), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
  });

  test.each([
    ["a visitor's alone", [{ id: '7' }], undefined],
    ["a visitor's beside the own one", [{ id: '7' }, from], '1_11'],
    ['one that does not say whose it is', [undefined], undefined],
    ['one that does not say whose it is beside the own one', [undefined, from], '1_11'],
  ])('takes no equal reply of others: %s', async (_, authors, own) => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    me().reply(200, { id: '42' });
    const data = authors.map((author, at) => ({
      id: `1_1${at}`,
      message,
      created_time: after,
      from: author,
    }));
    newest()
      .times(own === undefined ? 4 : 1)
      .reply(200, { data }, { date });

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made.isOk() ? made.value.id : made.error).toEqual(
      own ?? expect.objectContaining({ outcome: 'unknown' }),
    );
  });

  test('looks again where it could not learn which Page the token is of', async () => {
    const options = reply();
    const { message } = options;
    post(message).replyWithError(new Error('socket hang up'));
    me().reply(500, 'no');
    me().reply(200, { id: '42' });
    newest()
      .times(2)
      .reply(200, { data: [{ id: '1_12', message, created_time: after, from }] }, { date });

    const made = await replyComment(pageContext({ clock: virtualClock(now) }), options);

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test('leaves a reply to an equal one that may have made it', async () => {
    const context = pageContext({ clock: virtualClock(now) });
    const options = reply();
    const padded = { ...options, message: ` ${options.message}` };
    post(padded.message).reply(502, 'Bad Gateway');
    newest().times(4).reply(200, { data: [] }, { date });
    expect((await replyComment(context, padded)).isErr()).toBe(true);

    post(options.message).reply(502, 'Bad Gateway');
    me().reply(200, { id: '42' });
    newest()
      .times(4)
      .reply(200, { data: [{ id: '1_12', message: options.message, created_time: after, from }] }, { date });

    expect((await replyComment(context, options))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  });

  test('takes no reply for its own that an equal one has made, or that has no id', async () => {
    const context = pageContext({ clock: virtualClock(now) });
    const options = reply();
    const { message } = options;
    me().times(2).reply(200, { id: '42' });
    const shows = (...ids: readonly (string | undefined)[]) =>
      newest().reply(200, { data: ids.map((id) => ({ id, message, created_time: after, from })) }, { date });
    post(message).times(2).reply(502, 'Bad Gateway');
    shows(undefined);
    shows('1_12');
    expect((await replyComment(context, options))._unsafeUnwrap()).toEqual({ id: '1_12' });

    shows('1_13', '1_12');
    expect((await replyComment(context, options))._unsafeUnwrap()).toEqual({ id: '1_13' });
  });

  test('finds its reply whatever blanks stand around the text', async () => {
    const options = reply();
    const { message } = options;
    post(` ${message}`).reply(502, 'Bad Gateway');
    me().reply(200, { id: '42' });
    newest().reply(200, { data: [{ id: '1_12', message, created_time: after, from }] }, { date });
    const context = pageContext({ clock: virtualClock(now) });

    const made = await replyComment(context, { ...options, message: ` ${message}` });

    expect(made._unsafeUnwrap()).toEqual({ id: '1_12' });
  });

  test('sends it again when the rate was limited', async () => {
    const options = reply();
    post(options.message).reply(403, refusal(32));
    post(options.message).reply(200, { id: '1_10' });

    expect((await replyComment(pageContext(), options))._unsafeUnwrap()).toEqual({ id: '1_10' });
  });

  test('fails with what the platform says when it refuses, without a look', async () => {
    const options = reply();
    post(options.message).reply(400, refusal(368));

    const error = (await replyComment(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 368, category: 'policy', outcome: 'rejected' });
  });
});

describe('hideComment', () => {
  const options = { commentId: '1_9', pageToken: token };

  function hide(is_hidden: string): nock.Interceptor {
    return nock(graphBase).post('/1_9', { is_hidden }).query(authenticated);
  }

  test('hides the comment', async () => {
    hide('true').reply(200, { success: true });

    expect((await hideComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('shows the comment again', async () => {
    hide('false').reply(200, { success: 'true' });

    const shown = await hideComment(pageContext(), { ...options, hidden: false });

    expect(shown._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: to hide twice does no harm', async () => {
    hide('true').replyWithError(new Error('socket hang up'));
    hide('true').reply(200, { success: true });

    expect((await hideComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test.each([
    ['the permission is missing', 403, refusal(200), { name: 'PermissionError', outcome: 'rejected' }],
    ['it is gone', 400, refusal(100, { error_subcode: 33 }), { name: 'ApiError', category: 'not_found' }],
    ['it did not', 200, { success: false }, { name: 'ApiError', outcome: 'rejected' }],
  ])('fails when the platform says that %s', async (_, status, body, expected) => {
    hide('true').reply(status, body);

    expect((await hideComment(pageContext(), options))._unsafeUnwrapErr()).toMatchObject(expected);
  });
});

describe('updateComment', () => {
  const options = { commentId: '1_9', pageToken: token, message: 'Sold out' };

  function update(): nock.Interceptor {
    return nock(graphBase).post('/1_9', { message: 'Sold out' }).query(authenticated);
  }

  test('sends the new text, again when the response was lost', async () => {
    update().replyWithError(new Error('socket hang up'));
    update().reply(200, { success: true });

    expect((await updateComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test.each([
    ['it is by someone else', 400, refusal(100), { name: 'ApiError', outcome: 'rejected' }],
    ['it did not', 200, { success: false }, { name: 'ApiError', outcome: 'rejected' }],
  ])('fails when the platform says that %s', async (_, status, body, expected) => {
    update().reply(status, body);

    expect((await updateComment(pageContext(), options))._unsafeUnwrapErr()).toMatchObject(expected);
  });
});

describe('deleteComment', () => {
  const options = { commentId: '1_9', pageToken: token };

  function remove(): nock.Interceptor {
    return nock(graphBase).delete('/1_9').query(authenticated);
  }

  test('deletes it, again when the response was lost', async () => {
    remove().replyWithError(new Error('socket hang up'));
    remove().reply(200, { success: true });

    expect((await deleteComment(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('does not know who deleted it when it is gone after a lost response', async () => {
    remove().replyWithError(new Error('socket hang up'));
    remove().reply(400, refusal(100, { error_subcode: 33 }));

    expect((await deleteComment(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      category: 'not_found',
      outcome: 'unknown',
    });
  });
});

describe('like', () => {
  const options = { objectId: '42_1', pageToken: token };

  test('likes, again when the response was lost', async () => {
    const likes = (): nock.Interceptor => nock(graphBase).post('/42_1/likes', '').query(authenticated);
    likes().replyWithError(new Error('socket hang up'));
    likes().reply(200, { success: true });

    expect((await like(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('takes the like back', async () => {
    nock(graphBase).delete('/42_1/likes').query(authenticated).reply(200, { success: 'true' });

    expect((await like(pageContext(), { ...options, liked: false }))._unsafeUnwrap()).toEqual({
      success: true,
    });
  });

  test('fails with what the platform says when it refuses', async () => {
    nock(graphBase).post('/42_1/likes').query(authenticated).reply(403, refusal(200));

    expect((await like(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      outcome: 'rejected',
    });
  });
});

describe('commentDetails', () => {
  const fields =
    'id,message,created_time,from,like_count,comment_count,is_hidden,can_hide,can_remove,permalink_url,parent,attachment';

  test('reads one comment, with the fields of comments', async () => {
    nock(graphBase)
      .get('/1_2')
      .query({ ...authenticated, fields })
      .reply(200, { id: '1_2', message: 'Nice', from: { id: 9, name: 'Ann' }, parent: { id: '1_1' } });

    const comment = await commentDetails(pageContext(), { commentId: '1_2', pageToken: token });

    expect(comment._unsafeUnwrap()).toEqual({
      id: '1_2',
      message: 'Nice',
      from: { id: '9', name: 'Ann' },
      parent: { id: '1_1' },
    });
  });

  test('asks for chosen fields only', async () => {
    nock(graphBase)
      .get('/1_2')
      .query({ ...authenticated, fields: 'id,user_likes' })
      .reply(200, { id: '1_2', user_likes: true });

    const options = { commentId: '1_2', pageToken: token, fields: ['id', 'user_likes'] };

    expect((await commentDetails(pageContext(), options))._unsafeUnwrap()).toEqual({
      id: '1_2',
      user_likes: true,
    });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase).get('/1_2').query(true).reply(403, refusal(10));

    const error = (
      await commentDetails(pageContext(), { commentId: '1_2', pageToken: token })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });
});

describe('reactions', () => {
  const options = { objectId: '42_1', pageToken: token };

  test('lists 25 of them, and tells how many there are', async () => {
    nock(graphBase)
      .get('/42_1/reactions')
      .query({ ...authenticated, fields: 'id,name,type', summary: 'total_count', limit: '25' })
      .reply(200, {
        data: [{ id: 8, name: 'Ada', type: 'LOVE' }, { id: '9' }],
        summary: { total_count: 1214, viewer_reaction: 'NONE' },
      });

    const found = (await reactions(pageContext(), options))._unsafeUnwrap();

    expect([...found]).toEqual([{ id: '8', name: 'Ada', type: 'LOVE' }, { id: '9' }]);
    expect(found.summary).toEqual({ total_count: 1214 });
    expect(Object.keys(found)).toEqual(['0', '1']);
    expect(found.hasMore).toBe(false);
  });

  test('asks for those of one type, and knows no number where the platform tells none', async () => {
    nock(graphBase)
      .get('/42_1/reactions')
      .query({ ...authenticated, fields: 'id,name,type', type: 'CARE', summary: 'total_count', limit: '2' })
      .reply(200, { data: [] });

    const found = (await reactions(pageContext(), { ...options, type: 'care', limit: 2 }))._unsafeUnwrap();

    expect([[...found], found.summary]).toEqual([[], { total_count: undefined }]);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase).get('/42_1/reactions').query(true).reply(403, refusal(10));

    expect((await reactions(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      code: 10,
    });
  });
});
