import { errAsync, type ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf } from '../core/http/send.ts';
import { check, hook, optional, type Rule, token as tokenRule } from '../core/options/check.ts';
import type { PublishedCarousel } from '../models/published.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { createCarousel, createChildren, nameFailedChild } from './internal/carousel.ts';
import { type WaitOptions, waitRules } from './internal/containerWait.ts';
import { caption as captionRule, encodeAddress, mediaAddress } from './internal/mediaAddress.ts';
import { publishReady } from './internal/publishReady.ts';

export interface PublishCarouselOptions extends WaitOptions {
  /** The account's token in login mode, the page token in page mode. */
  readonly token: string;
  /**
   * Id of the account. Required in page mode.
   * @default the token's own account, in login mode
   */
  readonly picsUserId?: string | undefined;
  /**
   * Public HTTPS addresses of 2 to 10 JPEGs; of more, the first 10 are taken. All are cropped to the aspect ratio of
   * the first.
   */
  readonly imageUrls: readonly string[];
  /** At most 2200 characters, 30 hashtags and 20 mentions. */
  readonly caption?: string | undefined;
  /**
   * Called whenever the container of an image is made, with those that exist, in the order of the images; and once
   * the carousel's own container is made, before it is published. What it throws changes nothing.
   */
  readonly onCreated?: ((ids: CreatedCarousel) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a call has made of a carousel so far. */
export interface CreatedCarousel {
  /** Containers of images. */
  readonly children: readonly string[];
  readonly container_id?: string | undefined;
}

export type PublishCarouselFailure = Failure | ContainerNotReadyError;

const most = 10;

/**
 * Publishes 2 to 10 images as one post. It counts once against the daily quota.
 *
 * The containers of the images are created in parallel. When one fails, nothing is published: the error's message and
 * `failed_image` (counted from 1) in its payload say which, and `children` holds the containers that exist. The same
 * is true when an image is not ready in time, or the carousel's own container fails because of one. Otherwise as
 * `publish`.
 *
 * Fails with ContainerNotReadyError when the carousel is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Permission: `pics_content_publish` (login mode: `pics_business_content_publish`).
 * Source: Content Publishing guide.
 *
 * @example
 * const post = await publishCarousel(context, { token, imageUrls, caption: 'All of it' });
 * if (post.isOk()) console.log(post.value.media_id, post.value.children);
 *
 * @example With a client, which throws
 * const post = await client.publishCarousel({ token, imageUrls, caption: 'All of it' });
 */
export function publishCarousel(
  context: PicsContext,
  options: PublishCarouselOptions,
): ResultAsync<PublishedCarousel, PublishCarouselFailure> {
  const invalid = check(options, {
    token: tokenRule,
    picsUserId: accountId(context),
    imageUrls: images,
    caption: captionRule,
    onCreated: optional(hook),
    ...waitRules,
  });
  if (invalid) return errAsync(invalid);
  const { token, picsUserId, signal, imageUrls, caption, waitTimeoutMs = 300_000, onStatus } = options;
  const call = { account: accountOf(picsUserId), token, signal, deadline: deadlineOf(context) };
  const { clock } = context;
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
    const addresses = imageUrls.slice(0, most).map(encodeAddress);
    const children = yield* createChildren(context, call, addresses, (made) =>
      onCreated?.({ children: made }),
    );
    const until = clock.now() + waitTimeoutMs;
    const containerId = yield* createCarousel(context, call, children, caption, {
      waitTimeoutMs,
      onStatus,
    });
    onCreated?.({ children: [...children], container_id: containerId });
    return publishReady(context, call, {
      containerId,
      children,
      content: { edge: 'media', mediaType: 'CAROUSEL_ALBUM', caption: caption ?? '' },
      statusFirst: true,
      // The images may have been waited for already.
      waitTimeoutMs: Math.max(0, until - clock.now()),
      onStatus,
    })
      .map((published) => ({ ...published, children }))
      .orElse((failure) => nameFailedChild(context, call, children, failure));
  });
}

const images: Rule = (value) => {
  if (!Array.isArray(value) || value.length < 2) return 'must be a list of 2 to 10 addresses';
  const faults = Array.from(value.slice(0, most), (address, at) => [at, mediaAddress(address)] as const);
  const [at, fault] = faults.find((entry) => entry[1] !== undefined) ?? [];
  return fault === undefined ? undefined : `[${at}] ${fault}`;
};
