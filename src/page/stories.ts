import { ok, type ResultAsync } from 'neverthrow';

import { withPayload } from '../core/deriveError.ts';
import type { CreatedIds, Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { guardHook } from '../core/http/guardHook.ts';
import { POST } from '../core/http/methods.ts';
import { perform, safeTry } from '../core/http/send.ts';
import type { Call, GraphRequest } from '../core/http/types.ts';
import { type List, type ListOptions, performList } from '../core/lists/list.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import { fileSource } from '../core/options/fileSource.ts';
import * as rule from '../core/options/rules.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, openDigested, performKeyed, recordIds, recordedIn } from '../core/writes/keyed.ts';
import { queryEntries, textOf } from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { idSchema, objectOf, type Schema } from '../models/fields.ts';
import type { PublishedPhotoStory, PublishedVideoStory, Story, VideoStoryStatus } from '../models/stories.ts';
import { storySchema } from '../models/stories.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { ofVideo, type OnePageOptions, pageRules } from './pageOptions.ts';
import type { HostedPhoto, UploadedPhoto } from './photos.ts';
import { uploadPhoto } from './publications.ts';
import type { HostedVideo, UploadedVideo, VideoOptions } from './videos/upload.ts';
import * as upload from './videos/upload.ts';

export type { UploadProgress } from '../core/upload.ts';
export type { HostedVideo, UploadedVideo, VideoOptions } from './videos/upload.ts';

interface PublishPhotoStoryCommon extends OnePageOptions, KeyedOptions {
  /** Called once the photo is uploaded, before the story is published. Anything it throws is ignored. */
  readonly onCreated?: ((ids: { readonly photo_id: string }) => unknown) | undefined;
}

/** Options for a photo at a public address. */
export interface PublishHostedPhotoStoryOptions extends PublishPhotoStoryCommon, HostedPhoto {
  readonly photoId?: undefined;
}

/** Options for a photo that this call uploads. */
export interface PublishSentPhotoStoryOptions extends PublishPhotoStoryCommon, UploadedPhoto {
  readonly photoId?: undefined;
}

/** Options for a photo that is already uploaded. */
export interface PublishUploadedPhotoStoryOptions extends PublishPhotoStoryCommon {
  /** A photo that is uploaded but not published. It is valid for about 24 hours. */
  readonly photoId: string;
  readonly photoUrl?: undefined;
  readonly photo?: undefined;
}

export type PublishPhotoStoryOptions =
  | PublishHostedPhotoStoryOptions
  | PublishSentPhotoStoryOptions
  | PublishUploadedPhotoStoryOptions;

/**
 * Publishes a photo as a story of a Page: uploads it unpublished, then publishes it as a story.
 *
 * Once-only: after a lost response, the story is looked up among those of the Page. If it fails after the photo was
 * uploaded, the error's `ids` hold `photo_id`: pass it as `photoId` to resume without another upload. The photo of an
 * earlier post is refused.
 *
 * Source: Page stories guide.
 *
 * @example
 * const story = await publishPhotoStory(context, { pageId, pageToken, photoUrl: 'https://example.com/a.jpg' });
 * if (story.isOk()) console.log(story.value.post_id);
 */
export function publishPhotoStory(
  context: PageContext,
  options: PublishPhotoStoryOptions,
): ResultAsync<PublishedPhotoStory, Failure> {
  const checked = check(context, options, photoStoryRules, exactlyOneOf('photoUrl', 'photo', 'photoId'));
  return performKeyed(context, 'publishPhotoStory', checked, 'page', (context, call, options) => {
    const { pageId, photoUrl = '', photo, photoId } = options;
    const onCreated = guardHook(options.onCreated);
    return safeTry(async function* () {
      let photo_id = photoId ?? recordedIn(context).photo_id;
      if (photo_id === undefined) {
        const source = yield* openDigested(context, call, photo, 'photo', photoUrl);
        photo_id = (yield* uploadPhoto(context, call, pageId, source)).id;
      }
      if (photoId === undefined) {
        onCreated?.({ photo_id });
        yield* recordIds(context, { photo_id });
      }
      const publish = { path: path`${pageId}/photo_stories`, form: { photo_id } };
      const { post_id } = yield* sendStory(context, call, publish, pageId, photo_id, { photo_id });
      return ok({ photo_id, post_id, success: true as const });
    });
  });
}

const photoStoryRules = {
  idempotencyKey: keyRule,
  ...pageRules,
  photoUrl: rule.optional(rule.mediaUrl),
  photo: rule.optional(fileSource('photoUrl')),
  photoId: rule.optional(rule.id),
  onCreated: rule.optional(rule.hook),
  published: rule.published,
};

const videoStoryRules = {
  idempotencyKey: keyRule,
  ...upload.videoRules,
  published: rule.published,
};

/** Options for a video at a public address. */
export interface PublishHostedVideoStoryOptions extends VideoOptions, HostedVideo {}

/** Options for an uploaded video. */
export interface PublishUploadedVideoStoryOptions extends VideoOptions, UploadedVideo {}

export type PublishVideoStoryOptions = PublishHostedVideoStoryOptions | PublishUploadedVideoStoryOptions;

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
 * Source: Page stories guide.
 *
 * @example
 * const story = await publishVideoStory(context, { pageId, pageToken, video: './story.mp4' });
 * if (story.isOk()) console.log(story.value.post_id);
 */
export function publishVideoStory(
  context: PageContext,
  options: PublishVideoStoryOptions,
): ResultAsync<PublishedVideoStory, Failure> {
  const checked = check(context, options, videoStoryRules, exactlyOneOf('videoUrl', 'video'));
  return performKeyed(context, 'publishVideoStory', checked, 'page', (context, call, options) => {
    const { pageId, videoUrl = '', video } = options;
    return safeTry(async function* () {
      const source = yield* openDigested(context, call, video, 'video', videoUrl);
      const { video_id, report, endsAt } = yield* upload.sendVideo(
        context,
        'video_stories',
        options,
        source,
        call,
      );
      report('finish');
      const form = { upload_phase: 'finish', video_id, is_ai_generated: options.isAiGenerated };
      const publish = { path: path`${pageId}/video_stories`, form };
      const { post_id } = yield* sendStory(context, call, publish, pageId, video_id, { video_id });
      const { waitFor } = options;
      if (waitFor === undefined) return ok({ video_id, post_id, success: true as const });
      report('wait');
      const { processed } = yield* upload
        .waitForVideo(context, { ...call, videoId: video_id, waitFor }, endsAt)
        .mapErr((failure) => withPayload(failure, { post_id }));
      return ok({ video_id, post_id, processed, success: true as const });
    });
  });
}

export interface VideoStoryStatusOptions extends PageCallOptions {
  /** The `video_id` of the story, or of one that failed. */
  readonly videoId: string;
}

/**
 * Reads the state of a video story: its upload, its processing and its publishing.
 *
 * A phase can hold an `error` even if its `status` is not `error`.
 *
 * Source: Page stories guide.
 *
 * @example
 * const status = await videoStoryStatus(context, { videoId, pageToken });
 * if (status.isOk()) console.log(status.value.uploading_phase.bytes_transfered);
 */
export function videoStoryStatus(
  context: PageContext,
  options: VideoStoryStatusOptions,
): ResultAsync<VideoStoryStatus, Failure> {
  const checked = check(context, options, ofVideo);
  return perform(
    context,
    'videoStoryStatus',
    checked,
    (call, { videoId }) => upload.readVideoStatus(context, { ...call, videoId }),
    'publish',
  );
}

export interface StoriesOptions extends OnePageOptions, ListOptions {}

/**
 * Lists the stories of a Page.
 *
 * A story lasts 24 hours. Archived ones are listed only if the Page has an archive.
 *
 * Source: Page stories guide.
 *
 * @example
 * const current = await stories(context, { pageId, pageToken });
 * if (current.isOk()) console.log(current.value.map((story) => story.url));
 */
export function stories(context: PageContext, options: StoriesOptions): ResultAsync<List<Story>, Failure> {
  const checked = check(context, options, storiesRules);
  // Without `fields`, the platform returns all fields, and no unknown field can fail the call.
  return performList(context, 'stories', checked, 25, ({ pageId }) => ({
    path: path`${pageId}/stories`,
    item: storySchema,
    idOf: ({ post_id }) => post_id,
  }));
}

interface StoryPost {
  readonly post_id: string;
}

const storyPostSchema: Schema<StoryPost> = objectOf({ post_id: idSchema });

/**
 * Publishes a photo or a video as a story. After a lost response, it is looked up by its media: each becomes only one
 * story, so no other can be mistaken for it.
 */
function sendStory(
  context: PageContext,
  call: Call,
  publish: Pick<GraphRequest<unknown>, 'path' | 'form'>,
  pageId: string,
  mediaId: string,
  ids: CreatedIds,
): ResultAsync<StoryPost, RequestFailure> {
  return sendOnce(
    context,
    { ...call, ...publish, method: POST, schema: storyPostSchema },
    {
      kind: 'entry',
      ids,
      idOf: ({ post_id }) => post_id,
      toValue: (post_id) => ({ post_id }),
      entries: {
        list: `${pageId}/stories`,
        carries: true,
        query: (limits) =>
          queryEntries(context, {
            ...call,
            ...limits,
            path: path`${pageId}/stories`,
            query: { limit: 100 },
          }).map((stories) => ({
            entries: stories
              // A story that does not show its media may be that of another write.
              .filter(({ media_id = mediaId }) => textOf(media_id) === mediaId)
              .map(({ post_id, media_id, creation_time }) => ({
                id: textOf(post_id),
                createdAt: Number(creation_time) * 1000,
                isOwn: media_id !== undefined,
              })),
          })),
      },
    },
  );
}

const storiesRules = { ...pageRules, limit: rule.optional(rule.count) };
