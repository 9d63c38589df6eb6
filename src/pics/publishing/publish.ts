import type { ResultAsync } from 'neverthrow';

import { asFinal } from '../../core/deriveError.ts';
import type { ContainerNotReadyError, Failure } from '../../core/errors.ts';
import { path } from '../../core/http/addresses.ts';
import { ownFields } from '../../core/http/fields.ts';
import { perform, performRequest } from '../../core/http/send.ts';
import { check, exactlyOneOf } from '../../core/options/check.ts';
import { type FileSource, fileSource } from '../../core/options/fileSource.ts';
import * as rule from '../../core/options/rules.ts';
import { type UploadOptions, uploadRules } from '../../core/upload.ts';
import { keyRule, performKeyed } from '../../core/writes/keyed.ts';
import type { ContainerStatus, Published, PublishingLimit } from '../../models/media.ts';
import { publishingLimitSchema } from '../../models/media.ts';
import type { AccountOptions, Mode } from '../accountOptions.ts';
import { accountOf, accountRules, checkKeyedAccount, rulesByMode } from '../accountOptions.ts';
import { checkAddOn, withAddOn } from '../addOns.ts';
import type { PicsCallOptions, PicsContext } from '../context.ts';
import {
  type ContainerOptions,
  isFailed,
  type PublishingOptions,
  readContainer,
  waitRules,
} from './container.ts';
import type { ImageOptions, PostOptions, ReelOptions, StoryUserTag, Without } from './options.ts';
import * as media from './options.ts';
import { publishMedia, publishReady } from './publishMedia.ts';

export type { PlacedUserTag, ProductTag, StoryUserTag, UserTag } from './options.ts';
export type { FileSource } from '../../core/options/fileSource.ts';
export type { UploadProgress } from '../../core/upload.ts';

type PublishCommon = ContainerOptions & PostOptions;

/** Options for an image. */
export interface PublishImageOptions
  extends
    PublishCommon,
    ImageOptions,
    Without<Omit<ReelOptions, 'userTags' | 'isReel' | 'shareToFeed'>>,
    Without<UploadOptions> {
  /** Public HTTPS address of a JPEG of at most 8 MB. */
  readonly imageUrl: string;
  readonly videoUrl?: undefined;
  readonly video?: undefined;
  readonly isReel?: false | undefined;
  readonly shareToFeed?: false | undefined;
}

interface PublishReelCommon
  extends PublishCommon, ReelOptions, UploadOptions, Without<Omit<ImageOptions, 'userTags'>> {
  readonly imageUrl?: undefined;
}

/** Options for a video at a public address. */
export interface PublishVideoOptions extends PublishReelCommon {
  /** Public HTTPS address of a video, which is always published as a Reel. */
  readonly videoUrl: string;
  readonly video?: undefined;
}

/** Options for an uploaded video. */
export interface PublishUploadedVideoOptions extends PublishReelCommon {
  /**
   * A video, which is always published as a Reel: its bytes, or the path of its file as a string or a file URL. Never
   * use a path from user input. A file is streamed, and must not change meanwhile.
   */
  readonly video: FileSource;
  readonly videoUrl?: undefined;
}

export type PublishOptions = PublishImageOptions | PublishVideoOptions | PublishUploadedVideoOptions;

export type PublishFailure = Failure | ContainerNotReadyError;

/**
 * Publishes an image or a Reel: creates a container, waits until it is ready, and publishes it. It counts against the
 * daily quota.
 *
 * A `video` is uploaded; an interrupted upload resumes from what the platform holds. In login mode the platform may
 * refuse uploads, and accept only videos at public addresses.
 *
 * Once-only: after a lost response, the container and the newest media are looked up. The media is identified by its
 * caption, or without one by being the only new one of its kind at the last of four lookups. If it is published but
 * cannot be identified, the `outcome` is `applied`. Every failure after the container was created holds `container_id`
 * in its payload, for `publishContainer`.
 *
 * Fails with ContainerNotReadyError when the container is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Source: Content Publishing guide.
 *
 * @example
 * const post = await publish(context, { token, imageUrl: 'https://example.com/a.jpg', caption: 'Open!' });
 * if (post.isOk()) console.log(post.value.media_id);
 */
export function publish(
  context: PicsContext,
  options: PublishOptions,
): ResultAsync<Published, PublishFailure> {
  const checked = check(context, options, publishRules(context), ...checkFile, checkKind, checkAddOn);
  return performKeyed(context, 'publish', checked, 'pics', (context, base, options) => {
    const { picsUserId, caption = '', imageUrl } = options;
    const call = { ...base, account: accountOf(picsUserId) };
    const isVideo = imageUrl === undefined;
    return publishMedia(context, call, options, {
      form: {
        ...media.toPostForm(options),
        ...(imageUrl === undefined
          ? { ...media.toReelForm(options), video_url: options.videoUrl }
          : media.toImageForm(imageUrl, options)),
      },
      content: { edge: 'media', mediaType: isVideo ? 'VIDEO' : 'IMAGE', caption },
      statusFirst: isVideo,
    }).andThen((published) => withAddOn(context, base, options, published));
  });
}

function singleRules(context: Mode) {
  return {
    idempotencyKey: keyRule,
    ...accountRules(context),
    imageUrl: rule.optional(media.imageAddress),
    videoUrl: rule.optional(media.mediaAddress),
    video: rule.optional(fileSource('videoUrl')),
    onCreated: rule.optional(rule.hook),
    ...waitRules,
    ...uploadRules,
    ...media.atOnce,
  };
}

const publishRules = rulesByMode((mode) => ({
  ...singleRules(mode),
  ...media.postRules(mode),
  ...media.imageRules(mode),
  ...media.reelRules,
}));

const checkFile = [
  checkKeyedAccount,
  exactlyOneOf<PublishOptions | PublishStoryOptions>('imageUrl', 'videoUrl', 'video'),
  checkUpload,
];

function checkUpload(options: PublishOptions | PublishStoryOptions): rule.Fault | undefined {
  return options.imageUrl === undefined ? undefined : media.faultInKind(options, uploadRules, 'videos');
}

function checkKind(options: PublishOptions): rule.Fault | undefined {
  const isImage = options.imageUrl !== undefined;
  const [others, home] = isImage ? [media.ofReels, 'videos'] : [media.ofImages, 'images'];
  return media.faultInKind(options, others, home) ?? media.faultInTags(options.userTags, isImage);
}

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
 * Fails with ApiError when the platform cannot fetch the media. Fails with ContainerNotReadyError when the container is
 * not ready in time, and at once when its state is `ERROR` or `EXPIRED`.
 *
 * Source: Content Publishing guide.
 *
 * @example
 * const story = await publishStory(context, { token, imageUrl: 'https://example.com/a.jpg' });
 * if (story.isOk()) console.log(story.value.media_id);
 */
export function publishStory(
  context: PicsContext,
  options: PublishStoryOptions,
): ResultAsync<Published, PublishStoryFailure> {
  const checked = check(context, options, publishStoryRules(context), ...checkFile);
  return performKeyed(context, 'publishStory', checked, 'pics', (context, base, options) => {
    const { picsUserId, imageUrl, videoUrl, userTags, isAiGenerated } = options;
    const call = { ...base, account: accountOf(picsUserId) };
    return publishMedia(context, call, options, {
      form: {
        media_type: 'STORIES',
        image_url: imageUrl,
        video_url: videoUrl,
        user_tags: media.toUserTags(userTags),
        is_ai_generated: isAiGenerated,
      },
      content: { edge: 'stories', mediaType: imageUrl === undefined ? 'VIDEO' : 'IMAGE' },
    });
  });
}

/** Options of posts are refused: a story would be published without what they say. */
const publishStoryRules = rulesByMode((mode) => ({
  ...rule.refuseOptions({ ...media.postRules(mode), ...media.imageRules(mode), ...media.reelRules }, 'posts'),
  ...singleRules(mode),
  ...media.storyRules,
}));

export interface PublishContainerOptions extends PublishingOptions {
  /** `containerId` of a ContainerNotReadyError, or `container_id` in the payload of another failure. */
  readonly containerId: string;
}

export type PublishContainerFailure = Failure | ContainerNotReadyError;

/**
 * Publishes a container that an earlier call created, up to 24 hours later and in any process.
 *
 * It checks first: a container that is already published is not published again. Its media is returned if this process
 * published it, or created the container and finds exactly one media object with its caption; otherwise the call fails
 * with an ApiError whose `outcome` is `applied`.
 *
 * Fails with ContainerNotReadyError when the container is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Source: Content Publishing guide.
 *
 * @example
 * const post = await publishContainer(context, { token, containerId });
 * if (post.isOk()) console.log(post.value.media_id);
 */
export function publishContainer(
  context: PicsContext,
  options: PublishContainerOptions,
): ResultAsync<Published, PublishContainerFailure> {
  const checked = check(
    context,
    options,
    {
      idempotencyKey: keyRule,
      ...accountRules(context),
      containerId: rule.id,
      ...waitRules,
      ...media.atOnce,
    },
    checkKeyedAccount,
  );
  return performKeyed(context, 'publishContainer', checked, 'pics', (context, base, options) => {
    const call = { ...base, account: accountOf(options.picsUserId) };
    // Another container may do, but this one has failed for good.
    return publishReady(context, call, options).mapErr((failure) =>
      isFailedContainer(failure) ? asFinal(failure) : failure,
    );
  });
}

function isFailedContainer(failure: PublishContainerFailure): failure is ContainerNotReadyError {
  return failure.name === 'ContainerNotReadyError' && isFailed({ status_code: failure.statusCode });
}

export interface ContainerStatusOptions extends PicsCallOptions {
  readonly containerId: string;
}

/**
 * Reads the state of a media container.
 *
 * Source: platform reference, container node.
 *
 * @example
 * const container = await containerStatus(context, { containerId, token });
 * if (container.isOk()) console.log(container.value.status_code);
 */
export function containerStatus(
  context: PicsContext,
  options: ContainerStatusOptions,
): ResultAsync<ContainerStatus, Failure> {
  const checked = check(context, options, { containerId: rule.id, token: rule.token });
  return perform(
    context,
    'containerStatus',
    checked,
    (call, { containerId }) => readContainer(context, call, containerId),
    'publish',
  );
}

export interface PublishingLimitOptions extends AccountOptions {}

/**
 * Reads how many posts the account may still publish. Stories count; a carousel counts as one.
 *
 * Source: platform reference, content publishing limit.
 *
 * @example
 * const limit = await publishingLimit(context, { token });
 * if (limit.isOk()) console.log(limit.value.quota_usage, limit.value.quota_total);
 */
export function publishingLimit(
  context: PicsContext,
  options: PublishingLimitOptions,
): ResultAsync<PublishingLimit, Failure> {
  const checked = check(context, options, accountRules(context));
  return performRequest(context, 'publishingLimit', checked, ({ picsUserId }) => ({
    path: path`${accountOf(picsUserId)}/content_publishing_limit`,
    query: { fields: 'quota_usage,config' },
    ownFields,
    schema: publishingLimitSchema,
  }));
}
