// Publishes a video from disk as a story of a Page. The connection is cut in the middle of the upload, which then
// resumes from the byte count that the platform holds.
//
//   npm run example -- publish-video-story     on the embedded sandbox: no account, no network
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createPageContext } from 'pagepics';
import { publishVideoStory, stories, type UploadProgress, videoStoryStatus } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';
import { writeTinyMp4 } from './support/tinyMp4.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: server.platform,
    onResponse: log.sent,
    onFailure: ({ path, error }) => log.show('cut', `${path}: ${error.message}`),
  }),
);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has no Page');
const call = { pageId: page.id, pageToken: page.token };

const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
try {
  log.step('a small MP4 on disk');
  const video = join(folder, 'story.mp4');
  const size = await writeTinyMp4(video, 4_000_000);
  log.show('file', `${size} bytes`);

  log.step('publishVideoStory, with a connection that is cut after 1500000 bytes');
  sandbox.fault({ host: 'upload', cutUpload: 1_500_000 });
  sandbox.tune({ videos: { settleMs: 1500 } });
  const story = await publishVideoStory(context, { ...call, video, onProgress: progressBar() });
  if (story.isErr()) throw story.error; // its payload holds `video_id`
  log.show('story', story.value);

  log.step('what the platform received');
  const upload = sandbox.upload(story.value.video_id);
  for (const { offset, bytes } of upload?.transfers ?? [])
    log.show('transfer', `${bytes} bytes from byte ${offset} on`);
  const checksum = createHash('sha256')
    .update(await readFile(video))
    .digest('hex');
  log.show('file', upload?.sha256 === checksum ? 'complete, byte for byte' : 'differs!');

  log.step('videoStoryStatus and stories, to read it back');
  const status = await videoStoryStatus(context, { videoId: story.value.video_id, pageToken: page.token });
  if (status.isErr()) throw status.error;
  const { uploading_phase, processing_phase, publishing_phase } = status.value;
  log.show('phases', [uploading_phase.status, processing_phase.status, publishing_phase.status].join(', '));
  const live = await stories(context, { ...call, limit: 5 });
  if (live.isErr()) throw live.error;
  for (const { post_id, media_type, url } of live.value) log.show('story', { post_id, media_type, url });
} finally {
  await rm(folder, { recursive: true });
  await server.close();
}

/** Prints a line for each phase, and for each tenth of the upload. */
function progressBar(): (progress: UploadProgress) => void {
  let last = { phase: '', tenth: 0 };
  return ({ phase, sentBytes, totalBytes = 0 }) => {
    const tenth = totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 10);
    const isNew = phase !== last.phase || tenth !== last.tenth;
    last = { phase, tenth };
    if (!isNew) return;
    const bar = '#'.repeat(tenth).padEnd(10, '.');
    log.show(phase, phase === 'upload' ? `${bar} ${sentBytes} of ${totalBytes} bytes` : '...');
  };
}
