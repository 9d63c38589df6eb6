import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import type { VideoStoryStatus } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { readVideoStatus } from './internal/videoStatus.ts';

export interface VideoStatusOptions extends PageCallOptions {
  /** The `video_id` of a video, a Reel or a story, or of one that failed. */
  readonly videoId: string;
}

/**
 * Reads the state of any video of a Page: its upload, its processing and its publishing.
 *
 * A phase can hold an `error` even if its `status` is not `error`.
 *
 * Permissions: `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source: platform guide, Reels
 * publishing.
 *
 * @example
 * const status = await videoStatus(context, { videoId, pageToken });
 * if (status.isOk()) console.log(status.value.video_status, status.value.processing_phase.status);
 *
 * @example With a client, which throws
 * const status = await client.videoStatus({ videoId, pageToken });
 */
export function videoStatus(
  context: PageContext,
  options: VideoStatusOptions,
): ResultAsync<VideoStoryStatus, Failure> {
  const checked = check(context, options, () => ({ videoId: id, pageToken: token }));
  return perform(context, 'videoStatus', checked, (call, { videoId }) =>
    readVideoStatus(context, { ...call, videoId }),
  );
}
