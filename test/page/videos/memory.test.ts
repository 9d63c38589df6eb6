import { spawn } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { digestContent } from '../../../src/core/writes/journal/fingerprint.ts';
import { bigFile } from '../../support/bigFile.ts';
import { startPartServer } from '../support/partServer.ts';
import { startUploadServer } from '../support/uploadServer.ts';

test.each([
  ['publishVideoStory', 300, { video_id: '9', post_id: '77', success: true }],
  ['publishReel', 60, { video_id: '9', post_id: '77', success: true }],
  ['publish', 300, { container_id: '9', media_id: '77' }],
])('%s sends %i MB through three cuts in little memory', async (what, megabytes, value) => {
  const { file, size, digest } = await bigFile(megabytes);
  const cut = { cutAfter: Math.floor(size / 4.3) };
  const server = await startUploadServer([cut, cut, cut]);
  onTestFinished(() => server.close());

  const said = await run(server.origin, file, what);

  expect(said).toMatchObject({ value });
  expect(server.digest()).toBe(digest);
  expect(server.attempts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(size);
  // The process itself takes half of that, more on a busy machine.
  expect(said.grewBy).toBeLessThan(Math.max(80, megabytes / 3) * 2 ** 20);
});

test('publishVideo sends 60 MB in parts, three of them twice, in little memory', async () => {
  const { file, size, digest } = await bigFile(60);
  const server = await startPartServer(7_000_003, [2, 5, 8]);
  onTestFinished(() => server.close());

  const said = await run(server.origin, file, 'publishVideo');

  expect(said).toMatchObject({ value: { video_id: '9', post_id: '77' } });
  expect(server.digest()).toBe(digest);
  expect(server.parts()).toBe(Math.ceil(size / 7_000_003) + 3);
  expect(said.grewBy).toBeLessThan(80 * 2 ** 20);
});

test('the digest of a file of 20 MB leaves none of it to the garbage collector', async () => {
  const video = await openAsBlob((await bigFile(20)).file);
  const held: number[] = [process.memoryUsage().arrayBuffers];
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, 'digest').mockImplementation((...given) => {
    held.push(process.memoryUsage().arrayBuffers);
    return digest(...given);
  });
  onTestFinished(() => void vi.restoreAllMocks());

  await digestContent('key', 'page publishVideo', { video }, undefined);

  expect(held.length).toBeGreaterThan(40);
  expect(Math.max(...held) - (held[0] ?? 0)).toBeLessThan(5 * 2 ** 20);
});

/** Publishes a file in a process of its own, whose memory can be measured. */
async function run(origin: string, path: string, what: string): Promise<{ readonly grewBy: number }> {
  const script = join(import.meta.dirname, '../support/uploadProcess.ts');
  const child = spawn(process.execPath, [script, origin, path, what], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return JSON.parse(text) as { readonly grewBy: number };
}
