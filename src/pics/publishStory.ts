import type { ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, exactlyOneOf, hook, optional, token as tokenRule } from '../core/options/check.ts';
import { type FileSource, fileSource } from '../core/options/fileSource.ts';
import { type UploadOptions, uploadRules } from '../core/upload.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import type { Published } from '../models/written.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { type ContainerOptions, waitRules } from './internal/container.ts';
import {
  either,
  encodeAddress,
  mediaAddress,
  refusing,
  storyRules,
  type StoryUserTag,
  toUserTags,
  type Without,
} from './internal/mediaOptions.ts';
import { publishMedia } from './internal/publishMedia.ts';

interface PublishStoryCommon extends ContainerOptions {
  readonly userTags?: readonly StoryUserTag[] | undefined;
  /** Labels the story as made with AI. */
  readonly isAiGenerated?: boolean | undefined;
}

/** Options for an image. */
export interface PublishStoryImageOptions extends PublishStoryCommon, Without<UploadOptions> {
  /** Public HTTPS address of a JPEG of at most 8 MB, ideally 9:16. */
  readonly imageUrl: string;
  readonly videoUrl?: undefined;
  readonly video?: undefined;
}

/** Options for a video at a public address. */
export interface PublishStoryVideoOptions extends PublishStoryCommon, UploadOptions {
  /** Public HTTPS address of a MOV or MP4 of 3 to 60 seconds and at most 100 MB. */
  readonly videoUrl: string;
  readonly imageUrl?: undefined;
  readonly video?: undefined;
}

/** Options for an uploaded video. */
export interface PublishStoryUploadOptions extends PublishStoryCommon, UploadOptions {
  /**
   * A MOV or MP4 of 3 to 60 seconds and at most 100 MB: its bytes, or the path of its file as a string or a file URL.
   * Never use a path from user input. A file is streamed, and must not change meanwhile. In login mode the platform may
   * refuse uploads.
   */
  readonly video: FileSource;
  readonly imageUrl?: undefined;
  readonly videoUrl?: undefined;
}

export type { StoryUserTag } from './internal/mediaOptions.ts';
export type PublishStoryOptions =
  | PublishStoryImageOptions
  | PublishStoryVideoOptions
  | PublishStoryUploadOptions;

export type PublishStoryFailure = Failure | ContainerNotReadyError;

/**
 * Publishes a story, which lasts 24 hours. It counts against the daily quota.
 *
 * Once-only, like `publish` without a caption. In login mode, stories cannot be looked up: after a lost response, the
 * outcome is `unknown`, or `applied` if the container is published.
 *
 * Fails with ContainerNotReadyError when the container is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_content_publish`; in page mode: `pics_basic`,
 * `pics_content_publish`, `pages_read_engagement`, `pages_show_list`. Source: Content Publishing guide.
 *
 * @example
 * const story = await publishStory(context, { token, imageUrl: 'https://example.com/a.jpg' });
 * if (story.isOk()) console.log(story.value.media_id);
 *
 * @example With a client, which throws
 * const story = await client.publishStory({ token, imageUrl: 'https://example.com/a.jpg' });
 */
export function publishStory(
  context: PicsContext,
  options: PublishStoryOptions,
): ResultAsync<Published, PublishStoryFailure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      token: tokenRule,
      picsUserId: accountId(context, own),
      imageUrl: optional(mediaAddress),
      videoUrl: optional(mediaAddress),
      video: optional(fileSource('videoUrl')),
      onCreated: optional(hook),
      ...storyRules,
      ...waitRules,
      ...either(() => own.imageUrl === undefined, uploadRules, refusing(uploadRules, 'videos')),
    }),
    (own) => exactlyOneOf(own, 'imageUrl', 'videoUrl', 'video'),
  );
  return perform(context, 'publishStory', checked, (base, own) => {
    const { picsUserId, imageUrl, videoUrl, userTags, isAiGenerated } = own;
    const call = { ...base, account: accountOf(picsUserId) };
    return keyed(context, call, 'pics', own, (context) =>
      publishMedia(context, call, own, {
        form: {
          media_type: 'STORIES',
          image_url: imageUrl && encodeAddress(imageUrl),
          video_url: videoUrl && encodeAddress(videoUrl),
          user_tags: toUserTags(userTags),
          is_ai_generated: isAiGenerated,
        },
        content: { edge: 'stories', mediaType: imageUrl === undefined ? 'VIDEO' : 'IMAGE' },
        statusFirst: true,
      }),
    );
  });
}
