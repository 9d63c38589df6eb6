import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/index.ts';
import {
  caller,
  pageOf,
  proofOf,
  read,
  refusal,
  start,
  still,
  type Loose,
  type Reply,
} from '../support/caller.ts';

const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const day = 86_400_000;

interface Session {
  readonly videoId: string;
  readonly body: Loose;
  readonly transfer: (offset: number, end: number) => Promise<Reply>;
  readonly finish: (form?: Record<string, string>) => Promise<Reply>;
}

async function session(sandbox: Sandbox): Promise<Session> {
  const { id, token } = pageOf(sandbox);
  const { post } = caller(sandbox);
  const { body } = await post(`/${id}/videos`, token, { upload_phase: 'start', file_size: '1000' });
  const { upload_session_id } = body;
  return {
    videoId: body.video_id,
    body,
    transfer: async (offset, end) => {
      const form = new FormData();
      form.append('upload_phase', 'transfer');
      form.append('upload_session_id', upload_session_id);
      form.append('start_offset', String(offset));
      form.append('video_file_chunk', new Blob([bytes.subarray(offset, end)]));
      const url = new URL(`${sandbox.platform.graphUrl}/v26.0/${id}/videos`);
      url.searchParams.set('access_token', token);
      url.searchParams.set('appsecret_proof', proofOf(sandbox.app.secret, token));
      return read(await sandbox.fetch(url, { method: 'POST', body: form }));
    },
    finish: (form) => post(`/${id}/videos`, token, { upload_phase: 'finish', upload_session_id, ...form }),
  };
}

describe('a video', () => {
  test('is sent in the parts that the platform asks for, published and listed', async () => {
    const sandbox = still();
    sandbox.tune({ videos: { partBytes: 600 } });
    const { id, token } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const { videoId, body, transfer, finish } = await session(sandbox);
    expect(body).toMatchObject({ start_offset: '0', end_offset: '600' });
    expect(refusal(await finish())).toEqual([400, 6000, 1_363_130]);
    expect((await transfer(0, 600)).body).toEqual({ start_offset: '600', end_offset: '1000' });
    expect((await transfer(600, 1000)).body).toEqual({ start_offset: '1000', end_offset: '1000' });
    expect(sandbox.upload(videoId)).toMatchObject({ sha256, bytes: 1000 });

    const fields = { fields: 'published,post_id,title' };
    expect((await get(`/${videoId}`, token, fields)).body).toEqual({ id: videoId, published: false });
    expect((await finish({ title: 'Tour', description: 'A tour' })).body).toEqual({ success: true });
    expect(refusal(await finish())[1]).toBe(100);
    const { body: video } = await get(`/${videoId}`, token, fields);
    expect(video).toMatchObject({ published: true, title: 'Tour' });
    expect((await get(`/${video.post_id}`, token, { fields: 'message,status_type' })).body).toMatchObject({
      message: 'A tour',
      status_type: 'added_video',
    });
    expect((await get(`/${id}/videos`, token, { type: 'UPLOADED' })).body.data).toMatchObject([
      { id: videoId },
    ]);
    expect(sandbox.effects('video')).toHaveLength(1);
  });

  test('takes a part twice, and refuses one that it did not ask for', async () => {
    const sandbox = still();
    sandbox.tune({ videos: { partBytes: 600 } });
    const { videoId, transfer } = await session(sandbox);
    await transfer(0, 600);
    expect((await transfer(0, 600)).body).toEqual({ start_offset: '600', end_offset: '1000' });
    const wrong = await transfer(700, 1000);
    expect(refusal(wrong)).toEqual([400, 6001, 1_363_037]);
    expect(wrong.body.error.error_data).toEqual({ start_offset: '600', end_offset: '1000' });
    await transfer(600, 1000);
    expect(sandbox.upload(videoId)).toMatchObject({ sha256 });
  });

  test('is fetched from an address, or not', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    const file_url = 'https://cdn.example/a.mp4';
    const { body } = await post(`/${id}/videos`, token, { file_url, description: 'A tour' });
    const labeled = await post(`/${id}/videos`, token, { file_url, is_ai_generated: 'true' });
    expect(sandbox.effects('video')).toMatchObject([
      { id: body.id, content: { description: 'A tour' } },
      { id: labeled.body.id, content: { aiGenerated: true } },
    ]);
    sandbox.tune({ videos: { hostedFailure: 'Not found' } });
    expect(refusal(await post(`/${id}/videos`, token, { file_url }))[1]).toBe(389);
    expect(refusal(await post(`/${id}/videos`, token, {}))[1]).toBe(100);
    expect(refusal(await post(`/${id}/videos`, token, { file_url, upload_phase: 'start' }))[1]).toBe(100);
  });

  test('is published when its time comes, and shows its phases', async () => {
    const sandbox = still();
    sandbox.tune({ videos: { processingMs: 5000 } });
    const { token } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const { videoId, transfer, finish } = await session(sandbox);
    await transfer(0, 1000);
    const time = String(start / 1000 + 900);
    expect((await finish({ published: 'false', scheduled_publish_time: time })).status).toBe(200);
    const status = async (): Promise<Loose> =>
      (await get(`/${videoId}`, token, { fields: 'status,post_id' })).body;
    expect(await status()).toMatchObject({
      status: { video_status: 'processing', publishing_phase: { publish_status: 'scheduled' } },
    });
    sandbox.advance(900_000);
    expect(await status()).toMatchObject({
      status: {
        video_status: 'ready',
        publishing_phase: { status: 'complete', publish_status: 'published' },
      },
      post_id: expect.any(String),
    });
  });
});

describe('fields of 2026', () => {
  test('are known, of videos, posts and Pages', async () => {
    const sandbox = still({ strict: true });
    const { id, token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const file_url = 'https://cdn.example/a.mp4';
    const made = await post(`/${id}/videos`, token, { file_url, selected_audio_spec: '{}' });
    const photo = { url: 'https://cdn.example/a.jpg', provenance_metadata: '{}' };
    expect((await post(`/${id}/photos`, token, photo)).status).toBe(200);

    const fields = async (node: string | undefined, names: string): Promise<Loose> =>
      (await get(`/${node}`, token, { fields: names })).body;

    expect(await fields(made.body.id, 'selected_audio_spec,replace_audio_status')).toEqual({
      id: made.body.id,
    });
    expect(await fields(id, 'page_backed_threads_account_id')).toEqual({ id });
    expect(await fields(postIds[0], 'is_live_clip,is_fb_live_videos,was_fb_live_videos')).toEqual({
      id: postIds[0],
      is_live_clip: false,
      is_fb_live_videos: false,
      was_fb_live_videos: false,
    });
  });
});

describe('a Reel', () => {
  async function uploaded(sandbox: Sandbox): Promise<string> {
    const { id, token } = pageOf(sandbox);
    const { body } = await caller(sandbox).post(`/${id}/video_reels`, token, { upload_phase: 'start' });
    const headers = { authorization: `OAuth ${token}`, offset: '0', file_size: '1000' };
    await sandbox.fetch(body.upload_url, { method: 'POST', headers, body: bytes });
    return body.video_id;
  }

  function finish(sandbox: Sandbox, form: Record<string, string>): Promise<Reply> {
    const { id, token } = pageOf(sandbox);
    return caller(sandbox).post(`/${id}/video_reels`, token, { upload_phase: 'finish', ...form });
  }

  test('is uploaded, finished once, and listed apart from posts', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const video_id = await uploaded(sandbox);
    const form = { video_id, video_state: 'PUBLISHED', description: 'One minute', is_ai_generated: 'true' };
    expect((await finish(sandbox, form)).body).toEqual({ success: true });
    expect(sandbox.effects('reel')).toMatchObject([{ content: { aiGenerated: true } }]);
    expect(refusal(await finish(sandbox, form))[1]).toBe(100);
    expect((await get(`/${video_id}`, token, { fields: 'published,post_id' })).body).toMatchObject({
      published: true,
      post_id: expect.stringMatching(`^${id}_`),
    });
    expect((await get(`/${id}/video_reels`, token)).body.data).toMatchObject([
      { id: video_id, description: 'One minute' },
    ]);
    expect((await get(`/${id}/published_posts`, token)).body.data).toHaveLength(postIds.length);
  });

  test('needs its bytes, a state, and a time only with SCHEDULED', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { body } = await caller(sandbox).post(`/${id}/video_reels`, token, { upload_phase: 'start' });
    const early = await finish(sandbox, { video_id: body.video_id, video_state: 'PUBLISHED' });
    expect(refusal(early)).toEqual([400, 6000, 1_363_130]);
    const video_id = await uploaded(sandbox);
    const at = (ms: number): string => String((start + ms) / 1000);
    for (const form of [
      {},
      { video_state: 'LATER' },
      { video_state: 'SCHEDULED' },
      { video_state: 'PUBLISHED', scheduled_publish_time: at(day) },
      { video_state: 'SCHEDULED', scheduled_publish_time: at(30 * day) },
    ]) {
      expect(refusal(await finish(sandbox, { video_id, ...(form as Record<string, string>) }))[1]).toBe(100);
    }
    const form = { video_id, video_state: 'SCHEDULED', scheduled_publish_time: at(day) };
    expect((await finish(sandbox, form)).status).toBe(200);
    expect((await caller(sandbox).get(`/${video_id}`, token, { fields: 'published' })).body.published).toBe(
      false,
    );
  });
});
