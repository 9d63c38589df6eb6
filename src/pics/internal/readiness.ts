import { err, ok, type Result } from 'neverthrow';

import { withIds } from '../../core/deriveError.ts';
import { ContainerNotReadyError, type CreatedIds, type RequestFailure } from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import type { Rule } from '../../core/options/check.ts';
import type { ContainerStatus, ContainerStatusEvent } from '../../models/containerStatus.ts';
import type { PicsContext } from '../context.ts';
import { type PublishCall, readContainer } from './container.ts';

/** Options of every function that waits for a container. */
export interface WaitOptions {
  /**
   * Milliseconds to wait for the platform to take the media in. 0 looks once.
   * @default 300_000
   */
  readonly waitTimeoutMs?: number | undefined;
  /** Called after each look at the container. What it throws changes nothing. */
  readonly onStatus?: ((event: ContainerStatusEvent) => unknown) | undefined;
}

/** Rules for {@link WaitOptions}; `undefined` is let through. */
export const waitRules = {
  waitTimeoutMs: (value: unknown) =>
    value === undefined || (typeof value === 'number' && value >= 0)
      ? undefined
      : 'must be milliseconds, from 0 on',
  onStatus: (value: unknown) =>
    value === undefined || typeof value === 'function' ? undefined : 'must be a function',
} satisfies Record<string, Rule>;

/** Milliseconds between the first two looks, between two looks at most, and how the pauses grow. */
const firstPauseMs = 1000;
const longestPauseMs = 30_000;
const growth = 1.5;
/** Looks in a row that may fail: the platform fails some for a container that is fine. */
const failedLooks = 3;

/** Waiting for one container, which a call may have to come back to. */
export interface Wait {
  /** Instant at which the wait ends. */
  readonly until: number;
  /**
   * Waits until the container is `FINISHED` or `PUBLISHED`, for `leastMs` before the first look. After the
   * last look of the wait, it fails at once.
   */
  readonly untilReady: (
    leastMs?: number,
  ) => Promise<Result<ContainerStatus, RequestFailure | ContainerNotReadyError>>;
}

export interface WaitRequest extends WaitOptions {
  readonly containerId: string;
  /** The ids known so far, for failures. */
  readonly ids: CreatedIds;
  /** There is reason to think that the container is not ready: the first look is not taken at once. */
  readonly isEarly: boolean;
}

export function startWait(context: PicsContext, call: PublishCall, request: WaitRequest): Wait {
  const { clock, fetcher } = context;
  const { containerId, ids, isEarly, waitTimeoutMs = 300_000 } = request;
  const onStatus = guardHook(request.onStatus);
  const begun = clock.now();
  const until = begun + waitTimeoutMs;
  let pauseMs = isEarly ? firstPauseMs : 0;
  let isOver = false;
  let failed = 0;
  let last: ContainerStatus | undefined;
  let lastFailure: RequestFailure | undefined;

  return { until, untilReady };

  async function untilReady(
    leastMs = 0,
  ): Promise<Result<ContainerStatus, RequestFailure | ContainerNotReadyError>> {
    for (let least = leastMs; !isOver; least = 0) {
      const now = clock.now();
      const wait = Math.min(Math.max(least, pauseMs), Math.max(0, until - now));
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * growth));
      // What would go beyond the call's own deadline is not begun.
      if (now + wait >= call.deadline) break;
      if (wait > 0) {
        const paused = await fetcher.pause(clock, wait, call.signal);
        if (paused.isErr()) return err(withIds(paused.error, ids));
      }
      // Timers may fire a little early: the planned instant counts as well.
      isOver = now + wait >= until || clock.now() >= until;

      const look = await readContainer(context, call, containerId);
      if (look.isErr()) {
        lastFailure = look.error;
        if (isStopped(look.error) || ++failed >= failedLooks) return err(withIds(look.error, ids));
        continue;
      }
      failed = 0;
      last = look.value;
      const { status_code, status } = last;
      onStatus?.({ containerId, status_code, status, elapsedMs: clock.now() - begun });
      if (status_code === 'FINISHED' || status_code === 'PUBLISHED') return ok(last);
      if (status_code === 'ERROR' || status_code === 'EXPIRED') break;
    }
    return err(notReady());
  }

  function notReady(): ContainerNotReadyError {
    const { status_code, status } = last ?? {};
    const why = [status_code, status ?? lastFailure?.message].filter(Boolean).join(': ');
    const subcode = Number(/\b2207\d{3}\b/.exec(status ?? '')?.[0]) || undefined;
    const isLost = status_code === 'ERROR' || status_code === 'EXPIRED';
    return new ContainerNotReadyError(
      `the container ${isLost ? 'cannot be published' : 'is not ready'} (${why || 'its state is not known'})`,
      containerId,
      status_code,
      { ids, payload: { ...ids, status_code, status }, subcode, category: 'media' },
    );
  }
}

function isStopped(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && (failure.reason === 'aborted' || failure.reason === 'closed');
}
