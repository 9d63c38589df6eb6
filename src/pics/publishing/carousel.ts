import { type Err, err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import { itemsNamed, withIds, withItem, withMessage, withPayload } from '../../core/deriveError.ts';
import type { ContainerNotReadyError, Failure, RequestFailure } from '../../core/errors.ts';
import { ApiError } from '../../core/errors.ts';
import { guardHook } from '../../core/http/guardHook.ts';
import { defaultWaitMs, startPolling, statusRequest } from '../../core/http/polling.ts';
import { safeTry } from '../../core/http/send.ts';
import type { Params } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/objects.ts';
import { check, exactlyOneOf } from '../../core/options/check.ts';
import { hasAborted, reasonOf, whenAborted } from '../../core/options/clock.ts';
import { type FileSource, fileSource } from '../../core/options/fileSource.ts';
import * as rule from '../../core/options/rules.ts';
import { progressReport, type Report, type UploadOptions, uploadRules } from '../../core/upload.ts';
import { keyRule, openDigested, performKeyed, recordIds, recordedIn } from '../../core/writes/keyed.ts';
import type { ContainerStatus, PublishedCarousel } from '../../models/media.ts';
import { accountOf, accountRules, checkKeyedAccount, rulesByMode, type Mode } from '../accountOptions.ts';
import { checkAddOn, withAddOn } from '../addOns.ts';
import type { PicsContext } from '../context.ts';
import type { PublishCall, PublishingOptions, WaitOptions } from './container.ts';
import * as container from './container.ts';
import type { ImageOptions, PostOptions, Without } from './options.ts';
import * as media from './options.ts';
import { isNotReady, publishReady } from './publishMedia.ts';

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
   * Public HTTPS addresses of 2 to 10 JPEGs. If there are more, the first 10 are used, and `leftOut` of the value says how
   * many were left out. All are cropped to the aspect ratio of the first.
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

export type PublishCarouselFailure = Failure | ContainerNotReadyError;

/**
 * Publishes 2 to 10 images and videos as one post. It counts once against the daily quota. Of more than 10 `imageUrls`, the
 * first 10 are published, and the value says how many were left out (`leftOut`); more than 10 `items` are refused.
 *
 * The containers of the items are created in parallel. If one fails, nothing is published, and running uploads are
 * stopped: the error's message says which one, and `failedItem`, counted from 0; `children` holds
 * the containers that exist. The same applies if an item is not ready in time, or makes the carousel's own container
 * fail. Otherwise it works like `publish`.
 *
 * Fails with ContainerNotReadyError when the carousel is not ready in time, and at once when its state is
 * `ERROR` or `EXPIRED`.
 *
 * Source: Content Publishing guide.
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
 */
export function publishCarousel(
  context: PicsContext,
  options: PublishCarouselOptions,
): ResultAsync<PublishedCarousel, PublishCarouselFailure> {
  const checked = check(
    context,
    options,
    carouselRules(context),
    checkKeyedAccount,
    exactlyOneOf('imageUrls', 'items'),
    checkAddOn,
  );
  const leftOut = surplusOf(options);
  return performKeyed(context, 'publishCarousel', checked, 'pics', (context, base, options) => {
    const { picsUserId, imageUrls, caption = '', waitTimeoutMs = defaultWaitMs, onStatus } = options;
    const noun = imageUrls === undefined ? 'item' : 'image';
    const call = { ...base, account: accountOf(picsUserId), noun } as const;
    const { clock } = context;
    const onCreated = guardHook(options.onCreated);
    return safeTry(async function* () {
      const items: readonly CarouselItem[] =
        options.items ?? imageUrls?.slice(0, maxItems).map((imageUrl) => ({ imageUrl })) ?? [];
      const forms = items.map(toItemForm);
      // All files, before anything is sent.
      const files = yield* ResultAsync.combine(
        items.map(({ video }, at) => openDigested(context, call, video, `items[${at}].video`, undefined)),
      );
      const sizes = files.flatMap((file) => file?.size ?? []);
      const report = progressReport(context, options, sizes.length === 0 ? undefined : { size: sum(sizes) });

      report('start', 0);
      const children = yield* new ResultAsync(
        createChildren(context, call, { forms, files, options, report, onCreated }),
      );

      report('wait');
      const endsAt = clock.monotonic() + waitTimeoutMs;
      const containerId =
        recordedIn(context).container_id ??
        (yield* createCarousel(context, call, {
          children,
          slow: children.filter((_, at) => forms[at]?.['media_type'] !== undefined),
          form: media.toPostForm(options),
          endsAt,
          onStatus,
        }));
      onCreated?.({ children: [...children], container_id: containerId });
      yield* recordIds(context, { container_id: containerId });
      return publishReady(context, call, {
        containerId,
        children,
        content: { edge: 'media', mediaType: 'CAROUSEL_ALBUM', caption },
        onPublish: () => report('finish'),
        // The call may already have waited for the items.
        waitTimeoutMs: Math.max(0, endsAt - clock.monotonic()),
        onStatus,
      })
        .andThen((published) =>
          withAddOn(context, base, options, { ...published, children, ...(leftOut > 0 && { leftOut }) }),
        )
        .orElse((failure) => new ResultAsync(nameFailedChild(context, call, children, failure)));
    });
  });
}

/** The sum of numbers, some of which may be missing. */
function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Records the child at an index; children that do not exist yet are empty strings. */
function recordChild(context: PicsContext, at: number, id: string): ResultAsync<void, RequestFailure> {
  const children: (string | undefined)[] = [...(recordedIn(context).children ?? [])];
  children[at] = id;
  return recordIds(context, { children: Array.from(children, (child = '') => child) });
}

interface VideoItemOptions {
  /**
   * The frame that represents the video: whole milliseconds from the beginning, within the video.
   * @default 0
   */
  readonly thumbOffsetMs?: number | undefined;
}

/** An image of a carousel. */
export interface CarouselImage extends ImageOptions, Without<VideoItemOptions> {
  /** Public HTTPS address of a JPEG of at most 8 MB. */
  readonly imageUrl: string;
  readonly videoUrl?: undefined;
  readonly video?: undefined;
}

/** A video of a carousel, at a public address. */
export interface CarouselVideo extends VideoItemOptions, Without<ImageOptions> {
  /** Public HTTPS address of an MP4 or MOV. */
  readonly videoUrl: string;
  readonly imageUrl?: undefined;
  readonly video?: undefined;
}

/** An uploaded video of a carousel. */
export interface CarouselUpload extends VideoItemOptions, Without<ImageOptions> {
  /**
   * An MP4 or MOV: its bytes, or the path of its file as a string or a file URL. Never use a path from user input. A
   * file is streamed, and must not change meanwhile. In login mode the platform may refuse uploads.
   */
  readonly video: FileSource;
  readonly imageUrl?: undefined;
  readonly videoUrl?: undefined;
}

export type CarouselItem = CarouselImage | CarouselVideo | CarouselUpload;

const maxItems = 10;

/** How many images a carousel does not take. */
function surplusOf(options: unknown): number {
  try {
    const { imageUrls } = fieldsOf(options);
    return Array.isArray(imageUrls) ? Math.max(0, imageUrls.length - maxItems) : 0;
  } catch {
    // The check of the options says so.
    return 0;
  }
}

/** The rule for `imageUrls`, of which the first ten are used. */
const imageList: rule.Rule = rule.as(
  'address',
  v.pipe(
    v.unknown(),
    v.transform((value) => (Array.isArray(value) ? value.slice(0, maxItems) : value)),
    rule.listOf(media.imageAddress, 2),
  ),
);

/** The rule for an item: it has the options of its kind, but none of the carousel's. */
function itemRule(mode: Mode): rule.Rule {
  return rule.fields(
    {
      ...rule.refuseOptions(media.ofReels, 'Reels'),
      ...rule.refuseOptions(media.postRules(mode), 'the carousel'),
      ...sourceRules,
      ...media.imageRules(mode),
      thumbOffsetMs: media.thumbOffset,
    },
    (item) => {
      if (item['videoUrl'] === undefined && item['video'] === undefined) {
        return item['imageUrl'] === undefined
          ? rule.faultOf(`must be ${media.anImage}`, 'imageUrl')
          : (media.faultInKind(item, { thumbOffsetMs: 0 }, 'videos') ??
              media.faultInTags(item['userTags'], true));
      }
      return (
        media.faultInKind(item, { imageUrl: 0, userTags: 0, ...media.ofImages }, 'images') ??
        (item['videoUrl'] === undefined ? undefined : media.faultInKind(item, { video: 0 }, 'uploads'))
      );
    },
  );
}

/** The options of which each item has one. */
const sourceRules = {
  imageUrl: rule.optional(media.imageAddress),
  videoUrl: rule.optional(media.mediaAddress),
  video: rule.optional(fileSource('videoUrl')),
};

const carouselRules = rulesByMode((mode) => ({
  idempotencyKey: keyRule,
  ...accountRules(mode),
  imageUrls: rule.optional(imageList),
  items: rule.optional(rule.listOf(itemRule(mode), 2, maxItems)),
  onCreated: rule.optional(rule.hook),
  ...rule.refuseOptions(media.reelRules, 'Reels'),
  ...rule.refuseOptions({ ...sourceRules, thumbOffsetMs: 0, ...media.imageRules(mode) }, 'items'),
  ...media.postRules(mode),
  ...uploadRules,
  ...container.waitRules,
  ...media.atOnce,
}));

function toItemForm(item: CarouselItem): Params {
  const { videoUrl } = item;
  return {
    is_carousel_item: true,
    ...(item.imageUrl === undefined
      ? {
          media_type: 'VIDEO',
          video_url: videoUrl,
          thumb_offset: item.thumbOffsetMs,
        }
      : media.toImageForm(item.imageUrl, item)),
  };
}

interface CarouselRequest extends Pick<WaitOptions, 'onStatus'> {
  readonly children: readonly string[];
  /** Those that the platform must process: the call waits for them before it creates the carousel's container. */
  readonly slow: readonly string[];
  readonly form: Params;
  /** When the wait times out. */
  readonly endsAt: number;
}

/** Creates the container of a carousel. It waits for children that the platform is still processing. */
function createCarousel(
  context: PicsContext,
  call: CarouselCall,
  { children, slow, form, endsAt, onStatus }: CarouselRequest,
): ResultAsync<string, RequestFailure> {
  return (slow.length === 0 ? create() : untilReady(slow, false).andThen(create))
    .orElse((failure) =>
      isNotReady(failure) ? untilReady(children, true).andThen(create) : errAsync(failure),
    )
    .mapErr((failure) => withIds(failure, { children }));

  function create(): ResultAsync<string, RequestFailure> {
    return container
      .createContainer(context, call, {
        ...form,
        media_type: 'CAROUSEL',
        children: children.join(','),
      })
      .mapErr((failure) => {
        const [at, ...others] = itemsNamed(failure, 'children', children);
        return at === undefined || others.length > 0
          ? failure
          : ofChild(failure, call.noun, at, children.length);
      });
  }

  /** Waits for containers of children. The first one that can never be published ends the wait. */
  function untilReady(awaited: readonly string[], pausesFirst: boolean): ResultAsync<void, RequestFailure> {
    const known = new Map<string, ContainerStatus>();
    const read = container.statusReader(context, call, onStatus);
    const isWaitedFor = (child: string): boolean =>
      awaited.includes(child) && container.isPending(known.get(child));
    const failedAt = (): number => children.findIndex((child) => container.isFailed(known.get(child)));
    const { poll } = startPolling<typeof known>(context, {
      ...call,
      waitTimeoutMs: Math.max(0, endsAt - context.clock.monotonic()),
      pausesFirst,
      readStatus: (limits) => {
        const lookups = children
          .filter(isWaitedFor)
          .map((child) => read(limits, child).map((status) => known.set(child, status)));
        return ResultAsync.combine(lookups)
          .map(() => known)
          .orElse((failure) => (failedAt() < 0 ? err(failure) : ok(known)));
      },
      isPending: () => failedAt() < 0 && children.some(isWaitedFor),
    });
    return new ResultAsync(poll()).andThen(() => {
      const at = failedAt() < 0 ? children.findIndex(isWaitedFor) : failedAt();
      if (at < 0) return ok();
      const status = known.get(children[at] ?? '');
      // An error without a container, since that of a child cannot be published alone.
      const { message, ...details } = container.describeNotReady(status);
      const action = container.isFailed(status) ? undefined : 'wait';
      return err(ofChild(new ApiError(message, { ...details, action }), call.noun, at, children.length));
    });
  }
}

/** The call that publishes a carousel. */
interface CarouselCall extends PublishCall {
  /** What error messages call one of its children. */
  readonly noun: 'image' | 'item';
}

/** The children to create, each with its form and its file. */
interface NewChildren {
  readonly forms: readonly Params[];
  readonly files: readonly (Blob | undefined)[];
  readonly options: PublishCarouselOptions;
  readonly report: Report;
  readonly onCreated: ((ids: CreatedCarousel) => void) | undefined;
}

/** Creates the containers of children in parallel: there are ten at most. A failure of one stops the uploads of all. */
async function createChildren(
  context: PicsContext,
  call: CarouselCall,
  { forms, files, options, report, onCreated }: NewChildren,
): Promise<Result<readonly string[], RequestFailure>> {
  const { signal } = call;
  const ids: (string | undefined)[] = [];
  const children = (): readonly string[] => ids.filter((id) => id !== undefined);
  const sent: number[] = [];
  const uploads = new AbortController();
  const stopUploads = (): void => uploads.abort(reasonOf(signal));
  if (hasAborted(signal)) stopUploads();
  const ignore = whenAborted(signal, stopUploads);
  const made = await Promise.all(
    forms.map(async (form, at) => {
      // An earlier call under the key may have created it: a child is recorded once its video is uploaded completely.
      const recorded = recordedIn(context).children?.[at];
      const child = await container
        .createMedia(context, call, {
          form,
          options,
          file: recorded ? undefined : files[at],
          known: recorded ? { id: recorded } : undefined,
          uploadSignal: uploads.signal,
          onMade: (id) => {
            ids[at] = id;
            onCreated?.({ children: children() });
          },
          onSent: (bytes) => {
            sent[at] = bytes;
            report('upload', sum(sent));
          },
        })
        .andThrough((id) => recordChild(context, at, id));
      // Without this child, uploading the others is pointless.
      if (child.isErr()) stopUploads();
      return child;
    }),
  );
  ignore();

  const failures = made.flatMap((child, at) => (child.isErr() ? [{ at, failure: child.error }] : []));
  // The failure of an upload that was stopped because of another child is not the cause.
  const first = failures.find(({ failure }) => !isAborted(failure)) ?? failures[0];
  if (first === undefined) return ok(children());
  const failure = withIds(first.failure, { children: children() });
  return err(ofChild(failure, call.noun, first.at, forms.length));
}

function isAborted(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && failure.reason === 'aborted';
}

function ofChild<TFailure extends RequestFailure | ContainerNotReadyError>(
  failure: TFailure,
  noun: CarouselCall['noun'],
  at: number,
  count: number,
  reason = failure.message,
): TFailure {
  const message = `${noun} ${at + 1} of ${count}: ${reason}`;
  return withMessage(withItem(failure, at), message);
}

/** Adds to an error which child made the carousel's container fail. If none failed, the error stays as it is. */
async function nameFailedChild(
  context: PicsContext,
  call: CarouselCall,
  children: readonly string[],
  failure: RequestFailure | ContainerNotReadyError,
): Promise<Err<never, RequestFailure | ContainerNotReadyError>> {
  if (failure.name !== 'ContainerNotReadyError' || failure.statusCode !== 'ERROR') return err(failure);
  const limits = { ...statusRequest(context.clock, 0, call), token: call.token };
  const states = await Promise.all(
    children.map((child) => container.readContainer(context, limits, child).unwrapOr(undefined)),
  );
  const at = states.findIndex((state) => state?.status_code === 'ERROR');
  if (at < 0) return err(failure);
  const withChild = withPayload(failure, { failed_child: children[at] });
  return err(ofChild(withChild, call.noun, at, children.length, states[at]?.status ?? failure.message));
}
