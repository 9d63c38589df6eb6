import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';

import { publishPhoto, type PublishPhotoOptions } from '../../src/page/publishPhoto.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const after = '2026-01-02T03:04:06+0000';
const photoUrl = 'https://example.com/a.jpg';
const options = { pageId: '42', pageToken: token };
const fields = 'id,message,created_time,attachments{target,subattachments{target}}';

function photos(form: nock.RequestBodyMatcher): nock.Interceptor {
  return nock(graphBase).post('/42/photos', form).query(authenticated);
}

function listed(edge: string, asked: string, data: readonly object[]): nock.Scope {
  return nock(graphBase)
    .get(`/42/${edge}`)
    .query({ ...authenticated, fields: asked, limit: '25' })
    .reply(200, { data }, dated({ now: () => now }));
}

function publish(more: object) {
  const context = pageContext({ clock: virtualClock(now) });
  return publishPhoto(context, { ...options, ...more } as PublishPhotoOptions);
}

describe('publishPhoto', () => {
  test('names the address of a photo that the platform cannot use, without its query', async () => {
    photos({ url: `${photoUrl}?sig=1` }).reply(400, refusal(324));

    const error = (await publish({ photoUrl: `${photoUrl}?sig=1` }))._unsafeUnwrapErr();

    expect(error.message).toBe(`refused 324 (${photoUrl})`);
  });

  test('publishes a photo at an address, with its text', async () => {
    photos({ url: photoUrl, message: 'Menu', alt_text_custom: 'A menu' }).reply(
      200,
      '{"id":"5","post_id":"42_12345678901234567"}',
    );

    const photo = await publish({ photoUrl, message: 'Menu', altText: 'A menu' });

    expect(photo._unsafeUnwrap()).toEqual({ id: '5', post_id: '42_12345678901234567' });
  });

  test.each([
    ['bytes', async () => new Uint8Array([1, 2, 3])],
    [
      'a path',
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'photo-'));
        onTestFinished(() => rm(folder, { recursive: true }));
        await writeFile(join(folder, 'a.jpg'), 'photo');
        return join(folder, 'a.jpg');
      },
    ],
  ])('sends %s as multipart, and no field that is not given', async (_, photo) => {
    const names = (body: string): string[] =>
      [...body.matchAll(/ name="(\w+)"/g)].map(([, name = '']) => name);
    let sent: readonly string[] = [];
    photos((body: string) => (sent = names(body)).length > 0).reply(200, { id: '5', post_id: null });

    expect((await publish({ photo: await photo(), message: 'Menu' }))._unsafeUnwrap()).toEqual({ id: '5' });
    expect(sent).toEqual(['message', 'source']);
  });

  test('schedules a photo', async () => {
    photos({ url: photoUrl, published: 'false', scheduled_publish_time: '1800000000' }).reply(200, {
      id: '5',
    });

    expect((await publish({ photoUrl, scheduledAt: 1_800_000_000 }))._unsafeUnwrap()).toEqual({ id: '5' });
  });

  test('finds a lost photo by the text of its post, which shows it alone', async () => {
    photos({ url: photoUrl, message: 'Lost' }).replyWithError(new Error('socket hang up'));
    const attachments = { data: [{ target: { id: 5 } }] };
    listed('published_posts', fields, [
      { id: '42_9', message: 'Lost', created_time: after },
      {
        id: '42_8',
        message: 'Lost',
        created_time: after,
        attachments: { data: [{ target: { id: '1' }, subattachments: { data: [{ target: { id: '2' } }] } }] },
      },
      { id: '42_7', message: 'Lost', created_time: after, attachments },
      { id: '42_6', message: 'Other', created_time: after, attachments },
    ]);

    expect((await publish({ photoUrl, message: 'Lost' }))._unsafeUnwrap()).toEqual({
      id: '5',
      post_id: '42_7',
    });
  });

  test('finds a lost scheduled photo by its text and time', async () => {
    photos(() => true).reply(502, 'Bad Gateway');
    const post = {
      message: 'Lost later',
      created_time: after,
      attachments: { data: [{ target: { id: '5' } }] },
    };
    listed('scheduled_posts', fields.replace('created_time', 'created_time,scheduled_publish_time'), [
      { ...post, id: '42_8', scheduled_publish_time: 1_800_000_600 },
      { ...post, id: '42_7', scheduled_publish_time: 1_800_000_000 },
    ]);

    const photo = await publish({ photoUrl, message: 'Lost later', scheduledAt: 1_800_000_000 });

    expect(photo._unsafeUnwrap()).toEqual({ id: '5', post_id: '42_7' });
  });

  test('does not guess where there is no text to know it by', async () => {
    photos({ url: photoUrl }).reply(502, 'Bad Gateway');

    expect((await publish({ photoUrl }))._unsafeUnwrapErr()).toMatchObject({
      status: 502,
      outcome: 'unknown',
    });
  });

  test('sends one that stays unpublished again: it does no harm', async () => {
    photos({ url: photoUrl, published: 'false' }).replyWithError(new Error('socket hang up'));
    photos({ url: photoUrl, published: 'false' }).reply(200, { id: '5' });

    expect((await publish({ photoUrl, published: false }))._unsafeUnwrap()).toEqual({ id: '5' });
  });

  test('fails with what the platform says when it refuses', async () => {
    photos(() => true).reply(400, refusal(324, { error_subcode: 1_366_046 }));

    expect((await publish({ photoUrl }))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      code: 324,
      outcome: 'rejected',
    });
  });

  test.each([
    ['photoUrl', {}],
    ['photoUrl', { photoUrl, photo: new Uint8Array(1) }],
    ['scheduledAt', { photoUrl, scheduledAt: 1_800_000_000, published: true }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    expect((await publish(bad))._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
  });
});
