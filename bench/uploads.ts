// By how much a process grows while it uploads 300 MB, under an idempotency key and without one.
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startUploadServer } from '../test/page/support/uploadServer.ts';
import { median, type Row } from './rows.ts';

const megabytes = 300;
const script = join(import.meta.dirname, '../test/page/support/uploadProcess.ts');

export async function uploads(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-bench-'));
  const file = join(folder, 'big.mp4');
  const handle = await open(file, 'w');
  await handle.truncate(megabytes * 2 ** 20);
  await handle.close();
  const own: number[] = [];
  const peer: number[] = [];
  for (let round = 0; round < 5; round++) {
    own.push(await growthOf(file, join(folder, `${round}.sqlite`)));
    peer.push(await growthOf(file));
  }
  await rm(folder, { recursive: true });
  return [
    {
      figure: `memory for a story of ${megabytes} MB, under a key`,
      own: `${median(own)} MB`,
      peer: `without a key: ${median(peer)} MB`,
      aim: 'no more',
    },
  ];
}

/** Megabytes by which a fresh process grows at most. */
async function growthOf(file: string, journal?: string): Promise<number> {
  const server = await startUploadServer();
  const given = [
    script,
    server.origin,
    file,
    'publishVideoStory',
    ...(journal === undefined ? [] : [journal]),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, given);
  await server.close();
  // What the script prints.
  const { grewBy, value } = JSON.parse(stdout) as { readonly grewBy: number; readonly value?: object };
  if (value === undefined) throw new Error('the upload failed');
  return Math.round(grewBy / 2 ** 20);
}
