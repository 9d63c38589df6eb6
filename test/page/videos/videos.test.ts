import { truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  addCaptions,
  type AddCaptionsOptions,
  publishVideo,
  type PublishVideoOptions,
  videos,
  videoStatus,
} from '../../../src/page/videos/videos.ts';
import { authenticated, dated, graphBase, pageContext, token, virtualClock } from '../../support/context.ts';
import { refusal } from '../support.ts';

describe('publishVideo', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);

  const after = '2026-01-02T03:04:06+0000';

  const videoUrl = 'https://example.com/a.mp4';

  const bytes = Uint8Array.from({ length: 10 }, (_, at) => 97 + at);

  const links = 'status,published,post_id,permalink_url';

  const session = { upload_session_id: '5', video_id: '9' };

  function videos(form: nock.RequestBodyMatcher): nock.Interceptor {
    return nock(graphBase).post('/42/videos', form).query(authenticated);
  }

  function starts(start_offset = '0', end_offset = '6'): void {
    videos({ upload_phase: 'start', file_size: '10' }).reply(200, { ...session, start_offset, end_offset });
  }

  /** A part of the file, as multipart. */
  function part(start: number, text: string): nock.Interceptor {
    return videos((body: string) =>
      [
        `name="upload_phase"\r\n\r\ntransfer\r\n`,
        `name="upload_session_id"\r\n\r\n5\r\n`,
        `name="start_offset"\r\n\r\n${start}\r\n`,
        `name="video_file_chunk"; filename="video_file_chunk"\r\nContent-Type: application/octet-stream\r\n\r\n${text}\r\n`,
      ].every((piece) => body.includes(piece)),
    );
  }

  function range(start_offset: number | string, end_offset: number | string): object {
    return { start_offset, end_offset };
  }

  function sent(): void {
    starts();
    part(0, 'abcdef').reply(200, range('6', '10'));
    part(6, 'ghij').reply(200, range('10', '10'));
  }

  function told(): nock.Interceptor {
    return nock(graphBase)
      .get('/9')
      .query({ ...authenticated, fields: links });
  }

  const done = { status: { video_status: 'ready' }, post_id: '42_7', permalink_url: '/42/videos/9/' };

  function publish(more: object, clock = virtualClock(now)) {
    const context = pageContext({ clock });
    return publishVideo(context, { pageId: '42', pageToken: token, ...more } as PublishVideoOptions);
  }

  describe('publishVideo of bytes', () => {
    test('sends the parts that the platform asks for, publishes, and returns where the video is', async () => {
      const seen: unknown[] = [];
      sent();
      videos({
        upload_phase: 'finish',
        upload_session_id: '5',
        title: 'Tour',
        description: 'A tour',
        is_ai_generated: 'true',
        published: 'false',
        scheduled_publish_time: '1800000000',
      }).reply(200, { success: true });
      told().reply(200, done);

      const clock = virtualClock(now);
      const options = {
        video: bytes,
        title: 'Tour',
        description: 'A tour',
        scheduledAt: 1_800_000_000,
        isAiGenerated: true,
        onCreated: (ids: unknown) => seen.push(ids),
        onProgress: (progress: unknown) => {
          seen.push(progress);
          clock.advance(200);
        },
      };
      const video = await publish(options, clock);

      expect(video._unsafeUnwrap()).toEqual({
        video_id: '9',
        post_id: '42_7',
        permalink_url: '/42/videos/9/',
      });
      const at = (phase: string, sentBytes: number): object => ({ phase, sentBytes, totalBytes: 10 });
      expect(seen.slice(0, 3)).toEqual([at('start', 0), { video_id: '9' }, at('upload', 0)]);
      expect(seen).toContainEqual(at('upload', 6));
      expect(seen.slice(-3)).toEqual([at('upload', 10), at('finish', 10), at('wait', 10)]);
    });

    test.each([
      ['the post that shows it', { data: [{ target: { id: '9' } }] }, { post_id: '42_7' }],
      ['none, if it is not shown', { data: [{ target: { id: '99' } }] }, {}],
    ])('looks once for %s among the scheduled ones', async (_, attachments, post) => {
      sent();
      videos(() => true).reply(200, { success: true });
      told().reply(200, { status: { publishing_phase: { publish_status: 'scheduled' } } });
      nock(graphBase)
        .get('/42/scheduled_posts')
        .query({ ...authenticated, fields: 'id,attachments{target,subattachments{target}}', limit: '100' })
        .reply(200, { data: [{ id: '42_8' }, { id: '42_7', attachments }] });

      const video = await publish({ video: bytes, scheduledAt: 1_800_000_000 });

      expect(video._unsafeUnwrap()).toEqual({ video_id: '9', ...post });
    });

    test('sends the thumbnail with the last step', async () => {
      sent();
      videos((body: string) =>
        /name="upload_phase"\r\n\r\nfinish\r\n[^]*name="thumb"; filename="thumb"/.test(body),
      ).reply(200, { success: true });
      told().reply(200, { status: { video_status: 'ready' } });

      const video = await publish({ video: bytes, thumbnail: new Uint8Array([1]) });

      expect(video._unsafeUnwrap()).toEqual({ video_id: '9' });
    });

    test('sends a part again that was interrupted, and no other', async () => {
      starts();
      part(0, 'abcdef').reply(200, range(6, 10));
      part(6, 'ghij').replyWithError(new Error('socket hang up'));
      part(6, 'ghij').reply(503, 'Busy');
      part(6, 'ghij').reply(200, range(10, 10));
      videos(() => true).reply(200, { success: true });
      told().reply(200, done);

      expect((await publish({ video: bytes })).isOk()).toBe(true);
    });

    test('goes on where the platform says, if it has the part already', async () => {
      starts();
      part(0, 'abcdef').replyWithError(new Error('socket hang up'));
      part(0, 'abcdef').reply(400, refusal(6001, { error_subcode: 1_363_037, error_data: range('6', '10') }));
      part(6, 'ghij').reply(200, range('10', '10'));
      videos(() => true).reply(200, { success: true });
      told().reply(200, done);

      expect((await publish({ video: bytes })).isOk()).toBe(true);
    });

    test('sends a part again whose response cannot be read', async () => {
      starts();
      part(0, 'abcdef').reply(200, 'true');
      part(0, 'abcdef').reply(200, range('x', '10'));
      part(0, 'abcdef').reply(200, range('6', '10'));
      part(6, 'ghij').reply(200, range('10', '10'));
      videos(() => true).reply(200, { success: true });
      told().reply(200, done);

      expect((await publish({ video: bytes })).isOk()).toBe(true);
    });

    test('ends when the attempts are used up: nothing is published', async () => {
      starts();
      part(0, 'abcdef').times(2).replyWithError(new Error('socket hang up'));

      expect((await publish({ video: bytes, uploadAttempts: 2 }))._unsafeUnwrapErr()).toMatchObject({
        name: 'TransportError',
        outcome: 'rejected',
        ids: { video_id: '9' },
      });
    });

    test.each([
      ['by a success', 200, range('0', '6')],
      ['by a refusal', 400, refusal(6001, { error_subcode: 1_363_037, error_data: range('0', '6') })],
    ])(
      'sends a part again that the platform asks for again %s, as often as it may',
      async (_, status, body) => {
        starts();
        part(0, 'abcdef').times(2).reply(status, body);
        part(0, 'abcdef').reply(200, range('6', '10'));
        part(6, 'ghij').reply(200, range('10', '10'));
        videos(() => true).reply(200, { success: true });
        told().reply(200, done);

        expect((await publish({ video: bytes })).isOk()).toBe(true);

        starts();
        part(0, 'abcdef').times(2).reply(status, body);
        expect((await publish({ video: bytes, uploadAttempts: 2 }))._unsafeUnwrapErr()).toMatchObject({
          name: 'ApiError',
          // The status of the response, and of no other.
          status,
          outcome: 'rejected',
          ids: { video_id: '9' },
        });
      },
    );

    test('waits until people can play it', async () => {
      starts();
      part(0, 'abcdef').reply(200, range(6, 10));
      part(6, 'ghij').reply(200, range(10, 10));
      videos(() => true).reply(200, { success: true });
      told().reply(200, {
        ...done,
        status: { processing_phase: { status: 'in_progress' } },
        post_id: '42_7',
      });
      told().reply(200, { status: { processing_phase: { status: 'complete' } }, post_id: '42_7' });

      expect((await publish({ video: bytes, waitFor: 'processed' }))._unsafeUnwrap()).toEqual({
        video_id: '9',
        post_id: '42_7',
        processed: true,
      });
    });

    test('goes back where the platform lacks a part that was sent', async () => {
      starts();
      part(0, 'abcdef').reply(200, range(6, 10));
      part(6, 'ghij').reply(200, range(0, 6));
      part(0, 'abcdef').reply(200, range(6, 10));
      part(6, 'ghij').reply(200, range(10, 10));
      videos(() => true).reply(200, { success: true });
      told().reply(200, done);

      expect((await publish({ video: bytes })).isOk()).toBe(true);
    });

    test.each([
      ['beyond the file', range('6', '11')],
      ['that end before they begin', range('6', '5')],
      ['to an end before that of the file', range('8', '8')],
    ])('ends when the platform asks for bytes %s', async (_, next) => {
      starts();
      part(0, 'abcdef').reply(200, next);

      expect((await publish({ video: bytes }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ApiError',
        message: expect.stringMatching(/^the platform asks for bytes \d+ to \d+ of a file of 10 bytes$/),
        // Nothing was refused.
        status: undefined,
        outcome: 'rejected',
        ids: { video_id: '9' },
      });
    });

    test('ends with an error that names the video when the file shrinks', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'video-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const file = join(folder, 'a.mp4');
      await writeFile(file, bytes);
      starts();

      const error = (
        await publish({
          video: file,
          // At once: hooks are not awaited, and the upload begins meanwhile.
          onCreated: () => truncateSync(file, 3),
          onProgress: () => undefined,
        })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: 'the video could not be read to its end: its file shrank or was removed',
        outcome: 'rejected',
        ids: { video_id: '9' },
      });
    });

    test('is found by its id after a lost response', async () => {
      sent();
      videos(() => true).replyWithError(new Error('socket hang up'));
      told().reply(200, { status: {}, published: false });
      told().reply(200, { ...done, published: true });
      told().reply(200, done);

      expect((await publish({ video: bytes }))._unsafeUnwrap()).toMatchObject({
        video_id: '9',
        post_id: '42_7',
      });
    });

    test('names the video when it does not know what became of it', async () => {
      sent();
      videos(() => true).reply(502, 'Bad Gateway');
      told().times(4).reply(200, { status: {} });

      expect((await publish({ video: bytes }))._unsafeUnwrapErr()).toMatchObject({
        outcome: 'unknown',
        ids: { video_id: '9' },
      });
    });
  });

  describe('publishVideo of an address', () => {
    test('lets the platform fetch it', async () => {
      const created: unknown[] = [];
      videos({ file_url: videoUrl, title: 'Tour' }).reply(200, { id: '9' });
      told().reply(200, { status: { video_status: 'processing' } });
      told().reply(200, done);

      const video = await publish({
        videoUrl,
        title: 'Tour',
        onCreated: (ids: unknown) => created.push(ids),
      });

      expect(video._unsafeUnwrap()).toMatchObject({ video_id: '9', post_id: '42_7' });
      expect(created).toEqual([{ video_id: '9' }]);
    });

    test.each([
      [
        'description',
        { title: 'Tour', description: 'A lost tour' },
        { title: 'Tour', description: 'A lost tour' },
      ],
      ['title', { title: 'Only a title' }, { title: 'Only a title' }],
    ])('is found by its %s after a lost response', async (_, more, shown) => {
      videos(() => true).reply(502, 'Bad Gateway');
      nock(graphBase)
        .get('/42/videos')
        .query({
          ...authenticated,
          type: 'UPLOADED',
          fields: 'id,title,description,created_time',
          limit: '25',
        })
        .reply(
          200,
          {
            data: [
              { id: '8', title: 'Other', created_time: after },
              { id: '9', ...shown, created_time: after },
            ],
          },
          dated({ now: () => now }),
        );
      told().reply(200, done);

      expect((await publish({ videoUrl, ...more }))._unsafeUnwrap()).toMatchObject({ video_id: '9' });
    });

    test('does not guess where there is no text to know it by', async () => {
      videos({ file_url: videoUrl }).reply(502, 'Bad Gateway');

      expect((await publish({ videoUrl }))._unsafeUnwrapErr()).toMatchObject({
        status: 502,
        outcome: 'unknown',
      });
    });

    test('fails with what the platform says when it cannot fetch it', async () => {
      videos({ file_url: videoUrl }).reply(400, refusal(389));

      expect((await publish({ videoUrl }))._unsafeUnwrapErr()).toMatchObject({
        code: 389,
        message: `refused 389 (${videoUrl})`,
        outcome: 'rejected',
      });
    });

    test.each([
      ['videoUrl', {}],
      ['videoUrl', { videoUrl, video: bytes }],
    ])('refuses a bad %s before anything is sent', async (option, bad) => {
      expect((await publish(bad))._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
    });
  });
});

describe('videoStatus', () => {
  const options = { videoId: '9', pageToken: token };

  function video(): nock.Interceptor {
    return nock(graphBase)
      .get('/9')
      .query({ ...authenticated, fields: 'status' });
  }

  test('reads the phases of any video, in the documented spelling', async () => {
    const publishing_phase = {
      status: 'not_started',
      publish_status: 'scheduled',
      publish_time: 1_800_000_000,
    };
    video().reply(200, {
      id: '9',
      status: {
        video_status: 'ready',
        uploading_phase: { status: 'completed', bytes_transferred: '50002' },
        processing_phase: { status: 'complete' },
        publishing_phase,
      },
    });

    expect((await videoStatus(pageContext(), options))._unsafeUnwrap()).toEqual({
      video_status: 'ready',
      uploading_phase: { status: 'complete', bytes_transfered: 50_002 },
      processing_phase: { status: 'complete' },
      publishing_phase,
    });
  });

  test('fails with what the platform says of an unknown video', async () => {
    video().reply(400, refusal(100, { error_subcode: 33 }));

    expect((await videoStatus(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      category: 'not_found',
    });
  });
});

describe('addCaptions', () => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

  const options = {
    videoId: '9',
    pageToken: token,
    captions: new TextEncoder().encode(text),
    locale: 'en_US',
  };

  /** The parts of the next request, by their names. */
  function adds(parts: Record<string, string>): nock.Interceptor {
    return nock(graphBase, { reqheaders: { 'content-type': /^multipart\/form-data; boundary=\w+$/ } })
      .post('/9/captions', (body: string) => {
        for (const [, head = '', content = ''] of body.matchAll(
          /Content-Disposition: form-data; (name=.*?)\r\n(?:Content-Type: .*\r\n)?\r\n([^]*?)\r\n--/g,
        )) {
          parts[head] = content;
        }
        return true;
      })
      .query(authenticated);
  }

  test('passes the language in the name of the file, and that they are the default', async () => {
    const parts: Record<string, string> = {};
    adds(parts).reply(200, { success: true });

    const added = await addCaptions(pageContext(), { ...options, isDefault: true });

    expect(added._unsafeUnwrap()).toEqual({ success: true });
    expect(parts).toEqual({
      'name="default_locale"': 'en_US',
      'name="captions_file"; filename="captions.en_US.srt"': text,
    });
  });

  test('is sent again when the response was lost', async () => {
    const parts: Record<string, string> = {};
    adds({}).reply(502, 'Bad Gateway');
    adds(parts).reply(200, { success: 'true' });

    const added = await addCaptions(pageContext(), { ...options, locale: 'fil_PH', isDefault: false });

    expect(added._unsafeUnwrap()).toEqual({ success: true });
    expect(parts).toEqual({ 'name="captions_file"; filename="captions.fil_PH.srt"': text });
  });

  test('fails with what the platform says when it refuses', async () => {
    adds({}).reply(400, refusal(100));

    expect((await addCaptions(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      code: 100,
      outcome: 'rejected',
    });
  });

  test.each([
    ['locale', { locale: 'en' }, 'locale must be a locale such as en_US'],
    ['locale', { locale: 'en_US.srt"\r\n' }, 'locale must be a locale such as en_US'],
    ['captions', { captions: 'https://example.com/tour.srt' }, 'captions must be a file'],
  ])('refuses a bad %s before anything is sent: %j', async (option, own, message) => {
    const bad = { ...options, ...own } as AddCaptionsOptions;

    const error = (await addCaptions(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
    expect(error.message).toMatch(message);
  });
});

describe('videos', () => {
  const fields =
    'id,title,description,created_time,updated_time,length,picture,permalink_url,post_id,published,scheduled_publish_time';

  test('lists 25 videos that the Page uploaded', async () => {
    nock(graphBase)
      .get('/42/videos')
      .query({ ...authenticated, fields, type: 'UPLOADED', limit: '25' })
      .reply(200, { data: [{ id: 77, length: 9.5, scheduled_publish_time: '2026-01-02T03:04:05+0000' }] });

    const found = (await videos(pageContext(), { pageId: '42', pageToken: token }))._unsafeUnwrap();

    expect([...found]).toEqual([
      { id: '77', length: 9.5, scheduled_publish_time: '2026-01-02T03:04:05+0000' },
    ]);
    expect(found.hasMore).toBe(false);
  });

  test('asks for chosen fields of those that tag it', async () => {
    nock(graphBase)
      .get('/42/videos')
      .query({ ...authenticated, fields: 'id,views', type: 'TAGGED', limit: '5' })
      .reply(200, { data: [{ id: '77', views: 3 }] });

    const options = {
      pageId: '42',
      pageToken: token,
      type: 'tagged',
      fields: ['id', 'views'],
      limit: 5,
    } as const;

    expect((await videos(pageContext(), options))._unsafeUnwrap()).toEqual([{ id: '77', views: 3 }]);
  });
});
