import { createHash } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { systemClock } from '../../../src/core/options/clock.ts';
import type { UploadProgress } from '../../../src/core/upload.ts';
import type { PageContextOptions } from '../../../src/page/context.ts';
import { publishVideoStory, type PublishVideoStoryOptions } from '../../../src/page/stories.ts';
import { pageContext, token } from '../../support/context.ts';
import { type Behaviour, startUploadServer } from '../support/uploadServer.ts';

const bytes = new Uint8Array(1_000_000).map((_, index) => (index * 31) % 251);
const digest = createHash('sha256').update(bytes).digest('hex');
let folder = '';
let file = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'story-'));
  file = join(folder, 'story.mp4');
  await writeFile(file, bytes);
});

afterAll(() => rm(folder, { recursive: true }));

const servers: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function serve(script?: readonly Behaviour[]) {
  const server = await startUploadServer(script);
  servers.push(server);
  return server;
}

function publish(
  origin: string,
  options: Partial<PublishVideoStoryOptions>,
  settings: Partial<PageContextOptions> = {},
) {
  const context = pageContext({ ...settings, platform: { graphUrl: origin, uploadUrl: origin } });
  return publishVideoStory(context, { pageId: '42', pageToken: token, ...options });
}

describe('the upload of a video story', () => {
  test.each([
    ['a path', () => file],
    ['a file URL', () => pathToFileURL(file)],
    ['a Blob', () => new Blob([bytes])],
    ['a Uint8Array', () => bytes],
    ['a part of an ArrayBuffer', () => new Uint8Array(new Uint8Array([1, ...bytes]).buffer, 1)],
    ['an ArrayBuffer', () => bytes.buffer],
  ])('sends exactly the bytes of %s, and how many they are', async (_, video) => {
    const server = await serve();

    const story = await publish(server.origin, { video: video() });

    expect(story._unsafeUnwrap()).toEqual({ video_id: '9', post_id: '77', success: true });
    expect(server.digest()).toBe(digest);
    expect(server.attempts).toMatchObject([
      {
        url: '/video-upload/v26.0/9',
        bytes: bytes.length,
        headers: {
          authorization: `OAuth ${token}`,
          offset: '0',
          file_size: '1000000',
          'content-length': '1000000',
          'content-type': 'application/octet-stream',
        },
      },
    ]);
  });

  test('goes on after each cut where the platform stopped', async () => {
    const server = await serve([{ cutAfter: 100_000 }, { cutAfter: 300_000 }, { cutAfter: 1 }]);

    const story = await publish(server.origin, { video: file, uploadAttempts: 4 });

    expect(story.isOk()).toBe(true);
    expect(server.digest()).toBe(digest);
    expect(server.attempts.map(({ headers }) => headers['offset'])).toEqual([
      '0',
      '100000',
      '400000',
      '400001',
    ]);
    expect(server.attempts.map(({ headers }) => headers['content-length'])).toEqual([
      '1000000',
      '900000',
      '600000',
      '599999',
    ]);
    expect(server.attempts.every(({ headers }) => headers['file_size'] === '1000000')).toBe(true);
  });

  test('ends when the attempts are used up, and names the video', async () => {
    const cut = { cutAfter: 10 };
    const server = await serve([cut, cut, cut, cut]);

    const error = (await publish(server.origin, { video: file }))._unsafeUnwrapErr();

    expect(server.attempts).toHaveLength(3);
    expect(error).toMatchObject({
      name: 'TransportError',
      reason: 'network',
      outcome: 'rejected',
      payload: { video_id: '9' },
    });
  });

  test('goes on when all bytes arrived and only the response was lost', async () => {
    const server = await serve([{ takeAndCut: true }]);

    const story = await publish(server.origin, { video: file, uploadAttempts: 1 });

    expect(story.isOk()).toBe(true);
    expect(server.attempts).toHaveLength(1);
  });

  test.each([
    [412, 'OffsetInvalidError', true],
    [412, 'OffsetInvalidError', false],
    [400, 'PartialRequestError', true],
    [400, 'PartialRequestError', false],
    [500, 'ServerError', undefined],
    [400, 'ProcessingFailedError', true],
    // Seen with both, and the same file went through at the next try.
    [400, 'ProcessingFailedError', false, 'Request processing failed'],
  ])(
    'asks how much is held and sends the rest after %i %s',
    async (status, type, retriable, message = 'Again') => {
      const body = JSON.stringify({ debug_info: { retriable, type, message } });
      const server = await serve([{ cutAfter: 250_000 }, { response: [status, body] }]);

      const story = await publish(server.origin, { video: file });

      expect(story.isOk()).toBe(true);
      expect(server.digest()).toBe(digest);
      expect(server.attempts.map(({ headers }) => headers['offset'])).toEqual(['0', '250000', '250000']);
    },
  );

  test.each([
    [
      400,
      '{"debug_info":{"retriable":false,"type":"ProcessingFailedError","message":"Invalid frame_rate"}}',
      'Invalid frame_rate',
    ],
    [500, '{"debug_info":{"retriable":false,"type":"ProcessingFailedError","message":"No"}}', 'No'],
    [404, '{"error":{"code":803,"message":"Gone"}}', 'Gone'],
  ])('ends at once after %i %s', async (status, body, message) => {
    const server = await serve([{ response: [status, body] }]);

    const error = (await publish(server.origin, { video: file }))._unsafeUnwrapErr();

    expect(server.attempts).toHaveLength(1);
    expect(error).toMatchObject({ name: 'ApiError', message, status, outcome: 'rejected' });
    expect(error).toMatchObject({ payload: { video_id: '9' } });
  });

  test('follows no redirect with the token', async () => {
    const other = await serve();
    const elsewhere = { response: [307, '', { location: `${other.origin}/video-upload/v26.0/9` }] } as const;
    const server = await serve([elsewhere, elsewhere, elsewhere]);

    const error = (await publish(server.origin, { video: file }))._unsafeUnwrapErr();

    expect(other.paths).toEqual([]);
    expect(error).toMatchObject({ payload: { video_id: '9' } });
  });

  test('gives a slow upload more time than other requests', async () => {
    const server = await serve([{ bytesPerMs: 700 }]);

    const story = await publish(server.origin, { video: file }, { timeoutMs: 1000 });

    expect(story.isOk()).toBe(true);
    expect(server.attempts).toHaveLength(1);
  });

  test('ends an attempt that takes too long, and goes on with another', async () => {
    const server = await serve([{ stall: true }]);

    const story = await publish(server.origin, { video: file, uploadTimeoutMs: 1500 });

    expect(story.isOk()).toBe(true);
    expect(server.attempts).toHaveLength(2);
    expect(server.digest()).toBe(digest);
  });

  test('ends at once when it is aborted', async () => {
    const abort = new AbortController();
    const server = await serve([{ stall: true }]);

    const error = (
      await publish(server.origin, {
        video: file,
        signal: abort.signal,
        onProgress: ({ phase }) => {
          if (phase === 'upload') abort.abort();
        },
      })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'aborted', payload: { video_id: '9' } });
    expect(server.paths.filter((path) => path.startsWith('GET'))).toEqual([]);
  });

  test('ends with an error that names the video when the file shrinks', async () => {
    const shrinking = join(folder, 'shrinking.mp4');
    await writeFile(shrinking, bytes);
    const server = await serve();

    const error = (
      await publish(server.origin, {
        video: shrinking,
        onProgress: ({ phase }) => {
          if (phase === 'start') truncateSync(shrinking, 1000);
        },
      })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'the video could not be read to its end: its file shrank or was removed',
      category: 'media',
      payload: { video_id: '9' },
    });
  });

  test('reports its progress, and continues whatever the hook does', async () => {
    const told: UploadProgress[] = [];
    const server = await serve();
    let now = 0;
    const clock = { ...systemClock, monotonic: () => (now += 200) };
    const onProgress = (progress: UploadProgress): void => {
      told.push(progress);
      throw new Error('of the hook');
    };

    // The clock goes on by 200 ms whenever it is read, so that no report comes too soon to be made.
    const story = await publish(server.origin, { video: file, onProgress }, { clock });

    expect(story.isOk()).toBe(true);
    expect(told[0]).toEqual({ phase: 'start', sentBytes: 0, totalBytes: 1_000_000 });
    expect(told.at(-1)).toEqual({ phase: 'finish', sentBytes: 1_000_000, totalBytes: 1_000_000 });
    expect([...new Set(told.map(({ phase }) => phase))]).toEqual(['start', 'upload', 'wait', 'finish']);
    const sent = told.filter(({ phase }) => phase === 'upload').map(({ sentBytes }) => sentBytes);
    expect(sent[0]).toBe(0);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    expect(sent.at(-1)).toBe(1_000_000);
  });
});
