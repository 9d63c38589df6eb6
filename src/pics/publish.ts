import type { ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import type { Params } from '../core/http/types.ts';
import { check, exactlyOneOf, hook, optional, type Rule, token as tokenRule } from '../core/options/check.ts';
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
  type ImageOptions,
  imageRules,
  mediaAddress,
  type PostOptions,
  postRules,
  type ReelOptions,
  reelRules,
  refusing,
  toImageForm,
  toPostForm,
  toReelForm,
  type Without,
} from './internal/mediaOptions.ts';
import { publishMedia } from './internal/publishMedia.ts';

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

export type { PlacedUserTag, ProductTag, UserTag } from './internal/mediaOptions.ts';
export type { FileSource } from '../core/options/fileSource.ts';
export type { UploadProgress } from '../core/upload.ts';
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
 * Permissions in login mode: `pics_business_basic`, `pics_business_content_publish`; in page mode: `pics_basic`,
 * `pics_content_publish`, `pages_read_engagement`, `pages_show_list`. Source: Content Publishing guide.
 *
 * @example
 * const post = await publish(context, { token, imageUrl: 'https://example.com/a.jpg', caption: 'Open!' });
 * if (post.isOk()) console.log(post.value.media_id);
 *
 * @example With a client, which throws
 * const post = await client.publish({ token, imageUrl: 'https://example.com/a.jpg', caption: 'Open!' });
 */
export function publish(
  context: PicsContext,
  options: PublishOptions,
): ResultAsync<Published, PublishFailure> {
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
      ...postRules,
      ...waitRules,
      ...kindRules(context, own),
    }),
    (own) => exactlyOneOf(own, 'imageUrl', 'videoUrl', 'video'),
  );
  return perform(context, 'publish', checked, (base, own) => {
    const { picsUserId, caption = '', imageUrl } = own;
    const call = { ...base, account: accountOf(picsUserId) };
    const isVideo = imageUrl === undefined;
    return keyed(context, call, 'pics', own, (context) =>
      publishMedia(context, call, own, {
        form: toMediaForm(own),
        content: { edge: 'media', mediaType: isVideo ? 'VIDEO' : 'IMAGE', caption },
        statusFirst: isVideo,
      }),
    );
  });
}

/** Refuses options of the other kind of media. */
function kindRules(context: PicsContext, own: PublishOptions) {
  const images = imageRules(context);
  const videos = { ...reelRules(context), ...uploadRules };
  return either(
    () => own.imageUrl === undefined,
    { ...refusing(images, 'images'), ...videos },
    { ...refusing(videos, 'videos'), isReel: off, shareToFeed: off, ...images },
  );
}

const off: Rule = (value) => (value === undefined || value === false ? undefined : 'is for videos only');

function toMediaForm(options: PublishOptions): Params {
  const { imageUrl, videoUrl } = options;
  return {
    ...toPostForm(options),
    ...(imageUrl === undefined
      ? { ...toReelForm(options), video_url: videoUrl && encodeAddress(videoUrl) }
      : toImageForm(imageUrl, options)),
  };
}
