import { err, type Result, ok } from 'neverthrow';

import { frozenCopy, withCaller } from '../deriveError.ts';
import { type AnySdkError, ApiError, SdkError, type TransportCause, TransportError } from '../errors.ts';
import { fieldsOf } from '../objects.ts';
import { after, longestTimer } from '../options/clock.ts';
import type { Hooks } from './hooks.ts';
import { causes } from './networkFailure.ts';
import { createRedact } from './redact.ts';
import type {
  CallLimits,
  CallOf,
  Fetcher,
  HttpContext,
  OpenCall,
  InFlight,
  StopReason,
  Trace,
} from './types.ts';

/**
 * The number of calls so far, and a prefix that distinguishes them from those of other processes and other copies of
 * this module.
 */
let calls = 0;
let source: string | undefined;

/** The options that are needed to begin a call. */
type CallOptions = Partial<Pick<OpenCall, 'signal'>> & {
  readonly token?: string;
  readonly pageToken?: string;
  readonly idempotencyKey?: string;
};

/** The context of a call that failed, and when the call began, by that context's monotonic clock. */
export interface FailedCall {
  readonly context: HttpContext;
  readonly startedAt: number;
}

/** Which call an error ended: what waits until it may be called again ends with the call's context. */
const failedCalls = new WeakMap<object, FailedCall>();

export function failedCallOf(error: object): FailedCall | undefined {
  return failedCalls.get(error);
}

/** When to call again after a limit for which the platform names no time. */
const limitMs = 60_000;

/**
 * When the same call may help again, if it cannot take effect twice; nothing for what has no such time. Replaces
 * `retryAfterMs`.
 */
function waitOf(failure: unknown, { isKeyed }: Trace): object | undefined {
  const { name, outcome, retryAfterMs } = fieldsOf(failure);
  const isSafe = outcome === 'rejected' || (outcome === 'unknown' && isKeyed);
  const waitMs = retryAfterMs ?? (name === 'RateLimitError' ? limitMs : undefined);
  if (typeof waitMs !== 'number') return undefined;
  return { retryAfterMs: isSafe ? waitMs : undefined };
}

/** Creates the functions that begin and end the calls of a context. */
export function createCalls(
  hooks: Hooks,
  { inFlight }: Lifecycle,
): Pick<Fetcher, 'perform' | 'begin' | 'end'> {
  const onCallStart = guardHook(hooks.onCallStart);
  const onCallEnd = guardHook(hooks.onCallEnd);

  const begin: Fetcher['begin'] = (context, operation, options) => {
    source ??= Math.random().toString(36).slice(2, 9);
    const of = { operation, callId: `${source}-${(++calls).toString(36)}` };
    inFlight.calls++;
    onCallStart?.({ ...of });
    // Options of any function, of which only these are read here.
    const { pageToken, token = pageToken, signal, idempotencyKey } = options as CallOptions;
    const startedAt = context.clock.monotonic();
    const isKeyed = idempotencyKey !== undefined;
    const trace = { of, token, isKeyed, startedAt, requests: 0, attempts: 0, place: undefined };
    const call = {
      token,
      signal,
      deadline: inFlight.isClosing ? NaN : startedAt + context.deadlineMs,
      trace,
    };
    // It has a token if its options have one.
    return call as CallOf<typeof options>;
  };

  const end: Fetcher['end'] = (context, trace, result) => {
    const { of, token, startedAt, attempts, place } = trace;
    inFlight.calls--;
    const failure = result.isErr() ? withCaller(result.error, detailsOf(result.error)) : undefined;
    if (failure instanceof Error) failedCalls.set(failure, { context, startedAt });
    // Calls fail only with errors of the SDK.
    const error = failure as AnySdkError | undefined;
    onCallEnd?.({
      ...of,
      durationMs: Math.round(context.clock.monotonic() - startedAt),
      attempts,
      ...(error && { error }),
    });
    return failure === undefined ? result : err(failure);

    function detailsOf(error: unknown): object {
      const { path, cause, reason } = fieldsOf(error);
      return {
        ...of,
        ...waitOf(error, trace),
        // An error without a request of its own is attributed to the last one.
        ...(path === undefined && place?.()),
        ...(reason === 'aborted' && {
          cause: createRedact([token, context.secret, context.licenseKey])(cause),
        }),
      };
    }
  };

  return {
    begin,
    end,
    perform: (context, operation, options, work) => {
      const call = begin(context, operation, options);
      // A bug in this SDK is an ApiError, even if the function's failure type does not include it.
      const fail = (thrown: unknown) =>
        end(context, call.trace, err(unforeseen(thrown)) as Result<never, never>);
      try {
        // Not `await`, which would cost each call three more promises.
        return Promise.resolve(work(call, options).then((result) => end(context, call.trace, result), fail));
      } catch (thrown) {
        return Promise.resolve(fail(thrown));
      }
    },
  };
}

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
    inFlight.isClosed
      ? Promise.reject(transportError('closed'))
      : runUntilStopped(inFlight.stops, ms, signal, work);

  return {
    inFlight,
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
  { deadline = Infinity, signal }: Pick<CallLimits, 'deadline' | 'signal'>,
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

function runUntilStopped<T>(
  stops: InFlight['stops'],
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(transportError('aborted', signal));
    const controller = new AbortController();
    const endTimer = after(ms, () => stop('timeout'));
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
      endTimer();
      signal?.removeEventListener('abort', abort);
      stops.delete(stop);
    }
    function abort(): void {
      stop('aborted');
    }
    function stop(reason: StopReason): void {
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
  const error = new ApiError(`the SDK failed unexpectedly (${name})`, {
    outcome: 'unknown',
  });
  const frames = stack.match(/^ +at .+$/gm);
  if (frames !== null) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n');
  return error;
}

/** The same hook, if there is one; but whatever it does, the call continues, and fails as it does without the hook. */
export function guardHook<TEvent>(
  hook: ((event: TEvent) => unknown) | undefined,
): ((event: TEvent) => void) | undefined {
  return (
    hook &&
    ((event) => {
      try {
        Promise.resolve(hook(forHook(event))).catch(() => undefined);
      } catch {
        // A bug in the caller's hook, which is not ours to report.
      }
    })
  );
}

/** An event with a frozen copy of its error. It can be an error itself; those of the caller's are left alone. */
function forHook<TEvent>(event: TEvent): TEvent {
  if (event instanceof SdkError) return frozenCopy(event);
  const { error } = fieldsOf(event);
  return error instanceof SdkError ? { ...event, error: frozenCopy(error) } : event;
}
