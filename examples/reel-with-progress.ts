// Publishes a Reel from a file, with a progress bar: on a Page, and on its photo-sharing account.
//
//   node --env-file=.env reel-with-progress.ts ./reel.mp4 journal.db
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, untilSettled } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';
import type { UploadProgress } from 'pagepics/page';

import { writeTinyMp4 } from './support/tinyMp4.ts';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;

const [video = await writeStandIn(), file = ':memory:'] = process.argv.slice(2);

const journal = sqliteJournal(new DatabaseSync(file));
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
const { signal } = stopping;
const job = { video, signal, onProgress: draw };

const page = createPageClientFromEnv({ journal });
const reel = await untilSettled(
  () =>
    page.publishReel({
      pageId,
      pageToken,
      description: 'One minute',
      ...job,
      idempotencyKey: `reel ${video}`,
    }),
  { signal },
).finally(endBar);
console.log(`Page: video ${reel.video_id}, post ${reel.post_id}`);

const pics = createPicsClientViaPagesFromEnv({ journal });
const media = await untilSettled(
  () =>
    pics.publish({
      token: pageToken,
      picsUserId,
      caption: 'One minute',
      ...job,
      idempotencyKey: `media ${video}`,
    }),
  { signal },
).finally(endBar);
console.log(`Account: media ${media.media_id}`);

/** Draws over its last line on a terminal, and writes a line each time elsewhere. */
function draw({ phase, sentBytes, totalBytes }: UploadProgress): void {
  const [start, end] = process.stdout.isTTY ? ['\r', ''] : ['', '\n'];
  // Of a video at an address, no bytes are reported.
  const bar = totalBytes === undefined ? '' : barOf(sentBytes / totalBytes);
  process.stdout.write(`${start}${bar}${phase.padEnd(6)}${end}`);
}

function barOf(share: number): string {
  const percent = Math.floor(100 * share);
  return `${'#'.repeat(percent / 5).padEnd(20, '.')} ${String(percent).padStart(3)} % `;
}

/** Leaves the line of the bar: when the call succeeds, and when it fails. */
function endBar(): void {
  if (process.stdout.isTTY) process.stdout.write('\n');
}

async function writeStandIn(): Promise<string> {
  const file = join(tmpdir(), 'pagepics-reel.mp4');
  console.log(`A small MP4 of ${await writeTinyMp4(file, 24_000_000)} bytes stands in for your file.`);
  return file;
}
