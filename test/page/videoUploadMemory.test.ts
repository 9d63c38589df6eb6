import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { startUploadServer } from './support/uploadServer.ts';

test.each([
  ['publishVideoStory', { video_id: '9', post_id: '77', success: true }],
  ['publish', { container_id: '9', media_id: '77' }],
])('%s sends 300 MB through three cuts in little memory', { timeout: 30_000 }, async (what, value) => {
  const folder = await mkdtemp(join(tmpdir(), 'story-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const big = join(folder, 'big.mp4');
  const size = 300 * 2 ** 20;
  const handle = await open(big, 'w');
  await handle.truncate(size);
  for (let at = 0; at < size; at += 10_000_019) await handle.write(`mark ${at}`, at);
  await handle.close();
  const whole = createHash('sha256');
  for await (const chunk of createReadStream(big)) whole.update(chunk as Buffer);
  const cut = { cutAfter: 70_000_001 };
  const server = await startUploadServer([cut, cut, cut]);
  onTestFinished(() => server.close());

  const said = await run(server.origin, big, what);

  expect(said).toMatchObject({ value });
  expect(server.digest()).toBe(whole.digest('hex'));
  expect(server.tries.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(size);
  expect(said.grewBy).toBeLessThan(64 * 2 ** 20);
});

/** Publishes a file in a process of its own, whose memory can be measured. */
async function run(origin: string, path: string, what: string): Promise<{ readonly grewBy: number }> {
  const script = join(import.meta.dirname, 'support/uploadProcess.ts');
  const child = spawn(process.execPath, [script, origin, path, what], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return JSON.parse(text) as { readonly grewBy: number };
}
