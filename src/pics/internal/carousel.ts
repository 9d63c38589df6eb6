import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import type { ContainerNotReadyError, RequestFailure } from '../../core/errors.ts';
import { withIds } from '../../core/once.ts';
import type { PicsContext } from '../context.ts';
import { createContainer, type PublishCall } from './container.ts';
import { isNotReady } from './publishReady.ts';
import { startWait, type WaitOptions } from './readiness.ts';

/** Makes the containers of a carousel's images, all at once. */
export function createChildren(
  context: PicsContext,
  call: PublishCall,
  imageUrls: readonly string[],
): ResultAsync<string[], RequestFailure> {
  return new ResultAsync(create());

  async function create(): Promise<Result<string[], RequestFailure>> {
    const made = await Promise.all(
      imageUrls.map((image_url) => createContainer(context, call, { image_url, is_carousel_item: true })),
    );
    const children = made.flatMap((child) => (child.isOk() ? [child.value] : []));
    const at = made.findIndex((child) => child.isErr());
    const failed = made[at];
    if (failed === undefined || failed.isOk()) return ok(children);
    const message = `image ${at + 1} of ${made.length}: ${failed.error.message}`;
    return err(Object.assign(withIds(failed.error, { children, failed_image: at + 1 }), { message }));
  }
}

/** Makes the container of a carousel. Where an image is not taken in yet, it is waited for. */
export function createCarousel(
  context: PicsContext,
  call: PublishCall,
  children: readonly string[],
  caption: string | undefined,
  options: WaitOptions,
): ResultAsync<string, RequestFailure | ContainerNotReadyError> {
  const ids = { children };
  return create()
    .orElse((failure) =>
      isNotReady(failure)
        ? new ResultAsync(untilAllReady()).andThen(create)
        : errAsync<string, RequestFailure | ContainerNotReadyError>(failure),
    )
    .mapErr((failure) => (failure.name === 'ContainerNotReadyError' ? failure : withIds(failure, ids)));

  function create(): ResultAsync<string, RequestFailure> {
    return createContainer(context, call, { media_type: 'CAROUSEL', children: children.join(','), caption });
  }

  async function untilAllReady(): Promise<Result<unknown, RequestFailure | ContainerNotReadyError>> {
    const waits = children.map((containerId) =>
      startWait(context, call, { ...options, containerId, ids, isEarly: true }).untilReady(),
    );
    const settled = await Promise.all(waits);
    return settled.find((child) => child.isErr()) ?? ok(undefined);
  }
}
