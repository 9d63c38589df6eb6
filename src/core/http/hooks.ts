import type { AnySdkError, RequestFailure, TransportError, Usage } from '../errors.ts';

/**
 * The purpose of a request: `call`, what the caller asked for; `lookup`, to find out whether a write took effect;
 * `status`, to find out whether media is ready.
 */
export type Purpose = 'call' | 'lookup' | 'status';

/** A call that begins. All events of one call have its `callId`. */
export interface CallEvent {
  /** The name of the function, such as `publishPost`; `del` for a client's `delete`. */
  readonly operation: string;
  /** Identifies the call: unique in the process. */
  readonly callId: string;
}

/** A call that ended. */
export interface CallEndEvent extends CallEvent {
  readonly durationMs: number;
  /** How many requests were sent, counting each attempt and each lookup. */
  readonly attempts: number;
  /** A copy of the error that the call fails with, whose fields cannot be changed, without secrets; absent if it succeeds. */
  readonly error?: AnySdkError;
}

/** A request that is about to be sent, without secrets. */
export interface RequestEvent extends CallEvent {
  readonly method: string;
  /** Path of the address, including ids, without the query. */
  readonly path: string;
  /** Number of the request within its call, from 1; all attempts of a request have the same. */
  readonly request: number;
  /** 1 for the first attempt of the request. */
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
  /** The version that served the request; for an expired one, the oldest that is still supported. */
  readonly apiVersion: string | undefined;
}

/** A request that got no response, without secrets. */
export interface FailureEvent extends RequestEvent {
  readonly durationMs: number;
  readonly error: TransportError;
}

/** A request that is about to be sent again, without secrets. `attempt` is the one that failed. */
export interface RetryEvent extends RequestEvent {
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  readonly error: RequestFailure;
}

/** A request was served by an API version other than the requested one, or by one that the platform warns about. */
export interface VersionEvent extends CallEvent {
  /** The version that the request asked for, such as `v20.0`. */
  readonly requestedVersion: string;
  /** The version that served it. For one that has expired or does not exist, the platform uses its oldest. */
  readonly apiVersion: string;
  /** What the platform says of the version in the header `x-ad-api-version-warning`, in its own words. */
  readonly warning: string | undefined;
}

/** The platform does not know a field that a function asks for by itself. */
export interface FieldEvent extends CallEvent {
  readonly method: string;
  /** Path of the address, including ids, without the query. */
  readonly path: string;
  /** The name of the field, such as `story`. */
  readonly field: string;
  /** What the platform said of it. */
  readonly error: RequestFailure;
}

/**
 * Called as calls begin and end, and for each of their requests, including every attempt and every lookup. Anything
 * they throw is ignored, and the errors that they get are copies, whose fields cannot be changed.
 */
export interface Hooks {
  /** Called when a call begins, once its options are checked. */
  readonly onCallStart?: ((event: CallEvent) => unknown) | undefined;
  /** Called when a call has ended, before its result is returned. An iterator's call ends with its walk. */
  readonly onCallEnd?: ((event: CallEndEvent) => unknown) | undefined;
  /** Called before each attempt. `onResponse` or `onFailure` follows. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Called after each response, including refusals. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Called after each attempt that got no response: the network failed, or the attempt was ended early. */
  readonly onFailure?: ((event: FailureEvent) => unknown) | undefined;
  /** Called before each wait for another attempt. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /**
   * Called once per context, when a version other than the requested one served a request, or the platform warns about
   * the version in a header: time to change `graphVersion`.
   */
  readonly onVersion?: ((event: VersionEvent) => unknown) | undefined;
  /**
   * Called when the platform does not know a field that a function asks for by itself, not by its option `fields`: the call
   * goes on without it, and nothing that it returns has it. Once per call.
   */
  readonly onFieldRefused?: ((event: FieldEvent) => unknown) | undefined;
}
