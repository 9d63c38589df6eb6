import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { close } from '../../src/core/client.ts';
import type { UploadProgress } from '../../src/core/upload.ts';
import { publishPhotoStory, publishVideoStory, stories, videoStoryStatus } from '../../src/page/stories.ts';
import { authenticated, graphBase, pageContext, platform, token, virtualClock } from '../support/context.ts';

describe('publishPhotoStory', () => {
  const photoUrl = 'https://example.com/a.jpg';

  const options = { pageId: '42', pageToken: token, photoUrl };

  function uploadAnswers(): void {
    nock(graphBase)
      .post('/42/photos', { url: photoUrl, published: 'false' })
      .query(authenticated)
      .reply(200, { id: '5' });
  }

  function story() {
    return nock(graphBase).post('/42/photo_stories', { photo_id: '5' }).query(authenticated);
  }

  function storiesAnswer(data: readonly unknown[]) {
    return nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '100' })
      .reply(200, { data });
  }

  test('uploads the photo unpublished, then makes the story of it', async () => {
    uploadAnswers();
    story().reply(200, '{"success":true,"post_id":12345678901234567}');

    const published = await publishPhotoStory(pageContext(), options);

    expect(published._unsafeUnwrap()).toEqual({
      photo_id: '5',
      post_id: '12345678901234567',
      success: true,
    });
  });

  test('sends the bytes of a photo', async () => {
    const isPhoto = (body: string): boolean =>
      /name="published"\r\n\r\nfalse\r\n[^]*name="source"/.test(body);
    nock(graphBase).post('/42/photos', isPhoto).query(authenticated).reply(200, { id: '5' });
    story().reply(200, { success: true, post_id: 12 });

    const photo = new Uint8Array([1, 2, 3]);
    const published = await publishPhotoStory(pageContext(), { pageId: '42', pageToken: token, photo });

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('uploads nothing for a photo that is there', async () => {
    story().reply(200, { success: true, post_id: 12 });

    const published = await publishPhotoStory(pageContext(), {
      pageId: '42',
      pageToken: token,
      photoId: '5',
    });

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('uploads again after a lost response: an unpublished photo does no harm', async () => {
    nock(graphBase).post('/42/photos').query(authenticated).reply(502, 'Bad Gateway');
    uploadAnswers();
    story().reply(200, { success: true, post_id: 12 });

    const published = await publishPhotoStory(pageContext(), options);

    expect(published.isOk()).toBe(true);
  });

  test('passes onCreated the uploaded photo before the story is made, and ignores what that throws', async () => {
    const seen: unknown[] = [];
    const onCreated = (ids: { readonly photo_id: string }) => {
      seen.push(ids);
      throw new Error('mine');
    };
    uploadAnswers();
    story()
      .times(2)
      .reply(200, () => (seen.push('story'), { success: true, post_id: 12 }));

    expect((await publishPhotoStory(pageContext(), { ...options, onCreated })).isOk()).toBe(true);
    const uploaded = { pageId: '42', pageToken: token, photoId: '5', onCreated };
    expect((await publishPhotoStory(pageContext(), uploaded)).isOk()).toBe(true);
    expect(seen).toEqual([{ photo_id: '5' }, 'story', 'story']);
  });

  test('makes no story when the upload is refused', async () => {
    nock(graphBase)
      .post('/42/photos')
      .query(authenticated)
      .reply(400, { error: { message: 'Missing or invalid image file', code: 324 } });

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 324, outcome: 'rejected' });
  });

  test('says that nothing was published when the response to the upload is lost for good', async () => {
    nock(graphBase).post('/42/photos').query(authenticated).times(3).reply(502, 'Bad Gateway');

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'rejected' });
  });

  test('names the photo when the story is refused', async () => {
    uploadAnswers();
    story().reply(400, { error: { message: 'Photo already posted', code: 100, error_subcode: 1366051 } });

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      subcode: 1366051,
      outcome: 'rejected',
      payload: { photo_id: '5', error: { code: 100 } },
    });
  });

  test('returns the story that a lost response had made, found by its photo', async () => {
    uploadAnswers();
    story().reply(502, 'Bad Gateway');
    storiesAnswer([{ post_id: 11, media_id: '4' }]);
    storiesAnswer([
      { post_id: 13, media_id: '6' },
      { post_id: 12, media_id: 5 },
    ]);

    const published = await publishPhotoStory(pageContext(), options);

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('takes a post id of any form, and no story without one', async () => {
    uploadAnswers();
    story().reply(502, 'Bad Gateway');
    storiesAnswer([{ media_id: '5' }]);
    storiesAnswer([{ post_id: '12', media_id: '5' }]);

    const published = await publishPhotoStory(pageContext(), options);

    expect(published._unsafeUnwrap()).toEqual({ photo_id: '5', post_id: '12', success: true });
  });

  test('sends the story once, and names the photo, when it is unknown whether it was made', async () => {
    uploadAnswers();
    story().replyWithError(new Error('lost'));
    storiesAnswer([]).persist();

    const error = (await publishPhotoStory(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown', payload: { photo_id: '5' } });
  });

  test.each([
    ['no photo', { pageId: '42', pageToken: token }],
    ['two', { ...options, photoId: '5' }],
  ])('refuses %s before anything is sent', async (_, bad) => {
    const error = (await publishPhotoStory(pageContext(), bad as typeof options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      message: 'give exactly one of photoUrl, photo and photoId',
      option: 'photoUrl',
    });
  });
});

describe('publishVideoStory', () => {
  const videoUrl = 'https://example.com/a.mp4';

  const options = { pageId: '42', pageToken: token, videoUrl };

  const address = `${platform.uploadUrl}/video-upload/v26.0/9`;

  const complete = { uploading_phase: { status: 'complete' } };

  const underWay = { uploading_phase: { status: 'in_progress', bytes_transfered: 7 } };

  function startAnswers(upload_url: string = address) {
    return nock(graphBase)
      .post('/42/video_stories', { upload_phase: 'start' })
      .query(authenticated)
      .reply(200, { video_id: 9, upload_url });
  }

  function upload(headers: Record<string, string> = { file_url: videoUrl }) {
    const reqheaders = { authorization: `OAuth ${token}`, ...headers };
    return nock(platform.uploadUrl, { reqheaders }).post('/video-upload/v26.0/9');
  }

  function statusAnswers(status: unknown) {
    return nock(graphBase)
      .get('/9')
      .query({ ...authenticated, fields: 'status' })
      .reply(200, { status, id: '9' });
  }

  function finish() {
    return nock(graphBase)
      .post('/42/video_stories', { upload_phase: 'finish', video_id: '9' })
      .query(authenticated);
  }

  test('labels the story with the last step', async () => {
    handedOver();
    statusAnswers(complete);
    nock(graphBase)
      .post('/42/video_stories', { upload_phase: 'finish', video_id: '9', is_ai_generated: 'true' })
      .query(authenticated)
      .reply(200, { success: true, post_id: '7' });

    const story = await publishVideoStory(pageContext(), { ...options, isAiGenerated: true });

    expect(story._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '7', success: true });
  });

  /** A session whose file is uploaded. */
  function handedOver(): void {
    startAnswers();
    upload().reply(200, { success: true });
  }

  describe('publishVideoStory', () => {
    test.each([
      ['once the platform takes it in', {}, undefined],
      ['once people can play it', { waitFor: 'processed' }, true],
    ] as const)('ends %s', async (_, more, processed) => {
      handedOver();
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: '7' });
      if (processed) {
        for (const status of ['in_progress', 'completed']) {
          nock(graphBase)
            .get('/9')
            .query({ ...authenticated, fields: 'status,published,post_id,permalink_url' })
            .reply(200, { status: { ...complete, processing_phase: { status } } });
        }
      }

      const story = await publishVideoStory(pageContext({ clock: virtualClock() }), { ...options, ...more });

      const made = { video_id: '9', post_id: '7', success: true };
      expect(story._unsafeUnwrap()).toEqual(processed ? { ...made, processed } : made);
    });

    test('starts, has the hosted file fetched, waits for it and finishes', async () => {
      startAnswers();
      nock(platform.uploadUrl, {
        reqheaders: { authorization: `OAuth ${token}`, file_url: videoUrl },
        badheaders: ['offset', 'file_size', 'content-type'],
      })
        .post('/video-upload/v26.0/9', '')
        .query({})
        .reply(200, { success: true });
      statusAnswers(complete);
      finish().reply(200, '{"success":true,"post_id":12345678901234567}');

      const story = await publishVideoStory(pageContext(), options);

      expect(story._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '12345678901234567', success: true });
    });

    test('reports no sent bytes of a hosted file', async () => {
      const onProgress = vi.fn<(progress: UploadProgress) => void>();
      handedOver();
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      await publishVideoStory(pageContext(), { ...options, onProgress });

      expect(onProgress.mock.calls.flat()).toEqual(
        ['start', 'wait', 'finish'].map((phase) => ({ phase, sentBytes: 0, totalBytes: undefined })),
      );
    });

    test('sends the bytes of a file without token or proof in the address', async () => {
      startAnswers();
      nock(platform.uploadUrl, {
        reqheaders: {
          authorization: `OAuth ${token}`,
          offset: '0',
          file_size: '3',
          'content-length': '3',
          'content-type': 'application/octet-stream',
        },
      })
        .post('/video-upload/v26.0/9', 'abc')
        .query({})
        .reply(200, { success: true });
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext(), {
        pageId: '42',
        pageToken: token,
        video: new TextEncoder().encode('abc'),
      });

      expect(story._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '12', success: true });
    });

    test('writes a hosted address of any script as a header can hold it', async () => {
      startAnswers();
      upload({ file_url: 'https://example.com/%C3%BC.mp4' }).reply(200, { success: true });
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext(), {
        ...options,
        videoUrl: 'https://example.com/ü.mp4',
      });

      expect(story.isOk()).toBe(true);
    });

    test.each([
      ['of another host', 'https://upload.test.example.com/video-upload/v26.0/9'],
      ['of another port', 'https://upload.test:8443/video-upload/v26.0/9'],
      ['without encryption', 'http://upload.test/video-upload/v26.0/9'],
      ['with credentials', 'https://a:b@upload.test/video-upload/v26.0/9'],
      ['without a host', '/video-upload/v26.0/9'],
    ])('sends nothing to an upload address %s', async (_, upload_url) => {
      startAnswers(upload_url);

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: 'upload_url: the upload address is not at the platform',
        payload: { video_id: '9' },
      });
    });

    test('shows the token in no error, whatever the upload host repeats', async () => {
      startAnswers();
      upload().reply(400, { debug_info: { retriable: false, message: `Bad token ${token}`, seen: token } });

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ message: 'Bad token [secret]', payload: { video_id: '9' } });
      expect(JSON.stringify(error) + error.stack).not.toContain(token);
    });

    test('has a hosted file fetched again after a passing failure, with growing waits', async () => {
      const clock = virtualClock();
      startAnswers();
      upload().times(2).reply(503, '');
      upload().reply(200, { success: true });
      statusAnswers(underWay);
      statusAnswers(underWay);
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext({ clock, retry: { baseDelayMs: 500 } }), options);

      expect(story.isOk()).toBe(true);
      expect(clock.slept).toEqual([500, 1000]);
    });

    test('waits as long as a rate limit of the upload host says', async () => {
      const clock = virtualClock();
      startAnswers();
      upload().reply(429, '', { 'retry-after': '20' });
      upload().reply(200, { success: true });
      statusAnswers(underWay);
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext({ clock }), options);

      expect(story.isOk()).toBe(true);
      expect(clock.slept).toEqual([20_000]);
    });

    test('does not wait as long as the retry policy forbids', async () => {
      const clock = virtualClock();
      startAnswers();
      upload().reply(429, '', { 'retry-after': '120' });

      const error = (await publishVideoStory(pageContext({ clock }), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'RateLimitError',
        retryAfterMs: 120_000,
        payload: { video_id: '9' },
      });
      expect(clock.slept).toEqual([]);
    });

    test('waits for a rate limit as long as the retry policy lets it', async () => {
      const clock = virtualClock();
      startAnswers();
      upload().reply(429, '', { 'retry-after': '60' });
      statusAnswers(complete).persist();
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext({ clock }), options);

      expect(story.isOk()).toBe(true);
      expect(clock.slept).toEqual([60_000]);
    });

    test('repeats the upload after a server error, whatever its code', async () => {
      startAnswers();
      upload().reply(500, { error: { message: 'Invalid parameter', code: 100 } });
      statusAnswers(complete).persist();
      finish().reply(200, { success: true, post_id: 12 });

      expect((await publishVideoStory(pageContext(), options)).isOk()).toBe(true);
    });

    test('does not repeat the upload after a redirect', async () => {
      startAnswers();
      upload().reply(300, '');

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', status: 300, payload: { video_id: '9' } });
    });

    test.each([400, 500])('begins no attempt that a deadline of %i ms would end', async (deadlineMs) => {
      const clock = virtualClock();
      startAnswers();
      upload().reply(503, '');

      const context = pageContext({ clock, deadlineMs, retry: { baseDelayMs: 500 } });
      const error = (await publishVideoStory(context, options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', status: 503, payload: { video_id: '9' } });
      expect(clock.slept).toEqual([]);
    });

    test('sends nothing again when all bytes are there but not yet taken in', async () => {
      startAnswers();
      upload({ offset: '0' }).replyWithError(new Error('cut'));
      statusAnswers({ uploading_phase: { status: 'in_progress', bytes_transfered: 3 } });
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext(), {
        pageId: '42',
        pageToken: token,
        video: new Blob(['abc']),
      });

      expect(story.isOk()).toBe(true);
    });

    test.each([-5, '-5', 4, 1.5, 1e300, 'many', '90071992547409930'])(
      'ends the upload when the platform says that it holds %j of 3 bytes',
      async (bytes_transfered) => {
        const status = { uploading_phase: { status: 'in_progress', bytes_transfered } };
        startAnswers();
        upload({ offset: '0' }).reply(503, '');
        statusAnswers(status);

        const error = (
          await publishVideoStory(pageContext(), { pageId: '42', pageToken: token, video: new Blob(['abc']) })
        )._unsafeUnwrapErr();

        expect(error).toMatchObject({
          name: 'ApiError',
          message: `the platform says that it holds ${Number(bytes_transfered)} bytes of a file of 3 bytes`,
          outcome: 'rejected',
          payload: { video_id: '9', status: { uploading_phase: { status: 'in_progress' } } },
        });
      },
    );

    test.each([undefined, null, {}])(
      'begins anew when the platform holds %j bytes',
      async (bytes_transfered) => {
        startAnswers();
        upload({ offset: '0' }).reply(503, '');
        statusAnswers({ uploading_phase: { status: 'in_progress', bytes_transfered } });
        upload({ offset: '0' }).reply(200, { success: true });
        statusAnswers(complete);
        finish().reply(200, { success: true, post_id: 12 });

        const options = { pageId: '42', pageToken: token, video: new Blob(['abc']) };

        expect((await publishVideoStory(pageContext(), options)).isOk()).toBe(true);
      },
    );

    test.each([null, 5, 'text', true, [null]])(
      'bears a phase that it does not know and that is %j',
      async (phase) => {
        handedOver();
        statusAnswers({ ...complete, another_phase: phase });
        finish().reply(200, { success: true, post_id: 12 });

        expect((await publishVideoStory(pageContext(), options)).isOk()).toBe(true);
      },
    );

    test('says that nothing was published when the response to the start is lost for good', async () => {
      nock(graphBase).post('/42/video_stories').query(true).times(3).reply(502, 'Bad Gateway');

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', status: 502, outcome: 'rejected' });
    });

    test('looks how far the upload is when its response cannot be read', async () => {
      startAnswers();
      upload().reply(200, '<html>');
      statusAnswers(complete).persist();
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext(), options);

      expect(story.isOk()).toBe(true);
    });

    test('ends an interrupted upload when the platform found the file to be bad', async () => {
      startAnswers();
      upload().reply(503, '');
      statusAnswers({ video_status: 'upload_failed' });

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: 'the platform cannot use the video: video_status is upload_failed',
        payload: { video_id: '9' },
      });
    });

    test('ends an interrupted upload when it cannot learn how far it is', async () => {
      startAnswers();
      upload().reply(503, '');
      nock(graphBase)
        .get('/9')
        .query(true)
        .reply(401, { error: { message: 'Token expired', code: 190 } });

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', code: 190, payload: { video_id: '9' } });
    });

    test('begins no other attempt once it is aborted', async () => {
      const abort = new AbortController();
      startAnswers();
      upload().reply(503, '');

      const onResponse = ({ status }: { readonly status: number }) => status === 503 && abort.abort();
      const error = (
        await publishVideoStory(pageContext({ onResponse }), { ...options, signal: abort.signal })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason: 'aborted', payload: { video_id: '9' } });
    });

    test('begins no pause that would go beyond the deadline of the call', async () => {
      const clock = virtualClock();
      handedOver();
      statusAnswers(underWay);
      statusAnswers(underWay);
      statusAnswers(underWay);

      const error = (
        await publishVideoStory(pageContext({ clock, deadlineMs: 3000 }), options)
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: 'the upload is not complete after 2500 ms: it is in_progress',
        action: 'wait',
        payload: { video_id: '9', status: underWay },
      });
      expect(clock.slept).toEqual([1000, 1500]);
    });

    test('names no time where it was not to wait', async () => {
      handedOver();
      statusAnswers(underWay);

      const error = (
        await publishVideoStory(pageContext(), { ...options, waitTimeoutMs: 0 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        message: 'the upload is not complete: it is in_progress',
        action: 'wait',
        outcome: 'rejected',
      });
    });

    test('says what the last look said when it failed', async () => {
      handedOver();
      nock(graphBase)
        .get('/9')
        .query(true)
        .reply(401, { error: { message: 'Token expired', code: 190 } });

      const error = (
        await publishVideoStory(pageContext(), { ...options, waitTimeoutMs: 0 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', code: 190, payload: { video_id: '9' } });
    });

    test('looks ever more rarely, and for the last time when the wait ends', async () => {
      const clock = virtualClock();
      handedOver();
      statusAnswers(underWay).persist();

      const error = (
        await publishVideoStory(pageContext({ clock }), { ...options, waitTimeoutMs: 200_000 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: 'the upload is not complete after 200000 ms: it is in_progress',
        outcome: 'rejected',
        payload: { video_id: '9', status: underWay },
      });
      const last = clock.slept.pop() ?? 0;
      expect(clock.slept.slice(0, 4)).toEqual([1000, 1500, 2250, 3375]);
      expect(Math.max(...clock.slept)).toBe(30_000);
      expect(clock.slept.reduce((sum, ms) => sum + ms, last)).toBe(200_000);
    });

    test('looks once when it may not wait', async () => {
      const clock = virtualClock();
      handedOver();
      statusAnswers(underWay);

      const error = (
        await publishVideoStory(pageContext({ clock }), { ...options, waitTimeoutMs: 0 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', payload: { video_id: '9' } });
      expect(clock.slept).toEqual([]);
    });

    test.each([
      [
        'a phase that is complete holds an error in another',
        {
          uploading_phase: { status: 'complete' },
          processing_phase: { status: 'not_started', error: { message: 'Resolution too low' } },
        },
        'Resolution too low',
        // The platform documents no code for it.
        'resolution',
      ],
      [
        'errors are listed',
        {
          processing_phase: {
            status: 'error',
            errors: [{ code: 1, message: 'Bad audio' }, { message: 'Bad size' }],
          },
        },
        'Bad audio; Bad size',
      ],
      [
        'an error lies deep',
        { uploading_phase: { status: 'in_progress', details: [{ error: 'Bad container' }] } },
        'Bad container',
      ],
      ['an error stands beside the phases', { error: { message: 'No such file' } }, 'No such file'],
      [
        'a phase says error, and why',
        { processing_phase: { status: 'error', error: { message: 'Bad audio' } } },
        'Bad audio',
      ],
      ['an error has no message', { processing_phase: { error: { code: 5 } } }, '{"code":5}'],
      ['a phase says error', { publishing_phase: { status: 'error' } }, 'publishing_phase is error'],
      ['the video has expired', { video_status: 'expired' }, 'video_status is expired'],
      ['the video is in error', { video_status: 'error' }, 'video_status is error'],
    ])('ends the wait at once when %s', async (_, status, reason, media?: string) => {
      const clock = virtualClock();
      handedOver();
      statusAnswers(status);

      const error = (await publishVideoStory(pageContext({ clock }), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: `the platform cannot use the video: ${reason}`,
        category: 'media',
        ...(media !== undefined && { media }),
        payload: { video_id: '9', status },
      });
      expect(clock.slept).toEqual([]);
    });

    test('goes on waiting when an error is named but empty', async () => {
      const clock = virtualClock();
      handedOver();
      statusAnswers({
        uploading_phase: { status: 'in_progress', error: null, errors: [], details: null },
        captions: { status: 'error' },
      });
      statusAnswers({ uploading_phase: { status: 'completed' } });
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext({ clock }), options);

      expect(story.isOk()).toBe(true);
      expect(clock.slept).toEqual([1000]);
    });

    test('looks no sooner again than a rate limit says', async () => {
      const clock = virtualClock();
      handedOver();
      nock(graphBase).get('/9').query(true).reply(429, '', { 'retry-after': '90' });
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext({ clock }), options);

      expect(story.isOk()).toBe(true);
      expect(clock.slept).toEqual([90_000]);
    });

    test('bears any number of failed lookups, each of them one request', async () => {
      const clock = virtualClock();
      handedOver();
      nock(graphBase)
        .get('/9')
        .query(true)
        .times(5)
        .reply(400, { error: { message: 'No such video', code: 100, error_subcode: 33 } });
      nock(graphBase).get('/9').query(true).times(2).reply(503, '');
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      expect((await publishVideoStory(pageContext({ clock }), options)).isOk()).toBe(true);
      expect(clock.slept.slice(0, 3)).toEqual([1000, 1500, 2250]);
    });

    test.each([
      ['the last failure when no lookup ever succeeded', [], 'No such video'],
      [
        'the last status when one succeeded',
        [underWay],
        'the upload is not complete after 3000 ms: it is in_progress',
      ],
    ])('ends with %s', async (_, statuses, message) => {
      const clock = virtualClock();
      handedOver();
      statuses.forEach(statusAnswers);
      nock(graphBase)
        .get('/9')
        .query(true)
        .times(4 - statuses.length)
        .reply(400, { error: { message: 'No such video', code: 100, error_subcode: 33 } });

      const error = (
        await publishVideoStory(pageContext({ clock }), { ...options, waitTimeoutMs: 3000 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message,
        outcome: 'rejected',
        payload: { video_id: '9' },
      });
    });

    test('ends the wait at once when the platform asks for more time than is left', async () => {
      const clock = virtualClock();
      handedOver();
      nock(graphBase).get('/9').query(true).reply(429, '', { 'retry-after': '20' });

      const error = (
        await publishVideoStory(pageContext({ clock }), { ...options, waitTimeoutMs: 10_000 })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'RateLimitError',
        retryAfterMs: 20_000,
        payload: { video_id: '9' },
      });
      expect(clock.slept).toEqual([]);
    });

    test('gives a status lookup during an upload the time of any request, not that of the upload', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const fetch: typeof globalThis.fetch = async (input) => {
        const { method, url } = input as Request;
        if (method === 'GET') {
          setImmediate(() => vi.advanceTimersByTime(20));
          return new Promise<Response>(() => undefined);
        }
        if (url.startsWith(address)) return new Response('', { status: 503 });
        return Response.json({ video_id: '9', upload_url: address });
      };
      const context = pageContext({ fetch, clock: virtualClock(), timeoutMs: 20, retry: { attempts: 1 } });

      const error = (await publishVideoStory(context, options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason: 'timeout', payload: { video_id: '9' } });
    });

    test('passes onCreated the video before anything is uploaded, and ignores what that throws', async () => {
      const seen: unknown[] = [];
      startAnswers();
      upload().reply(200, () => {
        seen.push('upload');
        return { success: true };
      });
      statusAnswers(complete);
      finish().reply(200, { success: true, post_id: 12 });

      const story = await publishVideoStory(pageContext(), {
        ...options,
        onCreated: (ids) => {
          seen.push(ids);
          throw new Error('mine');
        },
      });

      expect(story.isOk()).toBe(true);
      expect(seen).toEqual([{ video_id: '9' }, 'upload']);
    });

    test.each([
      ['aborted', (abort: AbortController) => abort.abort()],
      ['closed', (_: AbortController, end: () => void) => end()],
    ])('ends the wait at once when it is %s, and names the video', async (reason, stop) => {
      const abort = new AbortController();
      const waiting = virtualClock();
      const context = pageContext({
        clock: {
          ...waiting,
          sleep: async () => {
            stop(abort, () => close(context));
            await new Promise(() => undefined);
          },
        },
      });
      handedOver();
      statusAnswers(underWay);

      const error = (
        await publishVideoStory(context, { ...options, signal: abort.signal })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason, payload: { video_id: '9' } });
    });

    test('returns the story that a lost finish had made, found by its video', async () => {
      handedOver();
      statusAnswers(complete);
      finish().reply(500, '');
      nock(graphBase)
        .get('/42/stories')
        .query({ ...authenticated, limit: '100' })
        .reply(200, {
          data: [
            { post_id: 13, media_id: '10' },
            { post_id: 12, media_id: '9' },
          ],
        });

      const story = await publishVideoStory(pageContext(), options);

      expect(story._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '12', success: true });
    });

    test('finishes once, and names the video, when it is unknown whether the story was made', async () => {
      handedOver();
      statusAnswers(complete);
      finish().reply(500, '');
      nock(graphBase).get('/42/stories').query(true).reply(200, { data: [] }).persist();

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown', payload: { video_id: '9' } });
    });

    test('fails with what the platform said when it refuses the start', async () => {
      nock(graphBase)
        .post('/42/video_stories')
        .query(authenticated)
        .reply(403, { error: { message: 'Missing permission', code: 200 } });

      const error = (await publishVideoStory(pageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'PermissionError', outcome: 'rejected' });
    });

    test.each([
      ['videoUrl', { pageId: '42', pageToken: token }],
      ['videoUrl', { ...options, video: new Blob(['a']) }],
    ])('refuses a bad %s before anything is sent', async (option, bad) => {
      const error = (await publishVideoStory(pageContext(), bad as typeof options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    });
  });

  function givenAway(): ArrayBuffer {
    const buffer = new ArrayBuffer(3);
    structuredClone(buffer, { transfer: [buffer] });
    return buffer;
  }

  describe('a video that cannot be read', () => {
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'story-'));
      await writeFile(join(folder, 'empty.mp4'), '');
      await writeFile(join(folder, 'fine.mp4'), 'abc');
    });
    afterAll(() => rm(folder, { recursive: true }));
    afterEach(() => vi.unstubAllGlobals());

    test.each([
      [
        'is a missing file',
        () => join(folder, 'missing.mp4'),
        expect.stringMatching(/^video cannot be opened: there is no such file: .+missing\.mp4$/),
      ],
      [
        'lies below a file',
        () => join(folder, 'fine.mp4', 'a.mp4'),
        expect.stringMatching(/^video cannot be opened: a part of its path is not a directory: .+fine\.mp4/),
      ],
      ['is a directory', () => folder, 'video cannot be read'],
      ['is an empty file', () => join(folder, 'empty.mp4'), 'video must not be empty'],
      [
        'is on the web',
        () => new URL('https://example.com/a.mp4'),
        'video must be a file: videoUrl takes addresses',
      ],
      ['is on the web', () => 'https://example.com/a.mp4', 'video must be a file: videoUrl takes addresses'],
      ['is elsewhere', () => new URL('data:,a'), 'video must be a file URL'],
      [
        'is no video',
        () => 5 as unknown as Blob,
        'video must be a Blob, an ArrayBuffer, a Uint8Array, a path or a file URL',
      ],
      ['is an empty path', () => '', 'video must not be empty'],
      ['has no bytes', () => new Uint8Array(), 'video must not be empty'],
      [
        'gives fewer bytes than it says',
        () => Object.defineProperty(new Blob(), 'size', { value: 5 }),
        'video cannot be read',
      ],
      ['lies in a buffer that was given away', givenAway, 'video cannot be opened: its buffer is detached'],
      ['is a Blob without bytes', () => new Blob([]), 'video must not be empty'],
    ])('is refused before anything is sent when it %s', async (_, video, message) => {
      const error = (
        await publishVideoStory(pageContext(), { pageId: '42', pageToken: token, video: video() })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option: 'video', message });
    });

    test.each([
      ['knows no processes', undefined],
      ['has no built-in modules', {}],
      ['lacks the module of the file system', { getBuiltinModule: () => undefined }],
      ['has a file system without Blobs', { getBuiltinModule: () => ({}) }],
    ])('is any path where the runtime %s', async (_, process) => {
      vi.stubGlobal('process', process);

      const error = (
        await publishVideoStory(pageContext(), {
          pageId: '42',
          pageToken: token,
          video: join(folder, 'fine.mp4'),
        })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ConfigurationError',
        option: 'video',
        message: 'video cannot be a path: this runtime has no file system',
      });
    });
  });
});

describe('videoStoryStatus', () => {
  const options = { videoId: '9', pageToken: token };

  function platformSays(status: unknown): void {
    nock(graphBase)
      .get('/9')
      .query({ ...authenticated, fields: 'status' })
      .reply(200, { status, id: '9' });
  }

  test('asks for the status and hands out its phases', async () => {
    const status = {
      video_status: 'processing',
      uploading_phase: { status: 'in_progress', bytes_transfered: 50002 },
      processing_phase: { status: 'not_started' },
      publishing_phase: { status: 'not_started', publish_status: 'published', publish_time: 234523452 },
    };
    platformSays(status);

    const read = await videoStoryStatus(pageContext(), options);

    expect(read._unsafeUnwrap()).toEqual(status);
  });

  test('hands out one spelling, whichever the platform uses', async () => {
    platformSays({
      uploading_phase: { status: 'completed', bytes_transferred: '50002', source_file_size: 60000 },
      processing_phase: { status: 'error', errors: [{ code: 1363130, message: 'Too short' }] },
    });

    const read = await videoStoryStatus(pageContext(), options);

    expect(read._unsafeUnwrap()).toEqual({
      uploading_phase: { status: 'complete', bytes_transfered: 50002, source_file_size: 60000 },
      processing_phase: { status: 'error', errors: [{ code: 1363130, message: 'Too short' }] },
      publishing_phase: { status: 'not_started' },
    });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .get('/9')
      .query(true)
      .reply(400, { error: { message: 'No such video', code: 100, error_subcode: 33 } });

    const error = (await videoStoryStatus(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'No such video', category: 'not_found' });
  });

  test('says where a response is odd', async () => {
    platformSays('ready');

    const error = (await videoStoryStatus(pageContext(), options))._unsafeUnwrapErr();

    expect(error.name).toBe('ApiError');
    expect(error.message).toContain('status');
  });
});

describe('stories', () => {
  const options = { pageId: '42', pageToken: token };

  test('asks for the stories of the page, without naming fields', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '25' })
      .reply(200, {
        data: [
          {
            post_id: 12,
            status: 'PUBLISHED',
            creation_time: '1767312000',
            media_type: 'video',
            media_id: '9',
            url: 'https://example.com/stories/12',
          },
        ],
        paging: {},
      });

    const list = await stories(pageContext(), options);

    expect(list._unsafeUnwrap()).toEqual([
      {
        post_id: '12',
        status: 'PUBLISHED',
        creation_time: '1767312000',
        media_type: 'video',
        media_id: '9',
        url: 'https://example.com/stories/12',
      },
    ]);
  });

  test('hands out every digit of an id that comes as a number', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query(true)
      .reply(
        200,
        '{"data":[{"post_id":12345678901234567,"media_id":98765432109876543,"creation_time":1767312000}]}',
      );

    const list = await stories(pageContext(), options);

    expect(list._unsafeUnwrap()).toEqual([
      { post_id: '12345678901234567', media_id: '98765432109876543', creation_time: '1767312000' },
    ]);
  });

  test('counts its limit over all pages', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '2' })
      .reply(200, { data: [{ post_id: '1' }], paging: { next: `${graphBase}/42/stories?limit=2&after=a` } });
    nock(graphBase)
      .get('/42/stories')
      .query({ ...authenticated, limit: '2', after: 'a' })
      .reply(200, { data: [{ post_id: '2' }, { post_id: '3' }] });

    const list = await stories(pageContext(), { ...options, limit: 2 });

    expect(list._unsafeUnwrap()).toEqual([{ post_id: '1' }, { post_id: '2' }]);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query(true)
      .reply(403, { error: { message: 'Missing permission', code: 200 } });

    const error = (await stories(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', message: 'Missing permission', code: 200 });
  });

  test('says where a response is odd', async () => {
    nock(graphBase)
      .get('/42/stories')
      .query(true)
      .reply(200, { data: [{ url: 'https://example.com' }] });

    const error = (await stories(pageContext(), options))._unsafeUnwrapErr();

    expect(error.name).toBe('ApiError');
    expect(error.message).toContain('data.0.post_id');
  });
});

describe('a story of a Page', () => {
  const options = { pageId: '42', pageToken: token };

  test.each([
    ['message', 'Hi'],
    ['altText', 'A cup'],
    ['published', false],
    ['scheduledAt', 2_000_000_000],
    ['title', 'Tea'],
    ['description', 'Tea'],
    ['thumbnail', new Uint8Array([1])],
  ])('has no %s, and is refused with it before anything is sent', async (option, value) => {
    const more = { ...options, [option]: value };
    const photoUrl = 'https://example.com/a.jpg';
    const videoUrl = 'https://example.com/a.mp4';

    for (const story of [
      await publishPhotoStory(pageContext(), { ...more, photoUrl }),
      await publishVideoStory(pageContext(), { ...more, videoUrl }),
    ]) {
      expect(story._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
    }
  });
});
