import { err, type Result } from 'neverthrow';

import { withCaller } from '../deriveError.ts';
import type { AnySdkError } from '../errors.ts';
import { guardHook, type Hooks } from './hooks.ts';
import { type Lifecycle, unforeseen } from './lifecycle.ts';
import type { CallOf, Fetcher, OpenCall } from './types.ts';

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
};

/** Creates the functions that begin and end the calls of a context. */
export function createCalls(
  hooks: Hooks,
  { underWay }: Lifecycle,
): Pick<Fetcher, 'perform' | 'begin' | 'end'> {
  const onCallStart = guardHook(hooks.onCallStart);
  const onCallEnd = guardHook(hooks.onCallEnd);

  const begin: Fetcher['begin'] = (context, operation, options) => {
    source ??= Math.random().toString(36).slice(2, 9);
    const of = { operation, callId: `${source}-${(++calls).toString(36)}` };
    underWay.calls++;
    onCallStart?.({ ...of });
    // Options of any function: these are all that is read of them.
    const { pageToken, token = pageToken, signal } = options as CallOptions;
    const startedAt = context.clock.monotonic();
    const trace = { of, startedAt, requests: 0, attempts: 0, place: undefined };
    const call = {
      token,
      signal,
      deadline: underWay.isClosing ? NaN : startedAt + context.deadlineMs,
      trace,
    };
    // It has a token if its options have one.
    return call as CallOf<typeof options>;
  };

  const end: Fetcher['end'] = ({ clock }, { of, startedAt, attempts, place }, result) => {
    underWay.calls--;
    // An error without a request of its own is attributed to the last one.
    const failure = result.isErr()
      ? withCaller(result.error, { ...of, ...(!('path' in Object(result.error)) && place?.()) })
      : undefined;
    // Calls fail with nothing else.
    const error = failure as AnySdkError | undefined;
    onCallEnd?.({
      ...of,
      durationMs: Math.round(clock.monotonic() - startedAt),
      attempts,
      ...(error && { error }),
    });
    return failure === undefined ? result : err(failure);
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
        // Not `await`, which would cost a call three more promises. What comes is a promise already.
        return Promise.resolve(work(call, options).then((result) => end(context, call.trace, result), fail));
      } catch (thrown) {
        return Promise.resolve(fail(thrown));
      }
    },
  };
}
