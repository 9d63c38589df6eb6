import { createHash, randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';

import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { serveSandbox, type Sandbox, type ServedSandbox } from '../../src/sandbox/index.ts';
import { caller, pageOf, read, still, type Caller } from './support/caller.ts';

// Real sockets, since nock would hide the cuts.
beforeAll(() => {
  nock.restore();
});
afterAll(() => {
  nock.activate();
});

async function served(sandbox: Sandbox = still()): Promise<ServedSandbox & Caller & { sandbox: Sandbox }> {
  const server = await serveSandbox(sandbox);
  return { ...server, ...caller(sandbox, fetch, server.platform), sandbox };
}

test.each<[object, string]>([
  [{ port: '4077' }, 'the port of serveSandbox must be a whole number'],
  [{ prot: 4077 }, 'prot is not an option: port is'],
  [{ host: 1 }, 'the host of serveSandbox must be a text'],
])('is not served at %j', async (options, message) => {
  await expect(serveSandbox(still(), options)).rejects.toThrow(message);
});

test('the platform responds at the addresses of the server', async () => {
  await using at = await served();
  const { id, token } = pageOf(at.sandbox);
  expect(at.platform.graphUrl).toBe(`http://127.0.0.1:${at.port}/graph`);
  const made = await at.post(`/${id}/feed`, token, { message: 'über/HTTP' });
  const { body, headers } = await at.get(`/${id}/published_posts`, token, { limit: '1' });
  expect(body.data[0]).toMatchObject({ id: made.body.id, message: 'über/HTTP' });
  expect(body.paging.next).toMatch(new RegExp(`^${at.url}/graph/v26\\.0/${id}/published_posts\\?`));
  expect(headers.get('date')).toBe('Mon, 05 Oct 2026 12:00:00 GMT');
  expect(at.sandbox.requests.map(({ path }) => path)).toEqual([`/${id}/feed`, `/${id}/published_posts`]);
});

test('its login dialogs lead back to the app', async () => {
  await using at = await served();
  const query = new URLSearchParams({
    client_id: at.sandbox.picsApp.id,
    redirect_uri: 'https://app.example/cb',
    response_type: 'code',
    scope: `${at.platform.words.picsScopePrefix}business_basic`,
  });
  const url = `${at.platform.picsAuthUrl}?${query}`;
  expect((await at.sandbox.authorize(url)).searchParams.has('code')).toBe(true);
  const response = await fetch(url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([
    302,
    expect.stringMatching(/^https:\/\/app\.example\/cb\?code=/),
  ]);
});

test('a cut upload leaves the bytes received so far, and goes on from there', async () => {
  await using at = await served();
  const { id, token } = pageOf(at.sandbox);
  const bytes = randomBytes(3_000_000);
  // Its host is that of uploads, so it leaves the next request to the graph alone.
  at.sandbox.fault({ cutUpload: 1_000_001 });
  const { body } = await at.post(`/${id}/video_stories`, token, { upload_phase: 'start' });
  const send = (offset: number): Promise<Response> =>
    fetch(body.upload_url, {
      method: 'POST',
      headers: { authorization: `OAuth ${token}`, offset: String(offset), file_size: '3000000' },
      body: bytes.subarray(offset),
    });
  await expect(send(0)).rejects.toThrow('fetch failed');
  expect(at.sandbox.upload(body.video_id)?.bytes).toBe(1_000_001);
  const early = await send(5);
  expect([early.status, (await read(early)).body.debug_info.type]).toEqual([412, 'OffsetInvalidError']);
  expect((await read(await send(1_000_001))).body).toEqual({ success: true });
  expect(at.sandbox.upload(body.video_id)).toMatchObject({
    bytes: 3_000_000,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    transfers: [
      { offset: 0, bytes: 1_000_001 },
      { offset: 1_000_001, bytes: 1_999_999 },
    ],
  });
});

test('an upload takes the time that is asked for', { tags: 'long' }, async () => {
  await using at = await served();
  const { id, token } = pageOf(at.sandbox);
  at.sandbox.tune({ videos: { bytesPerSecond: 2_000_000 } });
  const bytes = randomBytes(400_000);
  const { body } = await at.post(`/${id}/video_stories`, token, { upload_phase: 'start' });
  const begun = performance.now();
  const sent = await fetch(body.upload_url, {
    method: 'POST',
    headers: { authorization: `OAuth ${token}`, offset: '0', file_size: '400000' },
    body: bytes,
  });
  expect((await read(sent)).body).toEqual({ success: true });
  expect(performance.now() - begun).toBeGreaterThan(180);
  expect(at.sandbox.upload(body.video_id)?.bytes).toBe(400_000);
});

test('a client that goes away in the middle leaves its bytes', async () => {
  await using at = await served();
  const { id, token } = pageOf(at.sandbox);
  const { body } = await at.post(`/${id}/video_stories`, token, { upload_phase: 'start' });
  const { pathname } = new URL(body.upload_url);
  const socket = createConnection(at.port, '127.0.0.1');
  const head = [
    'host: x',
    `authorization: OAuth ${token}`,
    'offset: 0',
    'file_size: 900',
    'content-length: 900',
  ];
  socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${'a'.repeat(400)}`);
  await expect.poll(() => at.sandbox.upload(body.video_id)?.bytes).toBe(400);
  socket.destroy();
  const status = await at.get(`/${body.video_id}`, token, { fields: 'status' });
  expect(status.body.status.uploading_phase).toEqual({ status: 'in_progress', bytes_transfered: 400 });
});

test('faults of the connection look like it', async () => {
  await using at = await served();
  const { id, token } = pageOf(at.sandbox);
  const publish = (): Promise<unknown> => at.post(`/${id}/feed`, token, { message: 'x' });
  at.sandbox.fault({ drop: true, when: 'after' });
  await expect(publish()).rejects.toMatchObject({ message: 'fetch failed' });
  at.sandbox.fault({ truncate: 9 });
  await expect(publish()).rejects.toMatchObject({ message: 'terminated' });
  at.sandbox.fault({ hang: true });
  const signal = AbortSignal.timeout(50);
  await expect(fetch(`${at.platform.graphUrl}/v26.0/me`, { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(at.sandbox.effects('post')).toHaveLength(2);
});

test('an address of no host of the platform responds with 404', async () => {
  await using at = await served();
  const response = await fetch(`${at.url}/favicon.ico`);
  expect([response.status, await response.text()]).toEqual([404, 'Nothing is served here.']);
});

test('closing ends what hangs', async () => {
  const at = await served();
  at.sandbox.fault({ hang: true });
  const call = expect(fetch(`${at.platform.graphUrl}/v26.0/me`)).rejects.toThrow('fetch failed');
  await expect.poll(() => at.sandbox.requests.length).toBe(1);
  await at.close();
  await call;
  await expect(fetch(at.url)).rejects.toThrow('fetch failed');
});
