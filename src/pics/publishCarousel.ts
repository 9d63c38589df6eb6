import type { ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, Failure, RequestFailure } from '../core/errors.ts';
import { guardHook } from '../core/http/hooks.ts';
import { defaultWaitMs } from '../core/http/polling.ts';
import { perform, safeTry } from '../core/http/send.ts';
import { check, exactlyOneOf, hook, optional, token as tokenRule } from '../core/options/check.ts';
import { progressReport, type UploadOptions, uploadRules } from '../core/upload.ts';
import { keyed, keyIn, record, recordedIn } from '../core/writes/keyed.ts';
import type { PublishedCarousel } from '../models/written.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import {
  type CarouselItem,
  createCarousel,
  createChildren,
  imageList,
  itemList,
  itemOptions,
  mostItems,
  nameFailedChild,
  openItems,
  toItemForm,
} from './internal/carousel.ts';
import { type PublishingOptions, waitRules } from './internal/container.ts';
import { type PostOptions, postRules, refusing, toPostForm } from './internal/mediaOptions.ts';
import { publishReady } from './internal/publishMedia.ts';
import { createMedia } from './internal/videoUpload.ts';

interface PublishCarouselCommon extends PublishingOptions, PostOptions, UploadOptions {
  /**
   * Called whenever the container of an item is created, with all that exist so far, in the order of the items; and
   * again once the carousel's own container is created, before it is published. Anything it throws is ignored.
   */
  readonly onCreated?: ((ids: CreatedCarousel) => unknown) | undefined;
}

/** Options for a carousel of images. */
export interface PublishImageCarouselOptions extends PublishCarouselCommon {
  /**
   * Public HTTPS addresses of 2 to 10 JPEGs; if there are more, the first 10 are used. All are cropped to the aspect
   * ratio of the first.
   */
  readonly imageUrls: readonly string[];
  readonly items?: undefined;
}

/** Options for a carousel of images and videos. */
export interface PublishMixedCarouselOptions extends PublishCarouselCommon {
  /** 2 to 10 images and videos. All are cropped to the aspect ratio of the first. */
  readonly items: readonly CarouselItem[];
  readonly imageUrls?: undefined;
}

export type PublishCarouselOptions = PublishImageCarouselOptions | PublishMixedCarouselOptions;

/** What a call has created of a carousel so far. */
export interface CreatedCarousel {
  /** Containers of items. */
  readonly children: readonly string[];
  readonly container_id?: string | undefined;
}

export type { CarouselImage, CarouselItem, CarouselUpload, CarouselVideo } from './internal/carousel.ts';

export type PublishCarouselFailure = Failure | ContainerNotReadyError;

/**
 * Publishes 2 to 10 images and videos as one post. It counts once against the daily quota.
 *
 * The containers of the items are created in parallel. If one fails, nothing is published, and running uploads are
 * stopped: the error's message and `failed_image` (counted from 1) in its payload say which one, and `children` holds
 * the containers that exist. The same applies if an item is not ready in time, or makes the carousel's own container
 * fail. Otherwise it works like `publish`.
 *
 * Fails with ContainerNotReadyError when the carousel is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_content_publish`; in page mode: `pics_basic`,
 * `pics_content_publish`, `pages_read_engagement`, `pages_show_list`. Source: Content Publishing guide.
 *
 * @example
 * const post = await publishCarousel(context, { token, imageUrls, caption: 'All of it' });
 * if (post.isOk()) console.log(post.value.media_id, post.value.children);
 *
 * @example
 * const mixed = await publishCarousel(context, {
 *   token,
 *   items: [{ videoUrl, thumbOffsetMs: 0 }, { imageUrl, altText: 'The counter' }],
 * });
 * if (mixed.isOk()) console.log(mixed.value.media_id);
 *
 * @example With a client, which throws
 * const post = await client.publishCarousel({ token, imageUrls, caption: 'All of it' });
 */
export function publishCarousel(
  context: PicsContext,
  options: PublishCarouselOptions,
): ResultAsync<PublishedCarousel, PublishCarouselFailure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      token: tokenRule,
      picsUserId: accountId(context, own),
      imageUrls: optional(imageList),
      items: optional(itemList(context)),
      onCreated: optional(hook),
      ...refusing(itemOptions, 'items'),
      ...postRules,
      ...uploadRules,
      ...waitRules,
    }),
    (own) => exactlyOneOf(own, 'imageUrls', 'items'),
  );
  return perform(context, 'publishCarousel', checked, (base, own) => {
    const { picsUserId, imageUrls, caption = '', waitTimeoutMs = defaultWaitMs, onStatus } = own;
    const { uploadTimeoutMs, uploadAttempts } = own;
    const noun = imageUrls === undefined ? 'item' : 'image';
    const call = {
      ...base,
      account: accountOf(picsUserId),
      noun,
    } as const;
    const { clock } = context;
    const onCreated = guardHook(own.onCreated);
    return keyed(context, call, 'pics', own, (context) =>
      safeTry(async function* () {
        const items = own.items ?? imageUrls?.slice(0, mostItems).map((imageUrl) => ({ imageUrl })) ?? [];
        const forms = items.map(toItemForm);
        const form = toPostForm(own);
        const files = yield* openItems(context, items);
        const sizes = files.flatMap((file) => file?.size ?? []);
        const report = progressReport(context, own.onProgress, sizes.length === 0 ? undefined : sum(sizes));
        const sent: number[] = [];

        report('start', 0);
        const children = yield* createChildren(
          context,
          call,
          forms,
          (item, at, child) => {
            const known = childOf(context, at);
            return createMedia(context, call, {
              form: item,
              // A child is recorded once its video is uploaded completely.
              file: known === undefined ? files[at] : undefined,
              uploadTimeoutMs,
              uploadAttempts,
              waitTimeoutMs,
              known,
              ...child,
              onSent: (bytes) => {
                sent[at] = bytes;
                report('upload', sum(sent));
              },
            }).andThrough((id) => recordChild(context, at, id));
          },
          (made) => onCreated?.({ children: made }),
        );

        report('wait');
        const until = clock.monotonic() + waitTimeoutMs;
        const containerId =
          recordedIn(context).container_id ??
          (yield* createCarousel(context, call, {
            children,
            slow: children.filter((_, at) => forms[at]?.['media_type'] !== undefined),
            form,
            waitTimeoutMs,
            onStatus,
          }));
        onCreated?.({ children: [...children], container_id: containerId });
        yield* record(context, { container_id: containerId });
        return publishReady(context, call, {
          containerId,
          children,
          content: { edge: 'media', mediaType: 'CAROUSEL_ALBUM', caption },
          statusFirst: true,
          onPublish: () => report('finish'),
          // The call may already have waited for the items.
          waitTimeoutMs: Math.max(0, until - clock.monotonic()),
          onStatus,
        })
          .map((published) => ({ ...published, children }))
          .orElse((failure) => nameFailedChild(context, call, children, failure));
      }),
    );
  });
}

/** The sum of numbers, some of which may be missing. */
function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The child at an index that an earlier call under the key created. */
function childOf(context: PicsContext, at: number): { readonly id: string } | undefined {
  const id = recordedIn(context).children?.[at];
  return id ? { id } : undefined;
}

/** Records the child at an index; children that do not exist yet are empty strings. */
function recordChild(context: PicsContext, at: number, id: string): ResultAsync<void, RequestFailure> {
  const children: (string | undefined)[] = [...(recordedIn(context).children ?? [])];
  children[at] = id;
  return record(context, { children: Array.from(children, (child = '') => child) });
}
