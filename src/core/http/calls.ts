import { err, type Result } from 'neverthrow';

import { withCaller } from '../deriveError.ts';
import { type AnySdkError, ApiError } from '../errors.ts';
import { fieldsOf } from '../objects.ts';
import { nextCallId } from './callId.ts';
import { guardHook } from './guardHook.ts';
import type { Hooks } from './hooks.ts';
import type { Lifecycle } from './lifecycle.ts';
import { createRedact } from './redact.ts';
import type { CallLimits, CallOf, Fetcher, HttpContext } from './types.ts';

/** The options that are needed to begin a call. */
type CallOptions = Partial<Pick<CallLimits, 'signal'>> & {
  readonly token?: string;
  readonly pageToken?: string;
  readonly idempotencyKey?: string;
  readonly pageId?: string;
  readonly picsUserId?: string;
  readonly fields?: unknown;
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

/** Creates the functions that begin and end the calls of a context. */
export function createCalls(
  hooks: Hooks,
  { inFlight }: Lifecycle,
): Pick<Fetcher, 'perform' | 'begin' | 'end'> {
  const onCallStart = guardHook(hooks.onCallStart);
  const onCallEnd = guardHook(hooks.onCallEnd);

  const begin: Fetcher['begin'] = (context, operation, options, lane) => {
    const of = { operation, callId: nextCallId() };
    inFlight.calls++;
    onCallStart?.({ ...of });
    // Options of any function, of which only these are read here.
    const given = options as CallOptions;
    const { pageToken, token = pageToken, signal } = given;
    const named = [given.pageId ?? [], given.picsUserId ?? []].flat();
    const isKeyed = given.idempotencyKey !== undefined;
    const startedAt = context.clock.monotonic();
    const chosenFields = Array.isArray(given.fields) ? given.fields : undefined;
    const counts = { requests: 0, attempts: 0, place: undefined };
    const trace = { of, token, lane, named, isKeyed, chosenFields, startedAt, ...counts };
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
    const { of, token, isKeyed, startedAt, attempts, place } = trace;
    inFlight.calls--;
    const failure = result.isErr() ? withCaller(result.error, detailsOf(result.error), isKeyed) : undefined;
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
    perform: (context, operation, options, work, lane) => {
      const call = begin(context, operation, options, lane);
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
