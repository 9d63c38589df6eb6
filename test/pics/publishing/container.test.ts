import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import nock from 'nock';
import type * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { close } from '../../../src/core/client.ts';
import type { FileSource } from '../../../src/core/options/fileSource.ts';
import type { UploadProgress } from '../../../src/core/upload.ts';
import type { ContainerStatusEvent } from '../../../src/models/media.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import { publishCarousel, type PublishCarouselOptions } from '../../../src/pics/publishing/carousel.ts';
import { startContainerWait, waitRules } from '../../../src/pics/publishing/container.ts';
import {
  publish,
  type PublishOptions,
  publishStory,
  type PublishStoryOptions,
} from '../../../src/pics/publishing/publish.ts';
import {
  authenticated,
  graphBase,
  newCall,
  picsContext,
  picsGraphBase,
  picsPageContext,
  platform,
  token,
  virtualClock,
} from '../../support/context.ts';
import { faultIn, partOf } from '../../support/rules.ts';

describe('container', () => {
  const ids = { container_id: '18' };

  function looks(status_code: string, status?: string, count = 1): void {
    nock(picsGraphBase).get('/18').query(true).times(count).reply(200, { status_code, status });
  }

  function wait(
    context: PicsContext,
    waitTimeoutMs: number,
    {
      deadline = Infinity,
      signal,
      pausesFirst = false,
    }: { deadline?: number; signal?: AbortSignal; pausesFirst?: boolean } = {},
  ) {
    const seen: ContainerStatusEvent[] = [];
    const call = { ...newCall(), account: 'me', token, deadline, signal };
    const onStatus = (event: ContainerStatusEvent) => seen.push(event);
    const { untilReady } = startContainerWait(context, call, {
      containerId: '18',
      ids,
      pausesFirst,
      waitTimeoutMs,
      onStatus,
    });
    return { seen, untilReady };
  }

  /** A clock whose sleeps take a little less or more than they should. */
  function unpunctualClock(offMs: number) {
    const clock = virtualClock();
    const sleep: typeof clock.sleep = async (ms, signal) => {
      await clock.sleep(ms, signal);
      clock.advance(offMs);
    };
    return { ...clock, sleep };
  }

  describe('the wait for a container', () => {
    test.each([
      ['a little early', -1, [0, 999, 1999]],
      ['late', 5000, [0, 6000]],
    ])('ends with the look at its end, though the timers fire %s', async (_, offMs, times) => {
      looks('IN_PROGRESS', undefined, times.length);
      const { seen, untilReady } = wait(
        picsContext({ clock: unpunctualClock(offMs) }),
        times.length === 2 ? 3000 : 2000,
      );

      expect((await untilReady())._unsafeUnwrapErr()).toMatchObject({ name: 'ContainerNotReadyError' });
      expect(seen.map(({ elapsedMs }) => elapsedMs)).toEqual(times);
      expect((await untilReady())._unsafeUnwrapErr()).toMatchObject({ name: 'ContainerNotReadyError' });
    });

    test.each([
      ['IN_PROGRESS', 'Hold on', 'the container is not ready (IN_PROGRESS: Hold on)'],
      ['IN_PROGRESS', undefined, 'the container is not ready (IN_PROGRESS)'],
      ['ERROR', 'Error: 2207026', 'the container cannot be published (ERROR: Error: 2207026)'],
      ['EXPIRED', undefined, 'the container cannot be published (EXPIRED)'],
    ])('says what is known at %s (%j)', async (status_code, status, message) => {
      looks(status_code, status);

      expect((await wait(picsContext(), 0).untilReady())._unsafeUnwrapErr()).toMatchObject({
        name: 'ContainerNotReadyError',
        message,
        category: 'media',
        payload: { ...ids, status_code, status },
      });
    });

    test('says that the state is not known when no look was taken', async () => {
      const clock = virtualClock();
      const { untilReady } = wait(picsContext({ clock }), 9000, {
        deadline: clock.now() + 1000,
        pausesFirst: true,
      });

      expect((await untilReady())._unsafeUnwrapErr()).toMatchObject({
        message: 'the container is not ready (its state is unknown)',
      });
      expect(clock.slept).toEqual([]);
    });

    test('fails as the only lookup did, and names the container', async () => {
      nock(picsGraphBase)
        .get('/18')
        .query(true)
        .reply(400, { error: { message: 'No such object', code: 100 } });

      expect((await wait(picsContext(), 0).untilReady())._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        message: 'No such object',
        ids,
        payload: ids,
      });
    });

    test('sends one request when it may look once, also where the network fails', async () => {
      nock(picsGraphBase).get('/18').query(true).replyWithError(new Error('reset'));

      expect((await wait(picsContext(), 0).untilReady())._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        reason: 'network',
        payload: ids,
      });
    });

    test.each(['aborted', 'closed'])('ends as %s when it is so during the only look', async (reason) => {
      const abort = new AbortController();
      const context: PicsContext = picsContext({
        fetch: async () => {
          if (reason === 'aborted') abort.abort();
          else close(context);
          return new Promise<Response>(() => undefined);
        },
      });

      expect(
        (await wait(context, 0, { signal: abort.signal }).untilReady())._unsafeUnwrapErr(),
      ).toMatchObject({
        name: 'TransportError',
        reason,
        payload: ids,
      });
    });
  });

  test('the options of a wait must be milliseconds and a function', () => {
    const faults = (rule: v.GenericSchema, values: readonly unknown[]) =>
      values.map((value) => faultIn(rule, value));
    expect(faults(waitRules.waitTimeoutMs, [undefined, 0, 5.5, Infinity])).toEqual(Array(4).fill(undefined));
    expect(faults(waitRules.waitTimeoutMs, [-1, Number.NaN, '5'])).toEqual(
      Array(3).fill('must be a number of at least 0'),
    );
    expect(faults(waitRules.onStatus, [undefined, () => 5])).toEqual([undefined, undefined]);
    expect(faults(waitRules.onStatus, ['log'])).toEqual(['must be a function']);
  });
});

describe('videoUpload', () => {
  const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

  const video = bytes;

  /** Not as anyone would build it: it is used as it comes. */
  const uri = `${platform.uploadUrl}/ig-api-upload/v99.0/18?part=a%2Fb`;

  const published = { container_id: '18', media_id: '19' };

  const statusQuery = { ...authenticated, fields: 'status_code,status,video_status' };

  const look = { ...authenticated, fields: 'status_code,status' };

  const me = `${picsGraphBase}/me`;

  let folder = '';

  let file = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reel-'));
    file = join(folder, 'reel.mp4');
    await writeFile(file, bytes);
  });

  afterAll(() => rm(folder, { recursive: true }));

  function create(form: object = {}, base = me, more: object = { uri }): void {
    nock(base)
      .post('/media', { media_type: 'REELS', share_to_feed: 'true', upload_type: 'resumable', ...form })
      .query(authenticated)
      .reply(200, { id: '18', ...more });
  }

  /** One attempt of the upload, which sends all from `offset` on. */
  function take(offset: number, of = uri): nock.Interceptor {
    const { origin, pathname, search } = new URL(of);
    return nock(origin, {
      reqheaders: {
        authorization: `OAuth ${token}`,
        offset: String(offset),
        file_size: String(bytes.length),
      },
      badheaders: ['file_url'],
    }).post(pathname + search, Buffer.from(bytes.slice(offset)).toString('binary') as string);
  }

  function held(bytes_transferred: unknown, state: object = { status_code: 'IN_PROGRESS' }): void {
    const uploading_phase = { status: 'in_progress', bytes_transferred };
    nock(picsGraphBase)
      .get('/18')
      .query(statusQuery)
      .reply(200, { ...state, video_status: { uploading_phase } });
  }

  function finish(base = picsGraphBase, account = 'me'): void {
    nock(base).get('/18').query(look).reply(200, { status_code: 'FINISHED' });
    nock(`${base}/${account}`)
      .post('/media_publish', { creation_id: '18' })
      .query(true)
      .reply(200, { id: '19' });
  }

  describe('the upload of a Reel', () => {
    test.each<[string, string, string, PicsContext, object]>([
      ['login', picsGraphBase, 'me', picsContext(), { token }],
      ['page', graphBase, '17', picsPageContext(), { token, picsUserId: '17' }],
    ])(
      'makes a container, and sends the bytes to its address unchanged, in %s mode',
      async (_mode, base, account, context, at) => {
        const seen: unknown[] = [];
        create({ caption: 'Waves', thumb_offset: '0' }, `${base}/${account}`);
        take(0).reply(200, () => (seen.push('upload'), { success: true, message: 'Upload successful.' }));
        finish(base, account);

        const post = await publish(context, {
          ...(at as { token: string }),
          video,
          caption: 'Waves',
          thumbOffsetMs: 0,
          onCreated: (ids) => seen.push(ids),
        });

        expect(post._unsafeUnwrap()).toEqual(published);
        expect(seen).toEqual([{ container_id: '18' }, 'upload']);
      },
    );

    test.each<[string, () => FileSource]>([
      ['a path', () => file],
      ['a file URL', () => pathToFileURL(file)],
      ['a Blob', () => new Blob([bytes])],
      ['an ArrayBuffer', () => bytes.buffer],
    ])('sends exactly the bytes of %s', async (_, source) => {
      create();
      take(0).reply(200, { success: true });
      finish();

      expect((await publish(picsContext(), { token, video: source() }))._unsafeUnwrap()).toEqual(published);
    });

    test('goes on with what the platform does not hold, and tells the progress', async () => {
      const progress: UploadProgress[] = [];
      create();
      take(0).replyWithError(new Error('reset'));
      held(4);
      take(4).reply(412, { debug_info: { retriable: true, type: 'OffsetInvalidError', message: 'Offset' } });
      // As text, and in the other spelling.
      nock(picsGraphBase)
        .get('/18')
        .query(statusQuery)
        .reply(200, { video_status: { uploading_phase: { bytes_transfered: '7' } } });
      take(7).reply(200, { success: true });
      finish();

      const post = await publish(picsContext(), { token, video, onProgress: (one) => progress.push(one) });

      expect(post._unsafeUnwrap()).toEqual(published);
      const begun = progress.filter(
        ({ phase, sentBytes }, at) =>
          phase !== 'upload' || sentBytes < (progress[at - 1]?.sentBytes ?? 0) || sentBytes === 0,
      );
      expect(begun.map(({ phase, sentBytes }) => [phase, sentBytes])).toEqual([
        ['start', 0],
        ['upload', 0],
        ['upload', 4],
        ['upload', 7],
        ['wait', 10],
        ['finish', 10],
      ]);
      expect(progress.every(({ totalBytes }) => totalBytes === 10)).toBe(true);
    });

    test.each([
      ['holds them all', 10, {}],
      ['is done with them', undefined, { status_code: 'FINISHED' }],
    ])('does not send the bytes again when the platform %s', async (_, bytesHeld, state) => {
      create();
      take(0).reply(502, '');
      held(bytesHeld, state);
      finish();

      expect((await publish(picsContext(), { token, video }))._unsafeUnwrap()).toEqual(published);
    });

    test('fails as the wait does when the platform cannot use the video', async () => {
      create();
      take(0).reply(502, '');
      held(3, { status_code: 'ERROR', status: 'Error: 2207026' });
      nock(picsGraphBase)
        .get('/18')
        .query(look)
        .reply(200, { status_code: 'ERROR', status: 'Error: 2207026' });

      expect((await publish(picsContext(), { token, video }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ContainerNotReadyError',
        containerId: '18',
        subcode: 2_207_026,
      });
    });

    test('is not tried again when the upload host says that this is of no use', async () => {
      const message = '{"success":false,"error":{"message":"unauthorized user request"}}';
      create();
      take(0).reply(400, { debug_info: { retriable: false, type: 'ProcessingFailedError', message } });

      expect((await publish(picsContext(), { token, video }))._unsafeUnwrapErr()).toMatchObject({
        name: 'PermissionError',
        message,
        action: 'fix',
        outcome: 'rejected',
        ids: { container_id: '18' },
        payload: { container_id: '18' },
      });
    });

    test('ends after the attempts that are allowed', async () => {
      create();
      take(0).replyWithError(new Error('reset'));
      held(4);
      take(4).replyWithError(new Error('reset'));
      held(6);

      expect(
        (await publish(picsContext(), { token, video, uploadAttempts: 2 }))._unsafeUnwrapErr(),
      ).toMatchObject({ name: 'TransportError', outcome: 'rejected', ids: { container_id: '18' } });
    });

    test('is told of as changed when its file shrinks meanwhile', async () => {
      const shrinking = join(folder, 'shrinking.mp4');
      await writeFile(shrinking, bytes);
      create();
      take(0).reply(502, () => truncate(shrinking, 3).then(() => ''));

      expect((await publish(picsContext(), { token, video: shrinking }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        category: 'media',
        message: expect.stringContaining('shrank'),
        ids: { container_id: '18' },
      });
    });

    test.each<[unknown, string]>([
      [11, '11 bytes of a file of 10 bytes'],
      [-1, '-1 bytes'],
      [0.5, '0.5 bytes'],
    ])('does not believe that the platform holds %s bytes', async (bytesHeld, text) => {
      create();
      take(0).reply(502, '');
      held(bytesHeld);

      const error = (await publish(picsContext(), { token, video }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', ids: { container_id: '18' } });
      expect(error.message).toContain(text);
    });

    test.each<[unknown]>([
      ['https://upload.test.evil.example/ig-api-upload/v26.0/18'],
      ['http://upload.test/ig-api-upload/v26.0/18'],
      ['https://a:b@upload.test/ig-api-upload/v26.0/18'],
      ['https://upload.test:444/18'],
      ['/ig-api-upload/v26.0/18'],
      ['not an address'],
      [''],
      [null],
      [5],
      ['missing'],
    ])('sends nothing to the address %j, and names the container', async (address) => {
      const made: unknown[] = [];
      create({}, me, address === 'missing' ? {} : { uri: address });

      const post = await publish(picsContext(), { token, video, onCreated: (ids) => made.push(ids) });

      expect(post._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        message: 'uri: the upload address is not at the platform',
        outcome: 'rejected',
        ids: { container_id: '18' },
      });
      expect(made).toEqual([{ container_id: '18' }]);
    });

    test('fails with what the platform says where it takes no uploads, and tries nothing else', async () => {
      nock(me)
        .post('/media')
        .query(true)
        .reply(400, { error: { message: 'Param upload_type is not allowed', code: 100 } });

      expect((await publish(picsContext(), { token, video }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        code: 100,
        outcome: 'rejected',
      });
    });

    test('says what it does of a video that the platform fetches', async () => {
      const phases: unknown[] = [];
      nock(me).post('/media').query(true).reply(200, { id: '18' });
      finish();

      const post = await publish(picsContext(), {
        token,
        videoUrl: 'https://example.com/a.mp4',
        onProgress: ({ phase, sentBytes, totalBytes }) => phases.push([phase, sentBytes, totalBytes]),
      });

      expect(post.isOk()).toBe(true);
      expect(phases).toEqual([
        ['start', 0, undefined],
        ['wait', 0, undefined],
        ['finish', 0, undefined],
      ]);
    });
  });

  test('a story is uploaded as a Reel is', async () => {
    nock(me)
      .post('/media', {
        media_type: 'STORIES',
        upload_type: 'resumable',
        user_tags: '[{"username":"ada"}]',
      })
      .query(authenticated)
      .reply(200, { id: '18', uri });
    take(0).reply(200, { success: true });
    finish();

    const story = await publishStory(picsContext(), { token, video, userTags: [{ username: 'ada' }] });

    expect(story._unsafeUnwrap()).toEqual(published);
  });

  describe('the uploads of a carousel', () => {
    const uris = ['1', '2', '3'].map((id) => `${platform.uploadUrl}/ig-api-upload/v26.0/${id}`);
    const items = [
      { video, thumbOffsetMs: 0 },
      { imageUrl: 'https://example.com/a.jpg' },
      { video: new Blob([bytes]) },
    ];

    function createItems(): void {
      const item = { media_type: 'VIDEO', is_carousel_item: 'true', upload_type: 'resumable' };
      nock(me)
        .post('/media', { ...item, thumb_offset: '0' })
        .query(authenticated)
        .reply(200, { id: '1', uri: uris[0] });
      nock(me)
        .post('/media', { image_url: 'https://example.com/a.jpg', is_carousel_item: 'true' })
        .query(authenticated)
        .reply(200, { id: '2' });
      nock(me).post('/media', item).query(authenticated).reply(200, { id: '3', uri: uris[2] });
    }

    test('are made side by side, and told of as one', async () => {
      const seen: unknown[] = [];
      const progress: UploadProgress[] = [];
      createItems();
      take(0, uris[0]).reply(200, { success: true });
      take(0, uris[2]).reply(200, { success: true });
      nock(picsGraphBase)
        .get(/\/[13]$/)
        .query(look)
        .times(2)
        .reply(200, { status_code: 'FINISHED' });
      nock(me)
        .post('/media', { media_type: 'CAROUSEL', children: '1,2,3' })
        .query(true)
        .reply(200, { id: '18' });
      finish();

      const post = await publishCarousel(picsContext(), {
        token,
        items,
        onCreated: (ids) => seen.push(ids),
        onProgress: (one) => progress.push(one),
      });

      expect(post._unsafeUnwrap()).toEqual({ ...published, children: ['1', '2', '3'] });
      expect(seen).toHaveLength(4);
      expect(seen.slice(2)).toEqual([
        { children: ['1', '2', '3'] },
        { children: ['1', '2', '3'], container_id: '18' },
      ]);
      expect([...new Set(progress.map(({ phase }) => phase))]).toEqual(['start', 'upload', 'wait', 'finish']);
      expect(progress.at(-1)).toEqual({ phase: 'finish', sentBytes: 20, totalBytes: 20 });
    });

    test('name the one that fails, and every child, its own included', async () => {
      createItems();
      // It may be stopped before it begins.
      take(0, uris[0]).optionally().reply(200, { success: true });
      take(0, uris[2]).reply(400, { debug_info: { retriable: false, message: 'No' } });

      expect((await publishCarousel(picsContext(), { token, items }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        message: 'item 3 of 3: No',
        outcome: 'rejected',
        failedItem: 2,
        payload: { children: ['1', '2', '3'] },
        ids: { children: ['1', '2', '3'] },
      });
    });
  });

  describe('the uploads of a carousel that cannot be', () => {
    // The offsets are the ids of the containers.
    const items = [
      { video, thumbOffsetMs: 1 },
      { video, thumbOffsetMs: 2 },
      { imageUrl: 'https://example.com/a.jpg' },
    ];

    /** A platform that holds back the response to the first upload, and refuses the second one when `fails` says so. */
    function contextOf(fails: 'upload' | 'image' | 'nothing'): PicsContext {
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const { url, method } = input as Request;
        if (url.endsWith('/up/1')) {
          return new Promise((_, reject) => {
            init?.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
          });
        }
        if (url.endsWith('/up/2')) {
          return fails === 'upload'
            ? Response.json({ debug_info: { retriable: false, message: 'No' } }, { status: 400 })
            : Response.json({ success: true });
        }
        if (method === 'GET') return Response.json({ status_code: 'FINISHED' });
        const form = new URLSearchParams(await (input as Request).text());
        const id = form.get('thumb_offset') ?? '3';
        if (id === '3' && fails === 'image') {
          return Response.json({ error: { message: 'Too wide', code: 36_003 } }, { status: 400 });
        }
        return Response.json({ id, uri: `${platform.uploadUrl}/up/${id}` });
      };
      return picsContext({ fetch });
    }

    test.each([
      ['upload', 'item 2 of 3: No', 2],
      ['image', 'item 3 of 3: Too wide', 3],
    ] as const)('end as soon as another %s fails, which the error names', async (fails, message, number) => {
      const error = (await publishCarousel(contextOf(fails), { token, items }))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message,
        outcome: 'rejected',
        failedItem: number - 1,
      });
      expect(error).toHaveProperty('ids.children', fails === 'image' ? ['1', '2'] : ['1', '2', '3']);
    });

    test('end when the call is aborted', async () => {
      const controller = new AbortController();
      const call = await publishCarousel(contextOf('nothing'), {
        token,
        items,
        signal: controller.signal,
        onCreated: ({ children }) => {
          if (children.length === 3) setTimeout(() => controller.abort(), 5);
        },
      });

      expect(call._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        reason: 'aborted',
        outcome: 'rejected',
        ids: { children: ['1', '2', '3'] },
      });
    });
  });

  describe('before anything is sent', () => {
    const imageUrl = 'https://example.com/a.jpg';
    const videoUrl = 'https://example.com/a.mp4';
    const noFile = 'no-such-file.mp4';
    const empty = new Uint8Array();

    test.each<[string, object, string?]>([
      ['imageUrl', {}, 'give exactly one of imageUrl, videoUrl and video'],
      ['imageUrl', { video, videoUrl }],
      ['imageUrl', { video, imageUrl }],
      ['video', { video: noFile }, 'video cannot be opened: there is no such file: no-such-file.mp4'],
      ['video', { video: empty }, 'video must not be empty'],
      ['video', { video: new URL('https://example.com/a.mp4') }],
      ['uploadAttempts', { imageUrl, uploadAttempts: 2 }, 'uploadAttempts is for videos only'],
      ['onProgress', { imageUrl, onProgress: () => undefined }, 'onProgress is for videos only'],
    ])('a bad %s is refused: %o', async (option, bad, message) => {
      const reel = await publish(picsContext(), { token, ...bad } as PublishOptions);
      const story = await publishStory(picsContext(), { token, ...bad } as PublishStoryOptions);

      for (const error of [reel._unsafeUnwrapErr(), story._unsafeUnwrapErr()]) {
        expect(error).toMatchObject({
          name: 'ConfigurationError',
          option: partOf(option),
          ...(message && { message }),
        });
      }
    });

    test.each<[object, string]>([
      [{ video: noFile }, 'items[1].video cannot be opened: there is no such file: no-such-file.mp4'],
      [{ video: empty }, 'items[1].video must not be empty'],
      [{ video: 5 }, 'items[1].video must be a Blob, an ArrayBuffer, a Uint8Array, a path or a file URL'],
      [{ video, videoUrl }, 'items[1].video is for uploads only'],
      [{ video, imageUrl }, 'items[1].imageUrl is for images only'],
    ])('a bad item is refused: %o', async (bad, message) => {
      const options = { token, items: [{ video }, bad] } as PublishCarouselOptions;

      expect((await publishCarousel(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: message.split(' ')[0],
        failedItem: 1,
        message,
      });
    });
  });
});
