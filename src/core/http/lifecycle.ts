import { err, ok } from 'neverthrow';

import { type Outcome, TransportError, type TransportReason } from '../errors.ts';
import type { Fetcher } from './types.ts';

/** What is in flight on a context: it ends at its time limit, at the caller's signal, and when the context is closed. */
export interface Lifecycle extends Pick<Fetcher, 'pause' | 'close'> {
  /** Does `work`; rejects with a TransportError when it is ended early. */
  readonly withTimeout: <T>(
    ms: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ) => Promise<T>;
}

const messages: Readonly<Record<TransportReason, string>> = {
  network: 'the network failed',
  timeout: 'the time for the request ran out',
  aborted: 'the call was aborted',
  closed: 'the client is closed',
};

/** The failure of what ended early. */
export function transportError(reason: TransportReason, outcome?: Outcome): TransportError {
  return new TransportError(reason, messages[reason], outcome);
}

export function createLifecycle(): Lifecycle {
  const inFlight = new Set<(reason: TransportReason) => void>();
  let closed = false;

  function withTimeout<T>(
    ms: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(transportError('closed'));
      if (signal?.aborted) return reject(transportError('aborted'));
      const controller = new AbortController();
      const timer = ms === Infinity ? undefined : setTimeout(stop, ms, 'timeout');
      signal?.addEventListener('abort', abort);
      inFlight.add(stop);
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
        inFlight.delete(stop);
      }
      function abort(): void {
        stop('aborted');
      }
      function stop(reason: TransportReason): void {
        release();
        // Rejected before the abort: what the abort itself makes of the work is of no interest.
        reject(transportError(reason));
        controller.abort();
      }
    });
  }

  return {
    withTimeout,
    pause: async (clock, ms, signal) => {
      try {
        await withTimeout(Infinity, signal, (stop) => clock.sleep(ms, stop));
        return ok();
      } catch (thrown) {
        return err(thrown as TransportError);
      }
    },
    close: () => {
      closed = true;
      for (const stop of inFlight) stop('closed');
    },
  };
}
