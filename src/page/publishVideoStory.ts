import { ok, okAsync, type ResultAsync } from 'neverthrow';

import { withPayload } from '../core/deriveError.ts';
import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, safeTry } from '../core/http/send.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import { keyed, keyIn, openDigested } from '../core/writes/keyed.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { PublishedVideoStory } from '../models/written.ts';
import type { PageContext } from './context.ts';
import { storyLookup, storyPostSchema } from './internal/lookups.ts';
import {
  type HostedVideo,
  type UploadedVideo,
  type VideoOptions,
  videoRules,
} from './internal/videoOptions.ts';
import { waitForVideo } from './internal/videoStatus.ts';
import { sendVideo } from './internal/videoUpload.ts';

/** Options for a video at a public address. */
export interface PublishHostedVideoStoryOptions extends VideoOptions, HostedVideo {}

/** Options for an uploaded video. */
export interface PublishUploadedVideoStoryOptions extends VideoOptions, UploadedVideo {}

export type PublishVideoStoryOptions = PublishHostedVideoStoryOptions | PublishUploadedVideoStoryOptions;

export type { UploadProgress } from '../core/upload.ts';
export type { HostedVideo, UploadedVideo, VideoOptions } from './internal/videoOptions.ts';

/**
 * Publishes a video as a story of a Page: uploads it, waits until the platform has ingested it, and publishes it as a
 * story. `waitFor: 'processed'` then waits, within the same `waitTimeoutMs`, until people can play it.
 *
 * Once-only: after a lost response, the story is looked up among those of the Page.
 *
 * Fails with ConfigurationError when the file is missing, empty or unreadable, and with ApiError when the platform
 * cannot use it, or does not ingest it in time. From the upload on, the error's `payload` holds `video_id`, and the
 * platform's reason in `status`.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Page stories guide.
 *
 * @example
 * const story = await publishVideoStory(context, { pageId, pageToken, video: './story.mp4' });
 * if (story.isOk()) console.log(story.value.post_id);
 *
 * @example With a client, which throws
 * const story = await client.publishVideoStory({ pageId, pageToken, video: './story.mp4' });
 */
export function publishVideoStory(
  context: PageContext,
  options: PublishVideoStoryOptions,
): ResultAsync<PublishedVideoStory, Failure> {
  const checked = check(
    context,
    options,
    () => ({ idempotencyKey: keyIn(context), ...videoRules }),
    (own) => exactlyOneOf(own, 'videoUrl', 'video'),
  );
  return perform(context, 'publishVideoStory', checked, (call, own) => {
    const { pageId, videoUrl = '', video } = own;
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        const source = yield* video === undefined ? okAsync(videoUrl) : openDigested(context, video, 'video');
        const { video_id, report, endsAt } = yield* sendVideo(context, 'video_stories', own, source, call);
        report('finish');
        const { post_id } = yield* sendOnce(
          context,
          {
            ...call,
            method: 'POST',
            path: path`${pageId}/video_stories`,
            form: { upload_phase: 'finish', video_id },
            schema: storyPostSchema,
          },
          storyLookup(context, pageId, video_id, { video_id }, call),
        );
        const { waitFor } = own;
        if (waitFor === undefined) return ok({ video_id, post_id, success: true as const });
        report('wait');
        const { processed } = yield* waitForVideo(
          context,
          { ...call, videoId: video_id, waitFor },
          endsAt,
        ).mapErr((failure) => withPayload(failure, { post_id }));
        return ok({ video_id, post_id, processed, success: true as const });
      }),
    );
  });
}
