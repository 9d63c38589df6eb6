import { describe, expect, test } from 'vitest';

import { caller, pageOf, proofOf, read, refusal, start, still } from './support/caller.ts';

// What the live platform refuses, and a lenient emulation would let through.
const day = 86_400_000;
const notes = new TextEncoder().encode('Notes: buy milk, and call the printer’s.\n'.repeat(40));

function setting() {
  const sandbox = still();
  const page = pageOf(sandbox);
  const query = new URLSearchParams({
    access_token: page.token,
    appsecret_proof: proofOf(sandbox.app.secret, page.token),
  });
  const send = async (edge: string, fields: Readonly<Record<string, string | Uint8Array>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      form.append(name, typeof value === 'string' ? value : new File([value.slice()], 'notes.txt'));
    }
    const url = `${sandbox.platform.graphUrl}/v26.0/${page.id}/${edge}?${query}`;
    return read(await sandbox.fetch(url, { method: 'POST', body: form }));
  };
  return { sandbox, page, send, ...caller(sandbox) };
}

describe('a file that is neither a photo nor a video', () => {
  test('is refused as a photo', async () => {
    const { send, sandbox } = setting();

    expect(refusal(await send('photos', { source: notes }))).toEqual([400, 324, 2_069_019]);
    expect(sandbox.effects()).toEqual([]);
  });

  test('is refused as a video, whole or in parts', async () => {
    const { send, sandbox } = setting();

    expect(refusal(await send('videos', { source: notes }))).toEqual([400, 352, 1_363_024]);
    const { body } = await send('videos', { upload_phase: 'start', file_size: String(notes.length) });
    const { upload_session_id } = body;
    const part = { upload_phase: 'transfer', upload_session_id, start_offset: '0', video_file_chunk: notes };
    expect(refusal(await send('videos', part))).toEqual([400, 352, 1_363_024]);
    expect(sandbox.effects('upload')).toEqual([]);
  });

  test('is taken by the upload host, and then not processed', async () => {
    const { sandbox, page, post, get } = setting();
    const { account, platform } = sandbox;
    const bytes = { offset: '0', file_size: String(notes.length) };
    const upload = (url: string, token: string) =>
      sandbox.fetch(url, {
        method: 'POST',
        body: notes.slice(),
        headers: { authorization: `OAuth ${token}`, ...bytes },
      });
    const reel = await post(`/${page.id}/video_reels`, page.token, { upload_phase: 'start' });
    expect((await upload(reel.body.upload_url, page.token)).status).toBe(200);
    const status = await get(`/${reel.body.video_id}`, page.token, { fields: 'status' });
    expect(status.body.status).toMatchObject({
      video_status: 'error',
      processing_phase: { status: 'error', error: { message: expect.stringContaining('format') } },
    });

    const fields = { media_type: 'REELS', upload_type: 'resumable', access_token: account.token };
    const container = await read(
      await sandbox.fetch(`${platform.picsGraphUrl}/v26.0/me/media`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      }),
    );
    expect((await upload(container.body.uri, account.token)).status).toBe(200);
    const state = await get(`/${container.body.id}`, page.token, { fields: 'status_code,status' });
    expect(state.body).toMatchObject({ status_code: 'ERROR', status: expect.stringContaining('2207026') });
  });
});

test.each([
  'http://localhost/a.jpg',
  'https://127.0.0.1/a.jpg',
  'https://10.1.2.3/a.jpg',
  'https://172.20.0.1/a.jpg',
  'https://192.168.1.1/a.jpg',
  'https://169.254.169.254/a.jpg',
  'https://[::1]/a.jpg',
  'https://printer.local/a.jpg',
  'https://db.internal/a.jpg',
])('an address that only this machine or its network reaches is not fetched: %s', async (url) => {
  const { sandbox, page, post } = setting();
  const video = url.replace('.jpg', '.mp4');
  const [{ id: contactId } = { id: '' }] = page.contacts;
  const attachment = { type: 'image', payload: { url } };

  expect(refusal(await post(`/${page.id}/photos`, page.token, { url }))).toEqual([400, 324, 2_069_019]);
  expect(refusal(await post(`/${page.id}/videos`, page.token, { file_url: video }))).toEqual([
    400,
    389,
    undefined,
  ]);
  expect(refusal(await post(`/${page.picsId}/media`, page.token, { image_url: url }))).toEqual([
    400, 9004, 2_207_052,
  ]);
  const message = {
    recipient: JSON.stringify({ id: contactId }),
    messaging_type: 'RESPONSE',
    message: JSON.stringify({ attachment }),
  };
  expect(refusal(await post(`/${page.id}/messages`, page.token, message))).toEqual([400, 100, 2_018_047]);
  const { body } = await post(`/${page.id}/video_stories`, page.token, { upload_phase: 'start' });
  const sent = await sandbox.fetch(body.upload_url, {
    method: 'POST',
    headers: { authorization: `OAuth ${page.token}`, file_url: video },
  });
  expect(sent.status).toBe(400);
});

test('a post has a longest text', async () => {
  const { page, post, sandbox } = setting();
  const write = (length: number) => post(`/${page.id}/feed`, page.token, { message: 'é'.repeat(length) });

  expect((await write(63_206)).status).toBe(200);
  expect(refusal(await write(70_000))).toEqual([400, 100, undefined]);
  const [made] = sandbox.effects('post');
  const longer = await post(`/${made?.id}`, page.token, { message: 'x'.repeat(63_207) });
  expect(refusal(longer)).toEqual([400, 100, undefined]);
});

test('a schedule has a ceiling: 75 days for posts and photos, half a year for videos, 29 days for Reels', async () => {
  const { sandbox, page, post, send } = setting();
  const at = (days: number) => ({
    published: 'false',
    scheduled_publish_time: String(Math.floor((start + days * day) / 1000)),
  });
  const film = new Uint8Array(64);

  for (const [edge, days, fields] of [
    ['feed', 75, { message: 'x' }],
    ['photos', 75, { url: 'https://cdn.test/a.jpg' }],
  ] as const) {
    const write = (more: number) =>
      post(`/${page.id}/${edge}`, page.token, { ...fields, ...at(days + more) });
    expect((await write(0)).status).toBe(200);
    expect(refusal(await write(1))).toEqual([400, 100, undefined]);
  }
  expect((await send('videos', { source: film, ...at(183) })).status).toBe(200);
  expect(refusal(await send('videos', { source: film, ...at(184) }))).toEqual([400, 100, undefined]);
  const { body } = await post(`/${page.id}/video_reels`, page.token, { upload_phase: 'start' });
  await sandbox.fetch(body.upload_url, {
    method: 'POST',
    body: film,
    headers: { authorization: `OAuth ${page.token}`, offset: '0', file_size: '64' },
  });
  const finish = (days: number) =>
    post(`/${page.id}/video_reels`, page.token, {
      upload_phase: 'finish',
      video_id: body.video_id,
      video_state: 'SCHEDULED',
      scheduled_publish_time: at(days).scheduled_publish_time,
    });
  expect(refusal(await finish(30))).toEqual([400, 100, undefined]);
  expect((await finish(29)).status).toBe(200);
});

test.each([
  [Date.UTC(2026, 6, 15, 12), '2026-07-15T07:00:00+0000'],
  [Date.UTC(2026, 11, 15, 12), '2026-12-15T08:00:00+0000'],
])('the days of insights end at midnight Pacific time, in summer and in winter', async (now, end) => {
  const sandbox = still({ now: () => now });
  const page = pageOf(sandbox);
  const { get } = caller(sandbox);

  const account = await get(`/${page.picsId}/insights`, page.token, { metric: 'reach', period: 'day' });
  const own = await get(`/${page.id}/insights`, page.token, { metric: 'page_follows', period: 'day' });

  expect(account.body.data[0].values.at(-1).end_time).toBe(end);
  expect(own.body.data[0].values.at(-1).end_time).toBe(end);
});
