import { errAsync, ok, okAsync, type ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../core/deriveError.ts';
import type { Failure, RequestFailure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { path } from '../core/http/path.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf } from '../core/http/send.ts';
import { check, duration, exactlyOneOf, hook, id, optional, token, url } from '../core/options/check.ts';
import { fileSource, openFile } from '../core/uploads/fileSource.ts';
import { uploadVideo } from '../core/uploads/upload.ts';
import { type UploadOptions, type UploadProgress, uploadRules } from '../core/uploads/uploadOptions.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { PublishedVideoStory } from '../models/publishedStory.ts';
import type { PageContext } from './context.ts';
import { startUpload } from './internal/startUpload.ts';
import { storyLookup, storyPostSchema } from './internal/storyLookup.ts';
import { readUploadStatus } from './internal/videoStatus.ts';
import { waitForUpload } from './internal/waitForUpload.ts';

interface PublishVideoStoryCommon extends UploadOptions {
  readonly pageId: string;
  /** Page token. */
  readonly pageToken: string;
  /**
   * Milliseconds to wait for the platform to process the file, once it is sent: status lookups, failed ones and
   * the platform's waiting times included. A lookup in flight at the end has 5 seconds at most. 0 looks once.
   * @default 300_000
   */
  readonly waitTimeoutMs?: number | undefined;
  /** Called once the upload is announced, before anything is sent. What it throws changes nothing. */
  readonly onCreated?: ((ids: { readonly video_id: string }) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options for a video at a public address. */
export interface PublishHostedVideoStoryOptions extends PublishVideoStoryCommon {
  /** Public address of an MP4, fetched by the platform. */
  readonly videoUrl: string;
  readonly video?: undefined;
}

/** Options for a video that is uploaded. */
export interface PublishUploadedVideoStoryOptions extends PublishVideoStoryCommon {
  /**
   * An MP4: its bytes, or the path of its file as a string or a file URL. A file is streamed, and must not
   * change meanwhile.
   */
  readonly video: Blob | ArrayBuffer | Uint8Array | string | URL;
  readonly videoUrl?: undefined;
}

export type PublishVideoStoryOptions = PublishHostedVideoStoryOptions | PublishUploadedVideoStoryOptions;

export type { UploadProgress } from '../core/uploads/uploadOptions.ts';

export type PublishVideoStoryFailure = Failure;

/**
 * Publishes a video as a story of a Page: uploads it, waits until the platform has processed it, and makes the
 * story of it.
 *
 * Once-only: after a lost response, the story is looked up among those of the Page.
 *
 * Fails with ConfigurationError when the file is missing, empty or unreadable, and with ApiError when the
 * platform cannot use it, or does not process it in time. From the upload on, the error's `payload` holds
 * `video_id`, and the platform's reason in `status`.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`.
 * Source: Page stories guide.
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
): ResultAsync<PublishedVideoStory, PublishVideoStoryFailure> {
  const invalid = check(options, rules) ?? exactlyOneOf(options, 'videoUrl', 'video');
  if (invalid) return errAsync(invalid);
  const { pageId, pageToken, videoUrl = '', video, signal } = options;
  const { waitTimeoutMs = 300_000, uploadTimeoutMs = 600_000, uploadAttempts = 3 } = options;
  const request = { token: pageToken, signal, deadline: deadlineOf(context) };
  const onProgress = guardHook(options.onProgress);
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
    const source = yield* video === undefined ? okAsync(videoUrl) : openFile(video, 'video');
    const totalBytes = typeof source === 'string' ? undefined : source.size;
    const report = (phase: UploadProgress['phase'], sentBytes = totalBytes ?? 0): void =>
      onProgress?.({ phase, sentBytes, totalBytes });

    report('start', 0);
    const { video_id, upload_url } = yield* startUpload(context, pageId, request);
    onCreated?.({ video_id });
    const story = { ...request, videoId: video_id };
    // Nothing is published before the last step, so a lost response of an earlier one is no doubt.
    const unpublished = (failure: RequestFailure): RequestFailure =>
      withOutcome(withIds(failure, { video_id }), 'rejected');
    yield* uploadVideo(context, {
      ...request,
      url: upload_url,
      source,
      attempts: uploadAttempts,
      timeoutMs: uploadTimeoutMs,
      onSent: (bytes) => report('upload', bytes),
      readStatus: () => readUploadStatus(context, story),
    }).mapErr(unpublished);

    report('wait');
    yield* waitForUpload(context, story, waitTimeoutMs).mapErr(unpublished);

    report('finish');
    const { post_id } = yield* sendOnce(
      context,
      {
        ...request,
        method: 'POST',
        path: path`${pageId}/video_stories`,
        form: { upload_phase: 'finish', video_id },
        schema: storyPostSchema,
      },
      storyLookup(context, pageId, video_id, { video_id }, request),
    );
    return ok({ video_id, post_id, success: true as const });
  });
}

const rules = {
  pageId: id,
  pageToken: token,
  videoUrl: optional(url),
  video: optional(fileSource),
  waitTimeoutMs: optional(duration),
  ...uploadRules,
  onCreated: optional(hook),
};
