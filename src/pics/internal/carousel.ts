import { err, type Err, errAsync, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { withIds, withMessage, withPayload } from '../../core/deriveError.ts';
import {
  ApiError,
  type ConfigurationError,
  type ContainerNotReadyError,
  type RequestFailure,
} from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { defaultWaitMs, startPolling, statusRequest } from '../../core/http/polling.ts';
import type { Params } from '../../core/http/types.ts';
import { fields, fieldsOf, listOf, type Rule } from '../../core/options/check.ts';
import { type FileSource, fileSource } from '../../core/options/fileSource.ts';
import { openDigested } from '../../core/writes/keyed.ts';
import type { ContainerStatus } from '../../models/media.ts';
import type { PicsContext } from '../context.ts';
import {
  createContainer,
  describeNotReady,
  isFailed,
  isPending,
  type PublishCall,
  readContainer,
  type WaitOptions,
} from './container.ts';
import {
  encodeAddress,
  type ImageOptions,
  imageRules,
  mediaAddress,
  postRules,
  refusing,
  thumbOffset,
  toImageForm,
  type Without,
} from './mediaOptions.ts';
import { isNotReady } from './publishMedia.ts';

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

export const mostItems = 10;

/** Names of the options that an item has but a carousel does not. */
export const itemOptions = { altText: 0, userTags: 0, productTags: 0, thumbOffsetMs: 0 };

/** The rule for `imageUrls`, of which the first ten are used. */
export const imageList: Rule = (value) => images(Array.isArray(value) ? value.slice(0, mostItems) : value);

const images = listOf(mediaAddress, 2, mostItems);

/** The rule for `items`: each has the options of its kind, but none of the carousel's. */
export function itemList(context: PicsContext): Rule {
  const post = refusing(postRules, 'the carousel');
  const images = imageRules(context);
  const image = fields({
    ...post,
    ...refusing({ thumbOffsetMs: 0 }, 'videos'),
    ...images,
    imageUrl: mediaAddress,
  });
  const video = { ...post, ...refusing({ imageUrl: 0, ...images }, 'images'), thumbOffsetMs: thumbOffset };
  const hosted = fields({ ...video, ...refusing({ video: 0 }, 'uploads'), videoUrl: mediaAddress });
  const uploaded = fields({ ...video, video: fileSource('videoUrl') });
  const item: Rule = (value) => {
    const { videoUrl, video: file } = fieldsOf(value);
    return (videoUrl !== undefined ? hosted : file !== undefined ? uploaded : image)(value);
  };
  return listOf(item, 2, mostItems);
}

/** The container parameters of an item. */
export function toItemForm(item: CarouselItem): Params {
  const { videoUrl } = item;
  return {
    is_carousel_item: true,
    ...(item.imageUrl === undefined
      ? {
          media_type: 'VIDEO',
          video_url: videoUrl && encodeAddress(videoUrl),
          thumb_offset: item.thumbOffsetMs,
        }
      : toImageForm(item.imageUrl, item)),
  };
}

/** Opens the files of items, before anything is sent. */
export function openItems(
  context: PicsContext,
  items: readonly CarouselItem[],
): ResultAsync<(Blob | undefined)[], ConfigurationError> {
  return ResultAsync.combine(
    items.map(({ video }, at) =>
      video === undefined ? okAsync(undefined) : openDigested(context, video, 'items', `items[${at}].video`),
    ),
  );
}

/** A carousel whose children exist. */
export interface CarouselRequest extends WaitOptions {
  readonly children: readonly string[];
  /** Those that the platform must process: the call waits for them before it creates the carousel's container. */
  readonly slow: readonly string[];
  readonly form: Params;
}

/** Creates the container of a carousel. It waits for children that the platform is still processing. */
export function createCarousel(
  context: PicsContext,
  call: CarouselCall,
  { children, slow, form, waitTimeoutMs = defaultWaitMs, onStatus }: CarouselRequest,
): ResultAsync<string, RequestFailure> {
  const { clock } = context;
  const endsAt = clock.monotonic() + waitTimeoutMs;
  return (slow.length === 0 ? create() : untilReady(slow, false).andThen(create))
    .orElse((failure) =>
      isNotReady(failure) ? untilReady(children, true).andThen(create) : errAsync(failure),
    )
    .mapErr((failure) => withIds(failure, { children }));

  function create(): ResultAsync<string, RequestFailure> {
    return createContainer(context, call, { ...form, media_type: 'CAROUSEL', children: children.join(',') });
  }

  function untilReady(awaited: readonly string[], pausesFirst: boolean): ResultAsync<void, RequestFailure> {
    const wait = { waitTimeoutMs: Math.max(0, endsAt - clock.monotonic()), onStatus, pausesFirst };
    return new ResultAsync(untilChildrenReady(context, call, children, awaited, wait));
  }
}

/** Waits for the containers of children. The first one that can never be published ends the wait. */
async function untilChildrenReady(
  context: PicsContext,
  call: CarouselCall,
  children: readonly string[],
  awaited: readonly string[],
  { onStatus, ...wait }: WaitOptions & { readonly waitTimeoutMs: number; readonly pausesFirst: boolean },
): Promise<Result<void, RequestFailure>> {
  const notify = guardHook(onStatus);
  const known = new Map<string, ContainerStatus>();
  const isWaitedFor = (child: string): boolean => awaited.includes(child) && isPending(known.get(child));
  const { startedAt, poll } = startPolling<typeof known>(context, {
    ...call,
    ...wait,
    readStatus: (limits) => {
      const lookups = children.filter(isWaitedFor).map((child) =>
        readContainer(context, { ...limits, token: call.token }, child).map((status) => {
          known.set(child, status);
          const { id: containerId, ...state } = status;
          notify?.({ containerId, ...state, elapsedMs: Math.round(context.clock.monotonic() - startedAt) });
        }),
      );
      return ResultAsync.combine(lookups)
        .map(() => known)
        .orElse((failure) => (failedAt() < 0 ? err(failure) : ok(known)));
    },
    isPending: () => failedAt() < 0 && children.some(isWaitedFor),
  });
  const polled = await poll();
  if (polled.isErr()) return err(polled.error);
  const at = failedAt() < 0 ? children.findIndex(isWaitedFor) : failedAt();
  return at < 0 ? ok() : err(childNotReady(at));

  function failedAt(): number {
    return children.findIndex((child) => isFailed(known.get(child)));
  }

  /** An error without a container, since the container of a child cannot be published alone. */
  function childNotReady(at: number): ApiError {
    const { message, ...details } = describeNotReady(known.get(children[at] ?? ''));
    return ofChild(new ApiError(message, details), call.noun, at, children.length);
  }
}

/** The call that publishes a carousel. */
export interface CarouselCall extends PublishCall {
  /** What error messages call one of its children. */
  readonly noun: 'image' | 'item';
}

/** What is needed to create a child. */
export interface ChildRequest {
  /** Called with the id of its container as soon as it is known. */
  readonly onMade: (id: string) => void;
  /** Ends its upload: the call is aborted, or another child has failed. */
  readonly uploadSignal: AbortSignal;
}

/**
 * Creates the children for a carousel's items, of which there are at most ten, in parallel. `onChild` is called with
 * those that exist, in the order of the items.
 */
export function createChildren<TItem>(
  context: PicsContext,
  { noun, signal }: CarouselCall,
  items: readonly TItem[],
  createChild: (
    item: TItem,
    at: number,
    request: ChildRequest,
  ) => PromiseLike<Result<string, RequestFailure>>,
  onChild: (children: readonly string[]) => void,
): ResultAsync<readonly string[], RequestFailure> {
  return new ResultAsync(create());

  async function create(): Promise<Result<readonly string[], RequestFailure>> {
    const ids: (string | undefined)[] = [];
    const children = (): readonly string[] => ids.filter((id) => id !== undefined);
    const uploads = new AbortController();
    const stopUploads = (): void => uploads.abort(signal?.reason);
    if (signal?.aborted) stopUploads();
    signal?.addEventListener('abort', stopUploads);
    const made = await Promise.all(
      items.map(async (item, at) => {
        const onMade = (id: string): void => {
          ids[at] = id;
          onChild(children());
        };
        const child = await createChild(item, at, { onMade, uploadSignal: uploads.signal });
        // Without this child, uploading the others is pointless.
        if (child.isErr()) stopUploads();
        return child;
      }),
    );
    signal?.removeEventListener('abort', stopUploads);

    const failures = made.flatMap((child, at) => (child.isErr() ? [{ at, failure: child.error }] : []));
    // The failure of an upload that was stopped because of another child is not the cause.
    const first = failures.find(({ failure }) => !isAborted(failure)) ?? failures[0];
    if (first === undefined) return ok(children());
    const failure = withIds(first.failure, { children: children() });
    return err(ofChild(failure, noun, first.at, items.length));
  }
}

function isAborted(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && failure.reason === 'aborted';
}

/** Adds to a failure which child it is about. */
function ofChild<TFailure extends RequestFailure | ContainerNotReadyError>(
  failure: TFailure,
  noun: CarouselCall['noun'],
  at: number,
  count: number,
  reason = failure.message,
): TFailure {
  const message = `${noun} ${at + 1} of ${count}: ${reason}`;
  return withMessage(withPayload(failure, { failed_image: at + 1 }), message);
}

/** Adds to an error which child made the carousel's container fail. If none failed, the error stays as it is. */
export function nameFailedChild(
  context: PicsContext,
  call: CarouselCall,
  children: readonly string[],
  failure: RequestFailure | ContainerNotReadyError,
): ResultAsync<never, RequestFailure | ContainerNotReadyError> {
  return new ResultAsync(name());

  async function name(): Promise<Err<never, RequestFailure | ContainerNotReadyError>> {
    if (failure.name !== 'ContainerNotReadyError' || failure.statusCode !== 'ERROR') return err(failure);
    const limits = statusRequest(context.clock, 0, call);
    const lookups = await Promise.all(
      children.map((child) => readContainer(context, { ...limits, token: call.token }, child)),
    );
    const states = lookups.map((lookup) => lookup.unwrapOr(undefined));
    const at = states.findIndex((state) => state?.status_code === 'ERROR');
    if (at < 0) return err(failure);
    const named = withPayload(failure, { failed_child: children[at] });
    return err(ofChild(named, call.noun, at, children.length, states[at]?.status ?? failure.message));
  }
}
