import { errAsync, type ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { deadlineOf } from '../core/http/send.ts';
import type { Params } from '../core/http/types.ts';
import { check, exactlyOneOf, flag, hook, optional, token as tokenRule } from '../core/options/check.ts';
import type { Published } from '../models/published.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { createContainer } from './internal/container.ts';
import { type WaitOptions, waitRules } from './internal/containerWait.ts';
import { caption as captionRule, encodeAddress, mediaAddress } from './internal/mediaAddress.ts';
import { publishReady } from './internal/publishReady.ts';

interface PublishCommon extends WaitOptions {
  /** The account's token in login mode, the page token in page mode. */
  readonly token: string;
  /**
   * Id of the account. Required in page mode.
   * @default the token's own account, in login mode
   */
  readonly picsUserId?: string | undefined;
  /** At most 2200 characters, 30 hashtags and 20 mentions. */
  readonly caption?: string | undefined;
  /** Called once the container is made, before it is waited for or published. What it throws changes nothing. */
  readonly onCreated?: ((ids: { readonly container_id: string }) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options for an image. */
export interface PublishImageOptions extends PublishCommon {
  /** Public HTTPS address of a JPEG of at most 8 MB. */
  readonly imageUrl: string;
  readonly videoUrl?: undefined;
  readonly isReel?: undefined;
  readonly shareToFeed?: undefined;
}

/** Options for a video. */
export interface PublishVideoOptions extends PublishCommon {
  /** Public HTTPS address of a video, which is always published as a Reel. */
  readonly videoUrl: string;
  readonly imageUrl?: undefined;
  /**
   * `true` without `shareToFeed` leaves it to the platform whether a video is shown in the feed.
   * @default false
   */
  readonly isReel?: boolean | undefined;
  /**
   * Whether a video is shown in the feed too.
   * @default true; not sent with `isReel`
   */
  readonly shareToFeed?: boolean | undefined;
}

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
      caption: captionRule,
      imageUrl: optional(mediaAddress),
      videoUrl: optional(mediaAddress),
      isReel: optional(flag),
      shareToFeed: optional(flag),
      onCreated: optional(hook),
      ...waitRules,
    }) ?? exactlyOneOf(options, 'imageUrl', 'videoUrl');
  if (invalid) return errAsync(invalid);
  const { token, picsUserId, signal, caption, videoUrl, waitTimeoutMs, onStatus } = options;
  const call = { account: accountOf(picsUserId), token, signal, deadline: deadlineOf(context) };
  const isVideo = videoUrl !== undefined;
  const onCreated = guardHook(options.onCreated);
  return createContainer(context, call, toForm(options))
    .andTee((container_id) => onCreated?.({ container_id }))
    .andThen((containerId) =>
      publishReady(context, call, {
        containerId,
        content: { edge: 'media', mediaType: isVideo ? 'VIDEO' : 'IMAGE', caption: caption ?? '' },
        statusFirst: isVideo,
        waitTimeoutMs,
        onStatus,
      }),
    );
}

function toForm(options: PublishOptions): Params {
  const { caption, imageUrl, videoUrl, isReel, shareToFeed } = options;
  return videoUrl === undefined
    ? { image_url: imageUrl && encodeAddress(imageUrl), caption }
    : {
        media_type: 'REELS',
        video_url: encodeAddress(videoUrl),
        share_to_feed: shareToFeed ?? (isReel === true ? undefined : true),
        caption,
      };
}
