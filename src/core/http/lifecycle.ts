import { err, ok, type Result } from 'neverthrow';

import { type TransportCause, TransportError } from '../errors.ts';
import { after, hasAborted, whenAborted } from '../options/clock.ts';
import { causes } from './networkFailure.ts';
import { createRedact } from './redact.ts';
import type { CallLimits, Fetcher, HttpContext, InFlight, StopReason } from './types.ts';

/**
 * The calls and operations in flight on a context: they end at their time limit, at the caller's signal, and when the
 * context is closed.
 */
export type Lifecycle = Pick<Fetcher, 'withTimeout' | 'pause' | 'inFlight'>;

const stopMessages: Readonly<Record<StopReason, string>> = {
  timeout: 'the time for the request ran out',
  aborted: 'the call was aborted',
  closed: 'the client is closed',
};

/** The failure of work that was stopped. If it was aborted, the cause is the reason of `signal`. */
export function transportError(reason: StopReason, signal?: AbortSignal): TransportError {
  let message = stopMessages[reason];
  let cause: TransportCause | undefined;
  if (reason === 'aborted') {
    const [, given] = causes(signal);
    if (given?.name === 'TimeoutError') message += ': its signal timed out';
    // The reason comes from the caller and may hold a token. Tokens that the call knows are masked when it ends.
    cause = createRedact([])({
      ...given,
      name: given?.name ?? 'unknown',
      message: given?.message || message,
    });
  }
  return new TransportError(reason, message, { cause });
}

export function createLifecycle(): Lifecycle {
  const inFlight: InFlight = { stops: new Set(), calls: 0, yielded: 0, isClosing: false, isClosed: false };

  const withTimeout: Lifecycle['withTimeout'] = (ms, signal, work) =>
    new Promise((resolve, reject) => {
      if (inFlight.isClosed) return reject(transportError('closed'));
      if (hasAborted(signal)) return reject(transportError('aborted', signal));
      const controller = new AbortController();
      const endTimer = after(ms, () => stop('timeout'));
      const ignore = whenAborted(signal, () => stop('aborted'));
      inFlight.stops.add(stop);
      // In one step: each further promise would add to the cost of a call.
      work(controller.signal).then(
        (value) => {
          release();
          resolve(value);
        },
        (thrown: unknown) => {
          release();
          reject(thrown);
        },
      );

      function release(): void {
        endTimer();
        ignore();
        inFlight.stops.delete(stop);
      }
      function stop(reason: StopReason): void {
        release();
        // Rejects before the abort, so that it no longer matters how the work then ends.
        reject(transportError(reason, signal));
        controller.abort();
      }
    });

  return {
    inFlight,
    withTimeout,
    pause: async (clock, ms, signal) => {
      try {
        await withTimeout(Infinity, signal, (stop) => clock.sleep(ms, stop));
        return ok();
      } catch (thrown) {
        // `withTimeout` rejects only with this error.
        return err(thrown as TransportError);
      }
    },
  };
}

/**
 * Does work of the caller's within a call, such as reading a file, which may never end: what ends the call, ends the
 * wait for it. So does `mostMs`.
 */
export async function duringCall<T>(
  { fetcher, clock }: HttpContext,
  { deadline, signal }: Pick<CallLimits, 'deadline' | 'signal'>,
  work: (stop: AbortSignal) => PromiseLike<T>,
  mostMs = Infinity,
): Promise<Result<T, TransportError>> {
  // No call begins in a context that is closing.
  if (Number.isNaN(deadline)) return err(transportError('closed'));
  const leftMs = Math.max(0, Math.min(mostMs, deadline - clock.monotonic()));
  try {
    return ok(await fetcher.withTimeout(leftMs, signal, async (stop) => work(stop)));
  } catch (thrown) {
    if (thrown instanceof TransportError) return err(thrown);
    throw thrown;
  }
}
