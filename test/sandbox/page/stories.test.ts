import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/index.ts';
import { caller, pageOf, read, refusal, start, still, type Reply, type Loose } from '../support/caller.ts';

const day = 86_400_000;
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
const sha256 = createHash('sha256').update(bytes).digest('hex');

describe('a photo story', () => {
  const photo = { url: 'https://img.example/a.jpg', published: 'false' };

  test('is made of an unpublished photo and listed for 24 hours', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox, 1);
    const { get, post } = caller(sandbox);
    const uploaded = await post(`/${id}/photos`, token, photo);
    expect(Object.keys(uploaded.body)).toEqual(['id']);
    const made = await post(`/${id}/photo_stories`, token, { photo_id: uploaded.body.id });
    const postId = /"post_id":(\d{17})}/.exec(made.text)?.[1];
    expect(made.text).toBe(`{"success":true,"post_id":${postId}}`);
    expect(String(made.body.post_id)).not.toBe(postId);
    expect((await get(`/${id}/stories`, token)).body.data).toEqual([
      {
        post_id: postId,
        status: 'PUBLISHED',
        creation_time: String(start / 1000),
        media_type: 'photo',
        media_id: uploaded.body.id,
        url: expect.stringMatching(/^https:/),
      },
    ]);
    expect(sandbox.effects().map(({ kind, id: made }) => [kind, made])).toEqual([
      ['photo', uploaded.body.id],
      ['photo_story', postId],
    ]);
    sandbox.advance(day);
    expect((await get(`/${id}/stories`, token)).body).toEqual({ paging: {}, data: [] });
  });

  test('stays in the archive of a Page that has one', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox, 0);
    const { get, post } = caller(sandbox);
    const { body } = await post(`/${id}/photos`, token, photo);
    await post(`/${id}/photo_stories`, token, { photo_id: body.id });
    const count = async (status?: string): Promise<number> =>
      (await get(`/${id}/stories`, token, status === undefined ? {} : { status })).body.data.length;
    expect([await count(), await count('PUBLISHED'), await count('ARCHIVED')]).toEqual([1, 1, 0]);
    sandbox.advance(day);
    expect([await count(), await count('PUBLISHED'), await count('ARCHIVED')]).toEqual([1, 0, 1]);
  });

  test('takes no photo twice, none that was posted, none after 24 hours', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    const story = (photo_id: string): Promise<Reply> => post(`/${id}/photo_stories`, token, { photo_id });
    const { body: once } = await post(`/${id}/photos`, token, photo);
    expect((await story(once.id)).status).toBe(200);
    expect(refusal(await story(once.id))).toEqual([400, 100, 1_366_051]);
    const { body: posted } = await post(`/${id}/photos`, token, { url: photo.url });
    expect(posted.post_id).toMatch(new RegExp(`^${id}_`));
    expect(refusal(await story(posted.id))).toEqual([400, 100, 1_366_051]);
    const { body: old } = await post(`/${id}/photos`, token, photo);
    sandbox.advance(day);
    expect(refusal(await story(old.id))).toEqual([400, 100, undefined]);
    expect(refusal(await story('1'))).toEqual([400, 100, undefined]);
    expect(sandbox.effects('photo_story')).toHaveLength(1);
  });

  test('takes public addresses of images only', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    expect(refusal(await post(`/${id}/photos`, token))).toEqual([400, 324, undefined]);
    expect(refusal(await post(`/${id}/photos`, token, { url: './a.jpg' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(`/${id}/photos`, token, { url: 'https://x.example/a.mp4' }))).toEqual([
      400, 324, 2_069_019,
    ]);
    const other = await post(`/${id}/photo_stories`, token, { photo_id: '1', fields: 'id', caption: 'x' });
    expect(refusal(other)).toEqual([400, 100, undefined]);
  });
});

interface Session {
  readonly videoId: string;
  readonly send: (headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) => Promise<Reply>;
  readonly status: () => Promise<Loose>;
  readonly finish: () => Promise<Reply>;
}

async function session(sandbox: Sandbox): Promise<Session> {
  const { id, token } = pageOf(sandbox);
  const { get, post } = caller(sandbox);
  const { body } = await post(`/${id}/video_stories`, token, { upload_phase: 'start' });
  const videoId: string = body.video_id;
  expect(body.upload_url).toBe(`${sandbox.platform.uploadUrl}/video-upload/v26.0/${videoId}`);
  return {
    videoId,
    send: async (headers, data) => {
      const all = { authorization: `OAuth ${token}`, ...headers };
      return read(await sandbox.fetch(body.upload_url, { method: 'POST', headers: all, body: data ?? null }));
    },
    status: async () => (await get(`/${videoId}`, token, { fields: 'status' })).body.status,
    finish: () => post(`/${id}/video_stories`, token, { upload_phase: 'finish', video_id: videoId }),
  };
}

const whole = { offset: '0', file_size: '1000' };

describe('a video story', () => {
  test('is started, uploaded, finished and listed', async () => {
    const sandbox = still();
    const { videoId, send, status, finish } = await session(sandbox);
    expect(await status()).toEqual({
      video_status: 'processing',
      uploading_phase: { status: 'not_started', bytes_transfered: 0 },
      processing_phase: { status: 'not_started' },
      publishing_phase: { status: 'not_started' },
    });
    expect((await send(whole, bytes)).body).toEqual({ success: true });
    expect(sandbox.upload(videoId)).toEqual({
      videoId,
      bytes: 1000,
      fileSize: 1000,
      sha256,
      transfers: [{ offset: 0, bytes: 1000 }],
      fileUrl: undefined,
    });
    const made = await finish();
    expect(made.text).toMatch(/^{"success":true,"post_id":\d{17}}$/);
    expect(await status()).toMatchObject({
      video_status: 'ready',
      uploading_phase: { status: 'complete', bytes_transfered: 1000 },
      publishing_phase: { status: 'complete', publish_status: 'published', publish_time: start / 1000 },
    });
    const { id, token } = pageOf(sandbox);
    const { body } = await caller(sandbox).get(`/${id}/stories`, token);
    expect(body.data[0]).toMatchObject({ media_type: 'video', media_id: videoId });
  });

  test('is not published twice by one finish, but by two', async () => {
    const sandbox = still();
    const { send, finish } = await session(sandbox);
    await send(whole, bytes);
    const [first, second] = [await finish(), await finish()];
    expect(first.text).not.toBe(second.text);
    expect(sandbox.effects('video_story')).toHaveLength(2);
  });

  test('cannot be finished before all bytes are there, nor a day later', async () => {
    const sandbox = still();
    const early = await session(sandbox);
    expect(refusal(await early.finish())).toEqual([400, 100, undefined]);
    await early.send(whole, bytes);
    sandbox.advance(day);
    expect((await early.status()).video_status).toBe('expired');
    expect(refusal(await early.finish())).toEqual([400, 100, undefined]);
    expect(sandbox.effects('video_story')).toEqual([]);
  });

  test('moves through its phases by the clock', async () => {
    const sandbox = still();
    sandbox.tune({ videos: { settleMs: 1000, processingMs: 2000 } });
    const { send, status, finish } = await session(sandbox);
    await send(whole, bytes);
    const phases = async (): Promise<string[]> => {
      const { uploading_phase, processing_phase, publishing_phase } = await status();
      return [uploading_phase.status, processing_phase.status, publishing_phase.status];
    };
    expect(await phases()).toEqual(['in_progress', 'not_started', 'not_started']);
    expect((await finish()).status).toBe(400);
    sandbox.advance(1000);
    expect(await phases()).toEqual(['complete', 'in_progress', 'not_started']);
    expect((await finish()).status).toBe(200);
    sandbox.advance(2000);
    expect(await phases()).toEqual(['complete', 'complete', 'complete']);
  });

  test('fails in a phase, or for its quality, with a text', async () => {
    const sandbox = still();
    const { send, status, finish } = await session(sandbox);
    await send(whole, bytes);
    sandbox.tune({ videos: { failAt: 'uploading', text: 'Bad file' } });
    expect((await status()).uploading_phase).toMatchObject({
      status: 'error',
      error: { message: 'Bad file' },
    });
    sandbox.tune({ videos: { failAt: 'processing' } });
    expect((await status()).processing_phase).toEqual({ status: 'error', error: { message: 'Bad file' } });
    sandbox.tune({ videos: { failAt: undefined, lowQuality: true } });
    expect(await status()).toMatchObject({
      video_status: 'error',
      uploading_phase: { status: 'complete' },
      processing_phase: { status: 'not_started', error: { message: 'Bad file' } },
    });
    sandbox.tune({ videos: { variantSpelling: true } });
    expect(await status()).toMatchObject({
      uploading_phase: { status: 'completed', bytes_transferred: 1000, source_file_size: 1000 },
      processing_phase: { errors: [{ message: 'Bad file' }] },
    });
    expect((await finish()).status).toBe(400);
  });
});

describe('the upload host', () => {
  test('keeps what arrived before a cut, refuses a wrong offset, takes the rest', async () => {
    const sandbox = still();
    const { videoId, send, status } = await session(sandbox);
    sandbox.fault({ host: 'upload', cutUpload: 300 });
    await expect(send(whole, bytes)).rejects.toThrow('fetch failed');
    expect((await status()).uploading_phase).toEqual({ status: 'in_progress', bytes_transfered: 300 });
    const wrong = await send({ ...whole, offset: '299' }, bytes.slice(299));
    expect(wrong.status).toBe(412);
    expect(wrong.body).toEqual({
      debug_info: { retriable: true, type: 'OffsetInvalidError', message: expect.any(String) },
    });
    expect((await send({ ...whole, offset: '300' }, bytes.slice(300))).body).toEqual({ success: true });
    expect(sandbox.upload(videoId)).toMatchObject({
      sha256,
      transfers: [
        { offset: 0, bytes: 300 },
        { offset: 300, bytes: 700 },
      ],
    });
  });

  test('starts again at offset 0', async () => {
    const sandbox = still();
    const { videoId, send } = await session(sandbox);
    sandbox.fault({ host: 'upload', cutUpload: 300 });
    await expect(send(whole, bytes)).rejects.toThrow();
    expect((await send(whole, bytes)).status).toBe(200);
    expect(sandbox.upload(videoId)).toMatchObject({ bytes: 1000, sha256 });
  });

  test('refuses a body that does not fit file_size, and keeps what fits', async () => {
    const sandbox = still();
    const { videoId, send } = await session(sandbox);
    const short = await send({ ...whole, file_size: '1001' }, bytes);
    expect([short.status, short.body.debug_info.type]).toEqual([400, 'PartialRequestError']);
    expect(sandbox.upload(videoId)?.bytes).toBe(1000);
    const changed = await send({ offset: '1000', file_size: '1002' }, bytes.slice(0, 2));
    expect(changed.body.debug_info.type).toBe('PartialRequestError');
  });

  test('wants OAuth in the header and nothing in the query', async () => {
    const sandbox = still();
    const { videoId, send } = await session(sandbox);
    const { token } = pageOf(sandbox);
    const failed = { type: 'ProcessingFailedError', retriable: false };
    const bearer = await send({ ...whole, authorization: `Bearer ${token}` }, bytes);
    expect(bearer.body.debug_info).toMatchObject(failed);
    expect(JSON.parse(bearer.body.debug_info.message).error.code).toBe(2500);
    const other = await send({ ...whole, authorization: `OAuth ${pageOf(sandbox, 1).token}` }, bytes);
    expect(other.body.debug_info).toMatchObject(failed);
    const url = `${sandbox.platform.uploadUrl}/video-upload/v26.0/${videoId}?access_token=${token}`;
    const headers = { authorization: `OAuth ${token}`, ...whole };
    const query = await read(await sandbox.fetch(url, { method: 'POST', headers, body: bytes }));
    expect(query.body.debug_info).toMatchObject(failed);
    expect((await send({ offset: '0' }, bytes)).body.debug_info).toMatchObject(failed);
    expect(sandbox.upload(videoId)).toBeUndefined();
  });

  test('fetches a hosted file', async () => {
    const sandbox = still();
    sandbox.tune({ videos: { hostedBytes: 42 } });
    const { videoId, send, status } = await session(sandbox);
    const file_url = 'https://files.example/v.mp4';
    expect((await send({ file_url, offset: '0' })).status).toBe(400);
    expect((await send({ file_url: 'file:///v.mp4' })).status).toBe(400);
    sandbox.tune({ videos: { hostedFailure: 'blocked by robots.txt' } });
    expect((await send({ file_url })).body.debug_info.message).toBe('blocked by robots.txt');
    sandbox.tune({ videos: { hostedFailure: undefined } });
    expect((await send({ file_url })).body).toEqual({ success: true });
    expect((await status()).uploading_phase).toEqual({ status: 'complete', bytes_transfered: 42 });
    expect(sandbox.upload(videoId)?.fileUrl).toBe(file_url);
  });
});
