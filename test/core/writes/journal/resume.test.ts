import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { publishCarousel } from '../../../../src/pics/index.ts';
import type { SandboxAccount } from '../../../../src/sandbox/index.ts';
import { startPartServer } from '../../../page/support/partServer.ts';
import { startUploadServer } from '../../../page/support/uploadServer.ts';
import { bigFile } from '../../../support/bigFile.ts';
import { createWorld, leaseMs, type Machine } from './support.ts';

test.each([
  ['publishVideoStory', 300],
  ['publish', 60],
])(
  '%s goes on with %i MB from the bytes that the platform holds, in another process and in little memory',
  async (what, megabytes) => {
    const { file, size, digest } = await bigFile(megabytes);
    const journal = join(dirname(file), 'journal.db');
    const server = await startUploadServer();
    onTestFinished(() => server.close());
    const first = start(server.origin, file, what, journal);
    await expect
      .poll(() => server.attempts[0]?.bytes ?? 0, { timeout: 30_000, interval: 2 })
      .toBeGreaterThan(size / 4);
    await kill(first);

    const said = await finish(start(server.origin, file, what, journal));

    const [before, after, ...more] = server.attempts;
    expect(said.value).toBeDefined();
    // The bytes hashed for the digest of the content equal those sent.
    expect(said.grewBy).toBeLessThan(128 * 2 ** 20);
    expect(server.digest()).toBe(digest);
    expect(Number(after?.headers['offset'])).toBe(before?.bytes);
    expect((before?.bytes ?? 0) + (after?.bytes ?? 0)).toBe(size);
    expect(before?.bytes).toBeLessThan(size);
    expect(more).toEqual([]);
    // One upload was begun, and one thing published.
    const made = server.paths.filter((path) => /^POST .*\/(video_stories|media)$/.test(path));
    expect(made.length).toBe(what === 'publish' ? 1 : 2);
  },
  60_000,
);

test('publishVideo goes on with the part that the platform asks for, in another process', async () => {
  const { file, size, digest } = await bigFile(20);
  const journal = join(dirname(file), 'journal.db');
  const partBytes = 1_000_003;
  const server = await startPartServer(partBytes, []);
  onTestFinished(() => server.close());
  const first = start(server.origin, file, 'publishVideo', journal);
  await expect.poll(server.parts, { timeout: 30_000, interval: 1 }).toBeGreaterThan(4);
  await kill(first);
  const before = server.parts();

  const said = await finish(start(server.origin, file, 'publishVideo', journal));

  expect(said).toMatchObject({ value: { video_id: '9', post_id: '77' } });
  expect(server.digest()).toBe(digest);
  expect(server.starts()).toBe(1);
  // The process asks what the platform holds by sending the first part again.
  expect(server.parts()).toBeLessThanOrEqual(Math.ceil(size / partBytes) + 2);
  expect(before).toBeLessThan(Math.ceil(size / partBytes));
}, 60_000);

test('publishCarousel makes no item again that it has uploaded', async () => {
  const bytes = (mark: number): Uint8Array<ArrayBuffer> => new Uint8Array(3000).fill(mark);
  function call({ pics }: Machine, { token, userId }: SandboxAccount) {
    const account = { token, picsUserId: userId };
    const items = [{ video: bytes(1) }, { video: bytes(2) }, { imageUrl: 'https://example.com/a.jpg' }];
    return publishCarousel(pics, { ...account, items, idempotencyKey: 'one' });
  }
  const rehearsal = createWorld();
  const whole = rehearsal.start();
  await call(whole, rehearsal.sandbox.account);
  // Its own container comes after those of its items.
  const point = whole.points.findLastIndex((name) => /^before POST .*\/media$/.test(name));

  const { sandbox, start: startIn } = createWorld();
  const first = startIn(point);
  expect(await Promise.race([call(first, sandbox.account), first.death])).toBe('dead');
  expect(sandbox.effects('upload').length).toBe(2);
  sandbox.advance(leaseMs + 1);
  const published = await call(startIn(), sandbox.account);

  expect(published._unsafeUnwrap().media_id).toBe(sandbox.effects('media')[0]?.id);
  expect(sandbox.effects('upload').length).toBe(2);
  expect(sandbox.effects('container').length).toBe(4);
});

function start(...args: readonly string[]): ChildProcess {
  const script = join(import.meta.dirname, '../../../page/support/uploadProcess.ts');
  return spawn(process.execPath, ['--no-warnings', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

async function finish(child: ChildProcess): Promise<{ readonly grewBy: number; readonly value?: unknown }> {
  let text = '';
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  return JSON.parse(text) as { readonly grewBy: number; readonly value?: unknown };
}
