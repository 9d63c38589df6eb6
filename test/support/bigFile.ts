import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A file with marks in it, in a temporary folder, and the digest of its bytes. It is deleted after the test. */
export async function bigFile(
  megabytes: number,
): Promise<{ readonly file: string; readonly size: number; readonly digest: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'video-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'big.mp4');
  const size = megabytes * 2 ** 20;
  const handle = await open(file, 'w');
  await handle.truncate(size);
  for (let at = 0; at < size; at += 10_000_019) await handle.write(`mark ${at}`, at);
  await handle.close();
  const whole = createHash('sha256');
  for await (const chunk of createReadStream(file)) whole.update(chunk as Buffer);
  return { file, size, digest: whole.digest('hex') };
}
