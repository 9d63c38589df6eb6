import { errAsync, type ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { deadlineOf } from '../core/http/send.ts';
import type { Params } from '../core/http/types.ts';
import { check, exactlyOneOf, hook, optional, type Rule, token as tokenRule } from '../core/options/check.ts';
import type { Published } from '../models/published.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { createContainer } from './internal/container.ts';
import { type WaitOptions, waitRules } from './internal/containerWait.ts';
import { encodeAddress, mediaAddress } from './internal/mediaAddress.ts';
import type { ImageOptions, PostOptions, ReelOptions, Without } from './internal/mediaOptions.ts';
import {
  imageRules,
  postRules,
  reelRules,
  refuse,
  toImageForm,
  toPostForm,
  toReelForm,
} from './internal/mediaRules.ts';
import { publishReady } from './internal/publishReady.ts';

interface PublishCommon extends WaitOptions, PostOptions {
  /** The account's token in login mode, the page token in page mode. */
  readonly token: string;
  /**
   * Id of the account. Required in page mode.
   * @default the token's own account, in login mode
   */
  readonly picsUserId?: string | undefined;
  /** Called once the container is made, before it is waited for or published. What it throws changes nothing. */
  readonly onCreated?: ((ids: { readonly container_id: string }) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options for an image. */
export interface PublishImageOptions
  extends PublishCommon, ImageOptions, Without<Omit<ReelOptions, 'userTags'>> {
  /** Public HTTPS address of a JPEG of at most 8 MB. */
  readonly imageUrl: string;
  readonly videoUrl?: undefined;
}

/** Options for a video. */
export interface PublishVideoOptions
  extends PublishCommon, ReelOptions, Without<Omit<ImageOptions, 'userTags'>> {
  /** Public HTTPS address of a video, which is always published as a Reel. */
  readonly videoUrl: string;
  readonly imageUrl?: undefined;
}

export type { PlacedUserTag, ProductTag, UserTag } from './internal/mediaOptions.ts';
export type PublishOptions = PublishImageOptions | PublishVideoOptions;

export type PublishFailure = Failure | ContainerNotReadyError;

/**
 * Publishes an image or a Reel: makes a container, waits until it is ready, and publishes it. It counts
 * against the daily quota.
 *
 * Once-only: after a lost response, the container and the newest media are looked up. Every failure after the
 * container was created holds `container_id` in its payload, for `publishContainer`.
 *
 * Fails with ContainerNotReadyError when the container is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Permission: `pics_content_publish` (login mode: `pics_business_content_publish`).
 * Source: Content Publishing guide.
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
  const invalid =
    check(options, {
      token: tokenRule,
      picsUserId: accountId(context),
      imageUrl: optional(mediaAddress),
      videoUrl: optional(mediaAddress),
      onCreated: optional(hook),
      ...postRules,
      ...waitRules,
    }) ??
    exactlyOneOf(options, 'imageUrl', 'videoUrl') ??
    check(options, kindRules(context, options));
  if (invalid) return errAsync(invalid);
  const { token, picsUserId, signal, caption = '', videoUrl, waitTimeoutMs, onStatus } = options;
  const call = { account: accountOf(picsUserId), token, signal, deadline: deadlineOf(context) };
  const isVideo = videoUrl !== undefined;
  const onCreated = guardHook(options.onCreated);
  return createContainer(context, call, toForm(options))
    .andTee((container_id) => onCreated?.({ container_id }))
    .andThen((containerId) =>
      publishReady(context, call, {
        containerId,
        content: { edge: 'media', mediaType: isVideo ? 'VIDEO' : 'IMAGE', caption },
        statusFirst: isVideo,
        waitTimeoutMs,
        onStatus,
      }),
    );
}

/** Options of the other kind of media are refused. */
function kindRules(context: PicsContext, { videoUrl }: PublishOptions): Record<string, Rule> {
  return videoUrl === undefined
    ? { ...refuse(reelRules, 'videos'), ...imageRules(context) }
    : { ...refuse(imageRules(context), 'images'), ...reelRules };
}

function toForm(options: PublishOptions): Params {
  return {
    ...toPostForm(options),
    ...(options.videoUrl === undefined
      ? toImageForm(options.imageUrl, options)
      : { ...toReelForm(options), video_url: encodeAddress(options.videoUrl) }),
  };
}
