import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishComment, type PublishCommentOptions } from '../../src/page/publishComment.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

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

describe('publishComment', () => {
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
    newest('id,message,created_time,from', [
      { id: '1_9', message, created_time: after, from: { id: '7', name: 'A visitor' } },
      { id: '1_8', message: 'Other', created_time: after, from: { id: '42' } },
      { id: '1_7', message, created_time: after, from: { id: '42' } },
    ]);

    expect((await publish({ message: 'Found by text' }))._unsafeUnwrap()).toEqual({ id: '1_7' });
  });

  test('finds a lost comment by its photo, whatever its text', async () => {
    upload().reply(200, { id: '5' });
    comment({ attachment_id: '5' }).reply(502, 'Bad Gateway');
    newest('id,attachment,created_time', [
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
