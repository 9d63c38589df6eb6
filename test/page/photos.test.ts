import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';

import { memoryJournal } from '../../src/core/writes/journal/createJournal.ts';
import { createWriteMemory } from '../../src/core/writes/memory.ts';
import { createPageContext } from '../../src/page/context.ts';
import {
  deletePhoto,
  photoDetails,
  photos,
  publishPhoto,
  type PublishPhotoOptions,
  publishPhotos,
  type PublishPhotosOptions,
} from '../../src/page/photos.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { partOf } from '../support/rules.ts';
import { refusal } from './support.ts';

describe('publishPhoto', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);

  const after = '2026-01-02T03:04:06+0000';

  const photoUrl = 'https://example.com/a.jpg';

  const options = { pageId: '42', pageToken: token };

  const fields = 'id,message,created_time,application,attachments{target,subattachments{target}}';

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

  describe('that is scheduled', () => {
    const shows = (id: string, ...targets: string[]): object => ({
      id,
      attachments: { data: targets.map((target) => ({ target: { id: target } })) },
    });

    function schedule(answer: object): ReturnType<typeof publish> {
      const form = { url: photoUrl, published: 'false', scheduled_publish_time: '1800000000' };
      photos(form).reply(200, { id: '5', ...answer });
      return publish({ photoUrl, scheduledAt: 1_800_000_000 });
    }

    function look(): nock.Interceptor {
      return nock(graphBase)
        .get('/42/scheduled_posts')
        .query({ ...authenticated, fields: 'id,attachments{target,subattachments{target}}', limit: '100' });
    }

    test('has the id of its post, by one look at the scheduled ones', async () => {
      look().reply(200, {
        data: [shows('42_9'), shows('42_8', '55'), shows('42_7', '5'), shows('42_6', '5', '6')],
      });

      expect((await schedule({}))._unsafeUnwrap()).toEqual({ id: '5', post_id: '42_7' });
    });

    test('needs no look if the platform names its post', async () => {
      expect((await schedule({ post_id: '42_7' }))._unsafeUnwrap()).toEqual({ id: '5', post_id: '42_7' });
    });

    test.each([
      ['none shows it', 200, { data: [shows('42_9', '55')] }],
      ['several show it', 200, { data: [shows('42_9', '5'), shows('42_8', '5')] }],
      ['they cannot be read', 403, refusal(200)],
    ])('has no guessed id where %s', async (_, status, body) => {
      look().reply(status, body);

      expect((await schedule({}))._unsafeUnwrap()).toEqual({ id: '5' });
    });

    test('is scheduled, whatever ends the look', async () => {
      const controller = new AbortController();
      look().reply(200, () => {
        controller.abort();
        return { data: [] };
      });
      photos(() => true).reply(200, { id: '5' });

      const ended = await publish({ photoUrl, scheduledAt: 1_800_000_000, signal: controller.signal });

      expect(ended._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        outcome: 'applied',
        ids: { photo_id: '5' },
      });
    });
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
    listed('scheduled_posts', fields.replace('application', 'application,scheduled_publish_time'), [
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
    expect((await publish(bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
    });
  });
});

describe('publishPhotos', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);

  const urls = ['https://example.com/a.jpg', 'https://example.com/b.jpg', 'https://example.com/c.jpg'];

  const photos = urls.map((photoUrl) => ({ photoUrl }));

  const options = { pageId: '42', pageToken: token, photos };

  function upload(form: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .post('/42/photos', { ...form, published: 'false' })
      .query(authenticated);
  }

  function uploads(count = urls.length): void {
    for (const [at, url] of urls.slice(0, count).entries()) upload({ url }).reply(200, { id: `${at + 1}` });
  }

  function post(form: nock.RequestBodyMatcher = () => true): nock.Interceptor {
    return nock(graphBase).post('/42/feed', form).query(authenticated);
  }

  const media = '[{"media_fbid":"1"},{"media_fbid":"2"},{"media_fbid":"3"}]';

  function publish(more: object = {}) {
    // Posts without a text are rivals of each other.
    const context = pageContext({ clock: virtualClock(now), memory: createWriteMemory() });
    return publishPhotos(context, { ...options, ...more } as PublishPhotosOptions);
  }

  test('uploads the photos unpublished, then makes the post of them, in their order', async () => {
    uploads();
    post({ message: 'Three', attached_media: media }).reply(200, { id: '42_1' });

    expect((await publish({ message: 'Three' }))._unsafeUnwrap()).toEqual({
      id: '42_1',
      photo_ids: ['1', '2', '3'],
    });
  });

  test('names the place, and who is there, in the post alone', async () => {
    uploads();
    post({ attached_media: media, place: '77', tags: '["8"]' }).reply(200, { id: '42_1' });

    expect((await publish({ placeId: '77', tags: ['8'] })).isOk()).toBe(true);
  });

  test('keeps the order whichever upload is done first, and uploads side by side', async () => {
    // Each upload ends once the next one is reported: one after another, none would.
    const done = urls.map(() => Promise.withResolvers<void>());
    for (const [at, url] of urls.entries()) {
      upload({ url }).reply(200, async () => {
        await done[at + 1]?.promise;
        return { id: `${at + 1}` };
      });
    }
    post({ attached_media: media }).reply(200, { id: '42_1' });
    const created: unknown[] = [];

    const made = await publish({
      onCreated: (ids: unknown) => {
        created.push(ids);
        done[urls.length - created.length]?.resolve();
      },
    });

    expect(made._unsafeUnwrap().photo_ids).toEqual(['1', '2', '3']);
    expect(created).toEqual([
      { photo_ids: ['3'] },
      { photo_ids: ['2', '3'] },
      { photo_ids: ['1', '2', '3'] },
    ]);
  });

  test('schedules the post, and says so of its photos', async () => {
    for (const [at, url] of urls.entries())
      upload({ url, temporary: 'true' }).reply(200, { id: `${at + 1}` });
    post({
      attached_media: media,
      published: 'false',
      scheduled_publish_time: '1800000000',
      unpublished_content_type: 'SCHEDULED',
    }).reply(200, { id: '42_1' });

    expect((await publish({ scheduledAt: 1_800_000_000 })).isOk()).toBe(true);
  });

  test('sends bytes and texts, and takes photos that are uploaded', async () => {
    const isPhoto = (body: string): boolean => /name="alt_text_custom"\r\n\r\nA table\r\n/.test(body);
    nock(graphBase).post('/42/photos', isPhoto).query(authenticated).reply(200, { id: '1' });
    post({ attached_media: '[{"media_fbid":"1"},{"media_fbid":"9"}]' }).reply(200, { id: '42_1' });
    const created: unknown[] = [];

    const made = await publish({
      photos: [{ photo: new Uint8Array([1]), altText: 'A table' }, { photoId: '9' }],
      onCreated: (ids: unknown) => created.push(ids),
    });

    expect(made._unsafeUnwrap().photo_ids).toEqual(['1', '9']);
    expect(created).toEqual([{ photo_ids: ['1', '9'] }]);
  });

  test('names the photo that fails, counted from 0, and those that are uploaded', async () => {
    upload({ url: urls[0] ?? '' }).reply(200, { id: '1' });
    upload({ url: urls[1] ?? '' }).reply(400, refusal(324));
    upload({ url: urls[2] ?? '' }).reply(200, { id: '3' });

    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      message: `photo 2 of 3: refused 324 (${urls[1]})`,
      outcome: 'rejected',
      ids: { photo_ids: ['1', '3'] },
      failedItem: 1,
      payload: { photo_ids: ['1', '3'], photos: ['1', null, '3'], error: { code: 324 } },
    });
  });

  test('resumes by the positions in the failure, each photo in its place', async () => {
    upload({ url: urls[0] ?? '' }).reply(400, refusal(324));
    upload({ url: urls[1] ?? '' }).reply(200, { id: '2' });
    upload({ url: urls[2] ?? '' }).reply(200, { id: '3' });
    const { payload } = (await publish())._unsafeUnwrapErr() as unknown as {
      payload: { photos: readonly (string | null)[] };
    };
    upload({ url: urls[0] ?? '' }).reply(200, { id: '1' });
    post({ attached_media: media }).reply(200, { id: '42_1' });

    const resumed = photos.map((photo, at) => {
      const photoId = payload.photos[at];
      return photoId ? { photoId } : photo;
    });
    expect((await publish({ photos: resumed }))._unsafeUnwrap().photo_ids).toEqual(['1', '2', '3']);
  });

  test('uploads no more photos once one has failed', async () => {
    const many = Array.from({ length: 30 }, () => ({ photoUrl: urls[0] ?? '' }));
    upload({ url: urls[0] ?? '' })
      .times(10)
      .reply(400, refusal(324));

    expect((await publish({ photos: many }))._unsafeUnwrapErr()).toMatchObject({
      failedItem: 0,
      payload: { photo_ids: [] },
    });
  });

  test('names the photos when the post is refused', async () => {
    uploads();
    post().reply(403, refusal(200));

    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      outcome: 'rejected',
      ids: { photo_ids: ['1', '2', '3'] },
      payload: { photos: ['1', '2', '3'] },
    });
  });

  test.each([
    ['published_posts', {}, 'id,message,created_time,application'],
    [
      'scheduled_posts',
      { scheduledAt: 1_800_000_000 },
      'id,message,created_time,application,scheduled_publish_time',
    ],
  ])(
    'finds a lost post among %s by all its photos and its time, without any text',
    async (edge, more, first) => {
      nock(graphBase)
        .post('/42/photos')
        .query(authenticated)
        .times(3)
        .reply(200, () => ({ id: `${++at}` }));
      let at = 0;
      post().replyWithError(new Error('socket hang up'));
      const album = (...ids: readonly string[]): object => ({
        data: [{ target: { id: '42_0' }, subattachments: { data: ids.map((id) => ({ target: { id } })) } }],
      });
      const created_time = '2026-01-02T03:04:06+0000';
      nock(graphBase)
        .get(`/42/${edge}`)
        .query({
          ...authenticated,
          fields: `${first},attachments{target,subattachments{target}}`,
          limit: '25',
        })
        .reply(
          200,
          {
            data: [
              { id: '42_9', created_time, attachments: album('1', '2', '8') },
              { id: '42_8', created_time, attachments: album('3', '2', '1') },
              { id: '42_7', created_time, attachments: album('1', '2', '3', '4') },
              { id: '42_6', created_time, attachments: album('2') },
              { id: '42_5', created_time, attachments: album('1', '2', '3'), message: 'Another text' },
              { id: '42_4', created_time: '2020-01-02T03:04:06+0000', attachments: album('1', '2', '3') },
              { id: '42_3', created_time, attachments: null },
            ],
          },
          dated({ now: () => now }),
        );

      expect((await publish(more))._unsafeUnwrap()).toMatchObject({ id: '42_8' });
    },
  );

  test('does not know what became of a post that is found nowhere', async () => {
    uploads();
    post().reply(502, 'Bad Gateway');
    nock(graphBase)
      .get('/42/published_posts')
      .query(true)
      .times(4)
      .reply(200, { data: [] }, dated({ now: () => now }));

    expect((await publish())._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      ids: { photo_ids: ['1', '2', '3'] },
    });
  });

  test.each([
    ['photos', { photos: [photos[0]] }, /2 or more/],
    ['photos', { photos: [photos[0], {}] }, /photos\[1\] must have exactly one/],
    ['photos', { photos: [photos[0], null] }, /photos\[1\] must be an object/],
    [
      'photos',
      { photos: [{ photoUrl: urls[0], photoId: '1' }, photos[0]] },
      /photos\[0\] must have exactly one/,
    ],
    ['photos', { photos: [photos[0], { photoUrl: 'b.jpg' }] }, /photos\[1\].photoUrl must be/],
    ['photos', { photos: [photos[0], { photoUrl: urls[1], altText: '' }] }, /photos\[1\].altText must/],
    ['photos', { photos: [photos[0], { photoId: '9', altText: 'A' }] }, /photos\[1\] must have no altText/],
    ['photos', { photos: [photos[0], { photo: new Uint8Array() }] }, /photos\[1\].photo must not be empty/],
    ['photos', { photos: [photos[0], { photo: '/no/such/file' }] }, /photos\[1\].photo cannot be opened/],
    ['tags', { tags: ['8'] }, /tags must come with placeId/],
  ])('refuses bad %s before anything is sent', async (option, bad, message) => {
    const error = (await publish(bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: partOf(option) });
    expect(error.message).toMatch(message);
  });

  test.each([undefined, 'key'])(
    'a photo that cannot be opened is named by its number in both: key %s',
    async (idempotencyKey) => {
      const context = pageContext({ journal: memoryJournal() });
      const bad = { photos: [{ photoUrl: urls[0] ?? '' }, { photo: '/no/such/file' }], idempotencyKey };

      const error = (await publishPhotos(context, { ...options, ...bad }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ConfigurationError',
        option: 'photos[1].photo',
        failedItem: 1,
        outcome: 'rejected',
      });
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ failedItem: 1 });
    },
  );
});

describe('photos', () => {
  test.each([undefined, 'uploaded', 'tagged', 'profile'] as const)('lists those of type %s', async (type) => {
    nock(graphBase)
      .get('/42/photos')
      .query({
        ...authenticated,
        fields: 'id,name,created_time,updated_time,link,page_story_id,picture,images',
        type: type ?? 'uploaded',
        limit: '25',
      })
      .reply(200, { data: [{ id: 81, images: [{ source: 'S', width: 9, height: '7' }, null] }] });

    const found = (await photos(pageContext(), { pageId: '42', pageToken: token, type }))._unsafeUnwrap();

    expect([...found]).toEqual([{ id: '81', images: [{ source: 'S', width: 9, height: 7 }] }]);
  });

  test('asks for chosen fields only', async () => {
    nock(graphBase)
      .get('/42/photos')
      .query({ ...authenticated, fields: 'id,width', type: 'uploaded', limit: '2' })
      .reply(200, { data: [{ id: '81', width: 9 }] });

    const options = { pageId: '42', pageToken: token, fields: ['id', 'width'], limit: 2 };

    expect((await photos(pageContext(), options))._unsafeUnwrap()).toEqual([{ id: '81', width: 9 }]);
  });
});

describe('photoDetails', () => {
  test('reads a photo, published or not', async () => {
    nock(graphBase)
      .get('/81')
      .query({
        ...authenticated,
        fields: 'id,name,created_time,updated_time,link,page_story_id,picture,images',
      })
      .reply(200, {
        id: '81',
        name: 'Hi',
        images: [{ source: 'https://example.com/a', width: 9, height: 9 }],
      });

    const photo = await photoDetails(pageContext(), { photoId: '81', pageToken: token });

    expect(photo._unsafeUnwrap()).toMatchObject({ id: '81', name: 'Hi', images: [{ width: 9 }] });
  });

  test('reads the fields given', async () => {
    nock(graphBase)
      .get('/81')
      .query({ ...authenticated, fields: 'id,album' })
      .reply(200, { id: '81', album: { id: '5' } });

    const photo = await photoDetails(pageContext(), {
      photoId: '81',
      pageToken: token,
      fields: ['id', 'album'],
    });

    expect(photo._unsafeUnwrap().raw).toEqual({ id: '81', album: { id: '5' } });
  });
});

describe('deletePhoto', () => {
  const options = { photoId: '81', pageToken: token };
  const photo = () => nock(graphBase).delete('/81').query(authenticated);

  test('deletes a photo, and is sent again when the response was lost', async () => {
    photo().replyWithError(new Error('socket hang up'));
    photo().reply(200, { success: true });

    expect((await deletePhoto(pageContext(), options))._unsafeUnwrap()).toBe(true);
  });

  test('is of unknown outcome when the platform then knows no such photo', async () => {
    photo().replyWithError(new Error('socket hang up'));
    photo().reply(400, refusal(100, { error_subcode: 33 }));

    expect((await deletePhoto(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      category: 'not_found',
      outcome: 'unknown',
    });
  });
});

test('an unpublished photo under a key is sent again after a lost response, by the same call and by the next', async () => {
  const sandbox = createSandbox();
  const [page] = sandbox.pages;
  const { app, platform, fetch } = sandbox;
  const settings = { appId: app.id, appSecret: app.secret, platform, fetch, retry: { baseDelayMs: 1 } };
  const context = createPageContext({ ...settings, journal: memoryJournal() })._unsafeUnwrap();
  const upload = () =>
    publishPhoto(context, {
      pageId: page?.id ?? '',
      pageToken: page?.token ?? '',
      photoUrl: 'https://example.com/a.jpg',
      published: false,
      idempotencyKey: 'photo-1',
    });
  // All attempts of the first call.
  sandbox.fault({ method: 'POST', path: '/photos', when: 'after', drop: true, times: 3 });
  const lost = (await upload())._unsafeUnwrapErr();
  expect('retryAfterMs' in lost && lost.retryAfterMs).toBeGreaterThan(0);
  sandbox.fault({ method: 'POST', path: '/photos', when: 'after', drop: true });

  const { id } = (await upload())._unsafeUnwrap();

  expect((await upload())._unsafeUnwrap().id).toBe(id);
  const [, ...others] = sandbox
    .effects('photo')
    .map((effect) => effect.id)
    .toReversed();
  expect(others.length).toBe(4);
  // What was told is the last one, and each can be discarded.
  for (const photoId of others)
    expect((await deletePhoto(context, { photoId, pageToken: page?.token ?? '' }))._unsafeUnwrap()).toBe(
      true,
    );
});

describe('a post that is refused for one of its photos names it', () => {
  test.each([
    ['(#100) Invalid media_fbid', [{ photoUrl: 'https://example.com/a.jpg' }, { photoId: '83' }], 1],
    ['(#100) Invalid media_fbid 84', [{ photoId: '83' }, { photoId: '84' }], 1],
    ['(#100) Param attached_media[0][media_fbid] is invalid', [{ photoId: '83' }, { photoId: '84' }], 0],
    ['(#100) Invalid media_fbid', [{ photoId: '83' }, { photoId: '84' }], undefined],
    ['(#100) Invalid parameter', [{ photoUrl: 'https://example.com/a.jpg' }, { photoId: '83' }], undefined],
  ] as const)('%s, of %j: %s', async (message, photos, failedItem) => {
    if ('photoUrl' in photos[0])
      nock(graphBase).post('/42/photos').query(authenticated).reply(200, { id: '81' });
    nock(graphBase)
      .post('/42/feed')
      .query(authenticated)
      .reply(400, { error: { code: 100, type: 'OAuthException', message } });

    const post = await publishPhotos(pageContext(), { pageId: '42', pageToken: token, photos });

    expect(post._unsafeUnwrapErr()).toMatchObject({
      code: 100,
      ...(failedItem !== undefined && { failedItem }),
    });
    if (failedItem === undefined)
      expect(post._unsafeUnwrapErr()).not.toHaveProperty('failedItem', expect.any(Number));
  });
});
