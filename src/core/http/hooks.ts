import type { AnySdkError, RequestFailure, TransportError, Usage } from '../errors.ts';

/**
 * What a request is for: `call`, what the caller asked for; `lookup`, to find out whether a write took effect;
 * `status`, to find out whether media is ready.
 */
export type Purpose = 'call' | 'lookup' | 'status';

/** A call that begins. All events of one call have its `callId`. */
export interface CallEvent {
  /** The name of the function, such as `publishPost`; of a client's `delete`, `del`. */
  readonly operation: string;
  /** Tells calls apart: unique in the process. */
  readonly callId: string;
}

/** A call that ended. */
export interface CallEndEvent extends CallEvent {
  readonly durationMs: number;
  /** Requests that were sent, each attempt and each lookup counted. */
  readonly attempts: number;
  /** What the call fails with, without secrets; left out where it succeeds. */
  readonly error?: AnySdkError;
}

/** A request that is about to be sent, without secrets. */
export interface RequestEvent extends CallEvent {
  readonly method: string;
  /** Path of the address, ids included, without query. */
  readonly path: string;
  /** 1 for the first time that the request is sent. */
  readonly attempt: number;
  readonly purpose: Purpose;
}

/** A response that arrived, without secrets. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly status: number;
  readonly durationMs: number;
  readonly usage: Usage | undefined;
  readonly traceId: string | undefined;
  /** Version that served the request; an expired one is served as the oldest that lives. */
  readonly apiVersion: string | undefined;
}

/** A request that no response came to, without secrets. */
export interface FailureEvent extends RequestEvent {
  readonly durationMs: number;
  readonly error: TransportError;
}

/** A request that is about to be sent again, without secrets. `attempt` is the one that failed. */
export interface RetryEvent extends RequestEvent {
  /** Milliseconds until the next one. */
  readonly delayMs: number;
  readonly error: RequestFailure;
}

/** An API version served a request that asked for another one. */
export interface VersionEvent extends CallEvent {
  /** What the request asked for, such as `v20.0`. */
  readonly requestedVersion: string;
  /** What served it. The platform serves a version that has expired, or that it does not know, as its oldest. */
  readonly apiVersion: string;
}

/**
 * Called as calls begin and end, and as their requests come and go, each attempt and each lookup on its own. What they
 * throw changes nothing.
 */
export interface Hooks {
  /** Called when a call begins, once its options are checked. */
  readonly onCallStart?: ((event: CallEvent) => unknown) | undefined;
  /** Called when a call that began has ended, before its result is there. An iterator ends with its walk. */
  readonly onCallEnd?: ((event: CallEndEvent) => unknown) | undefined;
  /** Called before each attempt. `onResponse` or `onFailure` follows. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Called after each response, refusals included. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Called after each attempt that no response came to: the network failed, or it was ended before. */
  readonly onFailure?: ((event: FailureEvent) => unknown) | undefined;
  /** Called before each wait for another attempt. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /** Called once per context, when a version serves a request that asked for another one: time to change `graphVersion`. */
  readonly onVersion?: ((event: VersionEvent) => unknown) | undefined;
}

/** The same hook, if there is one; but whatever it does, the call goes on. */
export function guardHook<TEvent>(
  hook: ((event: TEvent) => unknown) | undefined,
): ((event: TEvent) => void) | undefined {
  return (
    hook &&
    ((event) => {
      try {
        Promise.resolve(hook(event)).catch(() => undefined);
      } catch {
        // The caller's own fault, and not ours to report.
      }
    })
  );
}
