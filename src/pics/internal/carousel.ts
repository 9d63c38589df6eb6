import { type Err, err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import { withIds, withMessage, withPayload } from '../../core/deriveError.ts';
import type { ContainerNotReadyError, CreatedIds, RequestFailure } from '../../core/errors.ts';
import type { PicsContext } from '../context.ts';
import { createContainer, type PublishCall, readContainer } from './container.ts';
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
    return firstFailure(made, { children }) ?? ok(children);
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
  return create()
    .orElse((failure) =>
      isNotReady(failure)
        ? new ResultAsync(untilAllReady()).andThen(create)
        : errAsync<string, RequestFailure | ContainerNotReadyError>(failure),
    )
    .mapErr((failure) => withIds(failure, { children }));

  function create(): ResultAsync<string, RequestFailure> {
    return createContainer(context, call, { media_type: 'CAROUSEL', children: children.join(','), caption });
  }

  async function untilAllReady(): Promise<Result<unknown, RequestFailure | ContainerNotReadyError>> {
    const waits = children.map((containerId) =>
      startWait(context, call, {
        ...options,
        containerId,
        ids: { container_id: containerId, children },
        isEarly: true,
      }).untilReady(),
    );
    return firstFailure(await Promise.all(waits), {}) ?? ok(undefined);
  }
}

/**
 * Names the image because of which a carousel's container failed. Where no image says that it failed, the error
 * stays as it is.
 */
export function nameFailedChild(
  context: PicsContext,
  call: PublishCall,
  children: readonly string[],
  failure: RequestFailure | ContainerNotReadyError,
): ResultAsync<never, RequestFailure | ContainerNotReadyError> {
  if (failure.name !== 'ContainerNotReadyError' || failure.statusCode !== 'ERROR') return errAsync(failure);
  return new ResultAsync(name(failure));

  async function name(error: ContainerNotReadyError): Promise<Err<never, ContainerNotReadyError>> {
    const looks = await Promise.all(children.map((child) => readContainer(context, call, child)));
    const states = looks.map((look) => look.unwrapOr(undefined));
    const at = states.findIndex((state) => state?.status_code === 'ERROR');
    if (at < 0) return err(error);
    const why = `image ${at + 1} of ${children.length}: ${states[at]?.status ?? error.message}`;
    return err(withMessage(withPayload(error, { failed_image: at + 1, failed_child: children[at] }), why));
  }
}

/** The first image that failed, told in the error. */
function firstFailure<TFailure extends RequestFailure | ContainerNotReadyError>(
  images: readonly Result<unknown, TFailure>[],
  ids: CreatedIds,
): Err<never, TFailure> | undefined {
  for (const [at, image] of images.entries()) {
    if (image.isOk()) continue;
    const error = withPayload(withIds(image.error, ids), { failed_image: at + 1 });
    return err(withMessage(error, `image ${at + 1} of ${images.length}: ${error.message}`));
  }
  return undefined;
}
