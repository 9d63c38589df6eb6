import { type Err, err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import { withIds, withMessage, withPayload } from '../../core/deriveError.ts';
import { ApiError, type ContainerNotReadyError, type RequestFailure } from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { toResultAsync } from '../../core/http/resultAsync.ts';
import { startPolling, statusRequest } from '../../core/waits/polling.ts';
import type { ContainerStatus } from '../../models/containerStatus.ts';
import type { PicsContext } from '../context.ts';
import { createContainer, type PublishCall, readContainer } from './container.ts';
import { describeNotReady, isFailed, isPending, type WaitOptions } from './containerWait.ts';
import { isNotReady } from './publishReady.ts';

/** Makes the containers of a carousel's images in parallel. `onChild` is called with those that exist. */
export function createChildren(
  context: PicsContext,
  call: PublishCall,
  imageUrls: readonly string[],
  onChild: (children: readonly string[]) => void,
): ResultAsync<string[], RequestFailure> {
  return toResultAsync(create());

  async function create(): Promise<Result<string[], RequestFailure>> {
    const made: Result<string, RequestFailure>[] = [];
    const children = (): string[] => made.flatMap((child) => (child.isOk() ? [child.value] : []));
    await Promise.all(
      imageUrls.map(async (image_url, at) => {
        const child = await createContainer(context, call, { image_url, is_carousel_item: true });
        made[at] = child;
        if (child.isOk()) onChild(children());
      }),
    );
    return firstFailure(made, children()) ?? ok(children());
  }
}

/** The failure of the first image that failed. */
function firstFailure(
  images: readonly Result<unknown, RequestFailure>[],
  children: readonly string[],
): Err<never, RequestFailure> | undefined {
  for (const [at, image] of images.entries()) {
    if (image.isOk()) continue;
    const error = withPayload(withIds(image.error, { children }), { failed_image: at + 1 });
    return err(withMessage(error, ofImage(at, images.length, error.message)));
  }
  return undefined;
}

/** Makes the container of a carousel. It waits for images that the platform still processes. */
export function createCarousel(
  context: PicsContext,
  call: PublishCall,
  children: readonly string[],
  caption: string | undefined,
  wait: WaitOptions,
): ResultAsync<string, RequestFailure> {
  return create()
    .orElse((failure) =>
      isNotReady(failure)
        ? toResultAsync(untilChildrenReady(context, call, children, wait)).andThen(create)
        : errAsync(failure),
    )
    .mapErr((failure) => withIds(failure, { children }));

  function create(): ResultAsync<string, RequestFailure> {
    return createContainer(context, call, { media_type: 'CAROUSEL', children: children.join(','), caption });
  }
}

/** Waits for the containers of all images. The first one that can never be published ends the wait. */
async function untilChildrenReady(
  context: PicsContext,
  call: PublishCall,
  children: readonly string[],
  { waitTimeoutMs = 300_000, onStatus }: WaitOptions,
): Promise<Result<void, RequestFailure>> {
  const notify = guardHook(onStatus);
  const known = new Map<string, ContainerStatus>();
  const isWaitedFor = (child: string): boolean => isPending(known.get(child));
  const { startedAt, poll } = startPolling<typeof known>(context, {
    waitTimeoutMs,
    pausesFirst: true,
    signal: call.signal,
    deadline: call.deadline,
    readStatus: (limits) => {
      const lookups = children.filter(isWaitedFor).map((child) =>
        readContainer(context, { ...limits, token: call.token }, child).map((status) => {
          known.set(child, status);
          const { id: containerId, ...state } = status;
          notify?.({ containerId, ...state, elapsedMs: context.clock.now() - startedAt });
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
  return at < 0 ? ok() : err(imageNotReady(at, children, known));

  function failedAt(): number {
    return children.findIndex((child) => isFailed(known.get(child)));
  }
}

/** An error without a container, since the container of an image cannot be published by itself. */
function imageNotReady(
  at: number,
  children: readonly string[],
  known: ReadonlyMap<string, ContainerStatus>,
): ApiError {
  const { message, payload, ...details } = describeNotReady(known.get(children[at] ?? ''));
  return new ApiError(ofImage(at, children.length, message), {
    ...details,
    payload: { ...payload, failed_image: at + 1 },
  });
}

/**
 * Adds the image that made a carousel's container fail. If no image has failed, the error stays as it is.
 */
export function nameFailedChild(
  context: PicsContext,
  call: PublishCall,
  children: readonly string[],
  failure: RequestFailure | ContainerNotReadyError,
): ResultAsync<never, RequestFailure | ContainerNotReadyError> {
  if (failure.name !== 'ContainerNotReadyError' || failure.statusCode !== 'ERROR') return errAsync(failure);
  return toResultAsync(name(failure));

  async function name(error: ContainerNotReadyError): Promise<Err<never, ContainerNotReadyError>> {
    const limits = statusRequest(context.clock, 0, call);
    const lookups = await Promise.all(
      children.map((child) => readContainer(context, { ...limits, token: call.token }, child)),
    );
    const states = lookups.map((lookup) => lookup.unwrapOr(undefined));
    const at = states.findIndex((state) => state?.status_code === 'ERROR');
    if (at < 0) return err(error);
    const named = withPayload(error, { failed_image: at + 1, failed_child: children[at] });
    return err(withMessage(named, ofImage(at, children.length, states[at]?.status ?? error.message)));
  }
}

function ofImage(at: number, count: number, message: string): string {
  return `image ${at + 1} of ${count}: ${message}`;
}
