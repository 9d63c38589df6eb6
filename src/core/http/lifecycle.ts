import { err, ok } from 'neverthrow';

import { ApiError, type TransportCause, TransportError } from '../errors.ts';
import { longestTimer } from '../options/clock.ts';
import { causes } from './networkFailure.ts';
import type { Fetcher } from './types.ts';

/**
 * The calls and operations in flight on a context: they end at their time limit, at the caller's signal, and when the
 * context is closed.
 */
export type Lifecycle = Pick<Fetcher, 'withTimeout' | 'pause' | 'underWay'>;

/** What is under way on a context. Mutable. */
export interface UnderWay {
  /** Ends each operation that is in flight. */
  readonly stops: Set<Stop>;
  /** How many calls have begun and not ended. */
  calls: number;
  /** Whether no call may begin. */
  isClosing: boolean;
  /** Whether nothing may begin. */
  isClosed: boolean;
}

const messages = {
  timeout: 'the time for the request ran out',
  aborted: 'the call was aborted',
  closed: 'the client is closed',
};

type Reason = keyof typeof messages;

/** The failure of something that ended early; if it was aborted, by this signal. */
export function transportError(reason: Reason, signal?: AbortSignal): TransportError {
  let message: string = messages[reason];
  let cause: TransportCause | undefined;
  if (reason === 'aborted') {
    // The abort reason may quote any secret, so only its name is shown.
    const { name } = causes(signal)[1] ?? { name: 'unknown' };
    if (name === 'TimeoutError') message += ': its signal timed out';
    cause = { name, message };
  }
  return new TransportError(reason, message, { cause });
}

/** Ends something in flight. */
type Stop = (reason: Reason) => void;

export function createLifecycle(): Lifecycle {
  const underWay: UnderWay = { stops: new Set(), calls: 0, isClosing: false, isClosed: false };

  const withTimeout: Lifecycle['withTimeout'] = (ms, signal, work) =>
    underWay.isClosed
      ? Promise.reject(transportError('closed'))
      : runUntilStopped(underWay.stops, ms, signal, work);

  return {
    underWay,
    withTimeout,
    pause: async (clock, ms, signal) => {
      try {
        let left = ms;
        do {
          const slice = Math.min(left, longestTimer);
          await withTimeout(Infinity, signal, (stop) => clock.sleep(slice, stop));
          left -= slice;
        } while (left > 0);
        return ok();
      } catch (thrown) {
        // `withTimeout` rejects with nothing else.
        return err(thrown as TransportError);
      }
    },
  };
}

function runUntilStopped<T>(
  stops: Set<Stop>,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(transportError('aborted', signal));
    const controller = new AbortController();
    const timer = ms === Infinity ? undefined : setTimeout(stop, ms, 'timeout');
    signal?.addEventListener('abort', abort);
    stops.add(stop);
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
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      stops.delete(stop);
    }
    function abort(): void {
      stop('aborted');
    }
    function stop(reason: Reason): void {
      release();
      // Rejects before the abort, so that it no longer matters how the work then ends.
      reject(transportError(reason, signal));
      controller.abort();
    }
  });
}

/**
 * The failure of work that threw although it must not, because of a bug in this SDK or a hostile value. It names the
 * error and where it was thrown, but not its message, which may quote a response.
 */
export function unforeseen(thrown: unknown): ApiError {
  const { name, stack = '' } = thrown instanceof Error ? thrown : { name: typeof thrown };
  const error = new ApiError(`the SDK failed in a way that it did not foresee (${name})`, {
    outcome: 'unknown',
  });
  const frames = stack.match(/^ +at .+$/gm);
  if (frames !== null) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}
