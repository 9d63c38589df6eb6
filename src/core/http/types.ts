import type { Result } from 'neverthrow';
import type { GenericSchema } from 'valibot';

import type { ApiErrorDetails, RequestFailure, TransportError } from '../errors.ts';
import type { Clock, MonotonicClock } from '../options/clock.ts';
import type { Platform } from '../platform.ts';
import type { CallEvent, Purpose, RequestEvent } from './hooks.ts';
import type { PlatformClock } from './platformClock.ts';
import type { Redact } from './redact.ts';
import type { RetryPolicy } from './retry.ts';

/**
 * What sends the requests: the global `fetch`, or one like it. Spelled out, since `typeof fetch` asks for more in
 * some runtimes: in Bun, for a `preconnect`.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A body of `fetch`. Spelled out, since `BodyInit` is known only where the types of the DOM are. */
export type RequestBody =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream;

/** Values to send; `undefined` and `null` ones are left out. */
export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What a response must be, and what it is turned into. */
export type Schema<TOutput> = GenericSchema<unknown, TOutput>;

/**
 * After which failures a request may be sent again, where the retry policy allows it:
 *
 * - `anyFailure`: any, a lost response included, since doing it twice does no harm;
 * - `response`: only those that the platform responded with;
 * - `rejection`: only those that prove that the platform did nothing.
 */
export type RetryOn = 'anyFailure' | 'response' | 'rejection';

/** What a call is known by, and what it has sent so far. */
export interface Trace {
  readonly of: CallEvent;
  /** Instant of the context's monotonic time at which the call began. */
  readonly startedAt: number;
  /** Requests that were sent, each attempt counted. */
  attempts: number;
  /** Tells where the last one went; `undefined` before the first. */
  place: (() => Pick<RequestEvent, 'method' | 'path'>) | undefined;
}

/** What one call, which may be several requests, is known and bounded by. */
export interface CallLimits {
  readonly trace: Trace;
  readonly signal?: AbortSignal | undefined;
  /**
   * Instant of the context's monotonic time at which the call is over.
   * @default the context's `deadlineMs` from now
   */
  readonly deadline?: number | undefined;
}

/** What all requests of one call share. */
export interface Call extends OpenCall {
  readonly token: string;
}

/** A call whose options have no token. */
export interface OpenCall extends CallLimits {
  readonly signal: AbortSignal | undefined;
  readonly deadline: number;
}

/** A call with options of a type: those of a Page name the token after it. */
export type CallOf<TOptions> = TOptions extends { readonly token: string } | { readonly pageToken: string }
  ? Call
  : OpenCall;

/** What a function does in a call, with options that were checked. */
export type CallWork<TOptions, TValue, TFailure> = (
  call: CallOf<TOptions>,
  options: TOptions,
) => PromiseLike<Result<TValue, TFailure>>;

/** One request to the platform. */
export interface GraphRequest<TOutput> extends CallLimits {
  readonly method: string;
  /** Relative to the context's `graphBase`, or an absolute address; write ids in with `path`. */
  readonly path: string;
  /** Sent as the context's `tokenTransport` says, with the proof of it when the context has a secret. */
  readonly token?: string | undefined;
  readonly query?: Params | undefined;
  /**
   * Whether a GET is sent as a POST form with `method=get`, which the platform takes for a GET: so that its query, token
   * and proof are in no address.
   */
  readonly isPosted?: boolean | undefined;
  /** Sent as a form. */
  readonly form?: Params | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: RequestBody | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Addresses of media that the platform is to fetch, which the refusal of one that it cannot fetch names: see `shownAddresses`. */
  readonly fetches?: string | undefined;
  /** Values besides the token that must not be shown. */
  readonly secrets?: readonly (string | undefined)[] | undefined;
  /**
   * What the response holds of tokens that were asked for: `only` a token, of which no error shows anything; tokens
   * `named` so among the rest; `all` that it holds but the request's own; or `parts`, which are read on their own.
   */
  readonly tokens?: 'only' | 'named' | 'all' | 'parts' | undefined;
  /** Bytes of the response that are read at most, where the context does not say; 16 MiB by default. */
  readonly maxResponseBytes?: number | undefined;
  /** @default 'anyFailure': what publishes goes through `sendOnce` */
  readonly retryOn?: RetryOn | undefined;
  /** How often it is sent at most, in place of the retry policy's `attempts`. */
  readonly attempts?: number | undefined;
  /**
   * Whether a refusal shows that an earlier attempt, whose response was lost, did what was asked for; the call
   * is a success then. 100/33 never shows it: "no such object" is also what a missing permission is called.
   */
  readonly showsDone?: ((refusal: ApiErrorDetails) => boolean) | undefined;
  /** Milliseconds for one attempt, in place of the context's. */
  readonly timeoutMs?: number | undefined;
  /** @default 'call' */
  readonly purpose?: Purpose | undefined;
  /** Called before each attempt, which it stops with a failure. */
  readonly beforeAttempt?: (() => Promise<TransportError | undefined>) | undefined;
  /** Called when an attempt begins. */
  readonly onAttempt?: (() => void) | undefined;
  readonly schema: Schema<TOutput>;
}

/** A usable response. */
export interface GraphResponse<TOutput> {
  readonly value: TOutput;
  /** The whole body, as it came. */
  readonly body: unknown;
  readonly status: number;
  /** Takes the secrets of the call out of a value. */
  readonly redact: Redact;
}

/** Sends one request: its attempts, the waits between them, and the reading of what comes back. */
export interface Fetcher {
  <TOutput>(
    context: HttpContext,
    request: GraphRequest<TOutput>,
  ): Promise<Result<GraphResponse<TOutput>, RequestFailure>>;
  /** Does `work`; rejects with a TransportError when it is ended early: by its time, the signal, or `close`. */
  readonly withTimeout: <T>(
    ms: number,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ) => Promise<T>;
  /** Waits; fails as soon as the signal aborts or the context is closed. */
  readonly pause: (
    clock: Clock,
    ms: number,
    signal: AbortSignal | undefined,
  ) => Promise<Result<void, TransportError>>;
  /** Does a call from its begin to its end. Here, so that a function alone does not carry it. */
  readonly perform: <TOptions, TValue, TFailure>(
    context: HttpContext,
    operation: string,
    options: TOptions,
    work: CallWork<TOptions, TValue, TFailure>,
  ) => Promise<Result<TValue, TFailure>>;
  /** Begins a call, with what all its requests share. */
  readonly begin: <TOptions>(context: HttpContext, operation: string, options: TOptions) => CallOf<TOptions>;
  /** Ends a call. Its failure says which call it was, and names who called. */
  readonly end: <TValue, TFailure>(
    context: HttpContext,
    trace: Trace,
    result: Result<TValue, TFailure>,
  ) => Result<TValue, TFailure>;
  /** Whether `close` was called: no call may begin. */
  readonly isClosing: () => boolean;
  /** Lets the calls that have begun end, for `drainMs` at most; then ends what is in flight. */
  readonly close: (drainMs?: number) => Promise<void>;
}

/** The part of a context that requests need. */
export interface HttpContext {
  /** Sends the requests. What changes from call to call, such as the retry budget, is in here. */
  readonly fetcher: Fetcher;
  /** App secret, the key of `appsecret_proof`. Not enumerable. */
  readonly secret?: string | undefined;
  /** License key, kept and never sent. Not enumerable. */
  readonly licenseKey?: string | undefined;
  /** Whether all is here that its maker put in. Not enumerable: a spread leaves it behind, and the secret with it. */
  readonly isComplete?: boolean | undefined;
  /** Where tokens go: into the query, or into the header `Authorization`. */
  readonly tokenTransport: 'query' | 'header';
  /** Address and version that paths are joined to. */
  readonly graphBase: string;
  readonly platform: Platform;
  readonly retry: RetryPolicy;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds that a whole call may take. */
  readonly deadlineMs: number;
  /** Bytes of a response that are read at most; 16 MiB, of batches 64 MiB, where it is not given. */
  readonly maxResponseBytes?: number | undefined;
  readonly clock: MonotonicClock;
  /** What the responses tell of the platform's clock. Mutable: see {@link PlatformClock}. */
  readonly platformClock: PlatformClock;
}
