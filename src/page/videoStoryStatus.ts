import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import type { VideoStoryStatus } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { readVideoStatus } from './internal/videoStatus.ts';

export interface VideoStoryStatusOptions extends PageCallOptions {
  /** The `video_id` of the story, or of one that failed. */
  readonly videoId: string;
}

/**
 * Reads the state of a video story: its upload, its processing and its publishing.
 *
 * A phase can hold an `error` even if its `status` is not `error`.
 *
 * Permissions: `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source: Page stories guide.
 *
 * @example
 * const status = await videoStoryStatus(context, { videoId, pageToken });
 * if (status.isOk()) console.log(status.value.uploading_phase.bytes_transfered);
 *
 * @example With a client, which throws
 * const status = await client.videoStoryStatus({ videoId, pageToken });
 */
export function videoStoryStatus(
  context: PageContext,
  options: VideoStoryStatusOptions,
): ResultAsync<VideoStoryStatus, Failure> {
  const checked = check(context, options, () => ({ videoId: id, pageToken: token }));
  return perform(context, 'videoStoryStatus', checked, (call, { videoId }) =>
    readVideoStatus(context, { ...call, videoId }),
  );
}
