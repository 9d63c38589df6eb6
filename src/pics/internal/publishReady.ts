import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../../core/deriveError.ts';
import { ApiError, type ContainerNotReadyError, type RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { safeTry } from '../../core/http/resultAsync.ts';
import { findMade, sendOnce } from '../../core/writes/once.ts';
import { createdSchema } from '../../models/created.ts';
import type { Published } from '../../models/published.ts';
import type { PicsContext } from '../context.ts';
import type { PublishCall } from './container.ts';
import { startContainerWait, type WaitOptions } from './containerWait.ts';
import { type Content, publishedMedia } from './publishedMedia.ts';

/** A container to publish. */
export interface PublishRequest extends WaitOptions {
  readonly containerId: string;
  /** Ids of the images of a carousel, for failures. */
  readonly children?: readonly string[] | undefined;
  readonly content: Content;
  /** Instant before which it cannot have been published. */
  readonly since: number;
  /** Whether the container's status is read before the first attempt to publish it. */
  readonly statusFirst: boolean;
}

/** Milliseconds before a container that the platform does not find for now is published again, and how often. */
const notFoundPauseMs = 30_000;
const notFoundRetries = 2;

/**
 * Publishes a container, once it is ready, and exactly once: every kind of media goes through here.
 *
 * "Not ready" as the answer to the publish itself goes back to waiting.
 */
export function publishReady(
  context: PicsContext,
  call: PublishCall,
  request: PublishRequest,
): ResultAsync<Published, RequestFailure | ContainerNotReadyError> {
  const { containerId, children, content, since, statusFirst, waitTimeoutMs, onStatus } = request;
  const { account, ...limits } = call;
  const ids = { container_id: containerId, ...(children && { children }) };
  const { afterPublish, ofPublished } = publishedMedia(context, call, containerId, content, ids);
  const wait = startContainerWait(context, call, {
    containerId,
    ids,
    pausesFirst: !statusFirst,
    waitTimeoutMs,
    onStatus,
  });

  return safeTry(async function* () {
    let pauseMs: number | undefined = statusFirst ? 0 : undefined;
    for (let retries = 0; ;) {
      if (pauseMs !== undefined) {
        const { status_code } = yield* await wait.untilReady(pauseMs);
        if (status_code === 'PUBLISHED') return findPublished();
      }
      const sent = await sendOnce(
        context,
        {
          ...limits,
          method: 'POST',
          path: path`${account}/media_publish`,
          form: { creation_id: containerId },
          schema: createdSchema,
        },
        afterPublish,
      );
      if (sent.isOk()) return ok({ container_id: containerId, media_id: sent.value.id });

      const { error } = sent;
      if (isNotReady(error)) {
        pauseMs = 0;
      } else if (
        isNotFound(error) &&
        retries++ < notFoundRetries &&
        context.clock.now() + notFoundPauseMs <= wait.endsAt
      ) {
        pauseMs = notFoundPauseMs;
      } else {
        return err(error);
      }
    }
  });

  async function findPublished(): Promise<Result<Published, RequestFailure>> {
    const found = await findMade(context, ofPublished, since);
    if (found.isErr()) return err(withOutcome(withIds(found.error, ids), 'applied'));
    if (found.value !== undefined) return ok({ container_id: containerId, media_id: found.value.id });
    return err(
      new ApiError('the container is published already; which media it became cannot be told', {
        payload: ids,
        ids,
        outcome: 'applied',
      }),
    );
  }
}

/** The platform says that it still processes the media. */
export function isNotReady(failure: RequestFailure): boolean {
  return failure.name === 'ApiError' && failure.code === 9007 && failure.outcome === 'rejected';
}

/** The platform has no such container, for now: it may find it again. */
function isNotFound(failure: RequestFailure): boolean {
  return failure.name === 'ApiError' && failure.subcode === 2207008 && failure.outcome === 'rejected';
}
