import { err, ok, type Result } from 'neverthrow';

import { type Outcome, TransportError, type TransportReason } from '../errors.ts';
import type { Clock } from '../options/clock.ts';

/** Ends work at a time limit, at the caller's signal and when the context is closed. */
export interface Lifecycle {
  /** Runs `work`; rejects with a TransportError when it is ended before its time. */
  readonly within: <T>(
    ms: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ) => Promise<T>;
  /** Waits; fails as soon as the wait is ended. */
  readonly pause: (
    clock: Clock,
    ms: number,
    signal: AbortSignal | undefined,
  ) => Promise<Result<void, TransportError>>;
  /** Ends all that is under way, and what comes later. */
  readonly close: () => void;
}

const messages: Readonly<Record<TransportReason, string>> = {
  network: 'the network failed',
  timeout: 'the time for the request ran out',
  aborted: 'the call was aborted',
  closed: 'the client is closed',
};

export function lifecycleError(reason: TransportReason, outcome?: Outcome): TransportError {
  return new TransportError(reason, messages[reason], outcome);
}

export function createLifecycle(): Lifecycle {
  const live = new Set<(reason: TransportReason) => void>();
  let closed = false;

  function within<T>(
    ms: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(lifecycleError('closed'));
      if (signal?.aborted) return reject(lifecycleError('aborted'));
      const controller = new AbortController();
      const timer = ms === Infinity ? undefined : setTimeout(stop, ms, 'timeout');
      signal?.addEventListener('abort', abort);
      live.add(stop);
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
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        live.delete(stop);
      }
      function abort(): void {
        stop('aborted');
      }
      function stop(reason: TransportReason): void {
        release();
        // Rejected before the abort: what the abort itself makes of the work is of no interest.
        reject(lifecycleError(reason));
        controller.abort();
      }
    });
  }

  return {
    within,
    pause: async (clock, ms, signal) => {
      try {
        await within(Infinity, signal, (stop) => clock.sleep(ms, stop));
        return ok();
      } catch (thrown) {
        return err(thrown as TransportError);
      }
    },
    close: () => {
      closed = true;
      for (const stop of live) stop('closed');
    },
  };
}
