import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import { withIds } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { toResultAsync } from '../../core/http/resultAsync.ts';
import type { Params } from '../../core/http/types.ts';
import { startPolling } from '../../core/waits/polling.ts';
import type { ContainerStatus } from '../../models/containerStatus.ts';
import type { PicsContext } from '../context.ts';
import { type CarouselCall, ofChild } from './children.ts';
import { createContainer, readContainer } from './container.ts';
import { describeNotReady, isFailed, isPending, type WaitOptions } from './containerWait.ts';
import { isNotReady } from './publishReady.ts';

/** A carousel whose children exist. */
export interface CarouselRequest extends WaitOptions {
  readonly children: readonly string[];
  /** Those that the platform needs time for: they are waited for before the carousel is asked for. */
  readonly slow: readonly string[];
  readonly form: Params;
}

/** Makes the container of a carousel. It waits for children that the platform still processes. */
export function createCarousel(
  context: PicsContext,
  call: CarouselCall,
  { children, slow, form, waitTimeoutMs = 300_000, onStatus }: CarouselRequest,
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
    return toResultAsync(context, untilChildrenReady(context, call, children, awaited, wait));
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
    ...wait,
    signal: call.signal,
    deadline: call.deadline,
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

  /** An error without a container, since the container of a child cannot be published by itself. */
  function childNotReady(at: number): ApiError {
    const { message, ...details } = describeNotReady(known.get(children[at] ?? ''));
    return ofChild(new ApiError(message, details), call.noun, at, children.length);
  }
}
