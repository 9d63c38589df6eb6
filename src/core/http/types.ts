import type { Result } from 'neverthrow';
import type { GenericSchema } from 'valibot';

import type { Fact } from '../codes.ts';
import type {
  ApiError,
  ErrorCategory,
  RateLimit,
  RateLimitError,
  RequestFailure,
  TransportError,
} from '../errors.ts';
import type { Clock, MonotonicClock, PlatformClock } from '../options/clock.ts';
import type { Platform } from '../platform.ts';
import type { CallEvent, Purpose, RequestEvent } from './hooks.ts';
import type { Redact, RequestedTokens } from './redact.ts';
import type { FailedAttempt, MayRepeat, RetryPolicy } from './retry.ts';

/**
 * What sends the requests: the global `fetch`, or one like it. Spelled out, since `typeof fetch` requires more in some
 * runtimes: in Bun, a `preconnect`.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A body of `fetch`. Spelled out, since `BodyInit` exists only with the DOM types. */
export type RequestBody =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream;

/** Values to send; those that are `undefined` or `null` are left out. */
export type Params = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What identifies a call, and what it has sent so far. */
interface Trace {
  readonly of: CallEvent;
  /** Its token, which no error shows. */
  readonly token?: string | undefined;
  /** How urgent its function says that it is. @default by its requests: to read, or to write */
  readonly lane?: Lane | undefined;
  /** The Page and the account that its options name. */
  readonly named?: readonly string[] | undefined;
  /** Whether it has an idempotency key. */
  readonly isKeyed?: boolean | undefined;
  /** When the call began, by the context's monotonic clock. */
  readonly startedAt: number;
  /** The fields that the caller named. */
  readonly chosenFields?: readonly unknown[] | undefined;
  /** Fields of the function's own choice, the first of which the platform does not know: the call goes on without them. */
  refusedFields?: readonly string[] | undefined;
  /** How many requests were prepared. */
  requests: number;
  /** How many requests were sent, counting each attempt. */
  attempts: number;
  /** Where the last request went; `undefined` before the first one. */
  place: (() => Pick<RequestEvent, 'method' | 'path'>) | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The identity and limits of one call, which may send several requests. */
export interface CallLimits {
  readonly trace: Trace;
  readonly signal: AbortSignal | undefined;
  /** When its time is up, by the context's monotonic clock; `NaN` if it began while the context was closing. */
  readonly deadline: number;
}

/** What all requests of one call share. */
export interface Call extends CallLimits {
  readonly token: string;
}

/** A call with these options: those for a Page call their token `pageToken`. */
export type CallOf<TOptions> = TOptions extends { readonly token: string } | { readonly pageToken: string }
  ? Call
  : CallLimits;

/** What a function does in a call, with checked options. */
export type CallWork<TOptions, TValue, TFailure> = (
  call: CallOf<TOptions>,
  options: TOptions,
) => PromiseLike<Result<TValue, TFailure>>;

/** What an error of the upload host means. */
export interface UploadError {
  readonly fact?: Fact | undefined;
  /** Of the error that it quotes. */
  readonly code?: number | undefined;
  readonly subcode?: number | undefined;
}

/** What `fetch` is given of a body; ky makes the text of `json`. */
export interface SentBody {
  readonly body?: RequestBody;
  readonly json?: unknown;
}

/** What is known of a refusal. */
export interface Refused {
  readonly status: number;
  readonly category: ErrorCategory;
  readonly isLate: boolean | undefined;
  /** Whether the request was one to the upload host. */
  readonly isOfBytes: boolean;
  /** Whether the platform itself refused, not what stands before it. */
  readonly isOfPlatform: boolean;
}

/** How a request does without a field that the platform does not know. */
export interface OwnFields {
  /** The same request without the field that its call has met. */
  readonly withoutKnown: <TRequest extends Pick<GraphRequest<unknown>, 'trace' | 'query'>>(
    request: TRequest,
  ) => TRequest;
  /**
   * The same request without the field that this refusal is about, of which it tells; `undefined` if it is about none that
   * may be missing.
   */
  readonly withoutRefused: <TOutput>(
    request: GraphRequest<TOutput>,
    failure: RequestFailure,
    tell: (field: string) => void,
  ) => GraphRequest<TOutput> | undefined;
}

/** The method of a request. */
export interface Method {
  readonly name: string;
  /** Absent if it has no body. */
  readonly toBody?:
    | ((request: Pick<GraphRequest<unknown>, 'form' | 'json' | 'body'>) => SentBody | Promise<SentBody>)
    | undefined;
  /** Whether the platform is known to have done nothing. Absent if there is nothing that it could do. */
  readonly hasDoneNothing?: ((refused: Refused) => boolean) | undefined;
}

/** One request to the platform. */
export interface GraphRequest<TOutput> extends CallLimits {
  readonly method: Method;
  /** Relative to the context's `graphBase`, or an absolute address; write ids in with `path`. */
  readonly path: string;
  /** Sent as the context's `tokenTransport` says, with its proof if the context has a secret. */
  readonly token?: string | undefined;
  readonly query?: Params | undefined;
  /** Sent as a form. */
  readonly form?: Params | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: RequestBody | undefined;
  /** `error`: a redirect fails the request instead of being its response. See `streamed`. */
  readonly redirect?: 'error' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Addresses of media for the platform to fetch: what a refusal adds to its message, which names them if the platform
   * could not fetch one. See `shownAddresses`.
   */
  readonly fetches?: ((refusal: Pick<ApiError, 'code' | 'subcode'>) => string) | undefined;
  /** What an error of the upload host means, which has codes only where it quotes another error. */
  readonly explain?:
    | ((error: Readonly<Record<string, unknown>>, message: string | undefined) => UploadError)
    | undefined;
  /** Further values, besides the token, that must not be shown. */
  readonly secrets?: readonly (string | undefined)[] | undefined;
  /** Takes the response out of the one that carries it, as that of a batch. The request then changes nothing. */
  readonly unwrap?:
    | ((body: unknown) => { readonly code: number; readonly body: string } | undefined)
    | undefined;
  /** Which tokens of the response were requested. */
  readonly tokens?: RequestedTokens | undefined;
  /** The most bytes of the response to read, unless the context says; 16 MiB by default. */
  readonly maxResponseBytes?: number | undefined;
  /**
   * After which failures it may be sent again.
   * @default after any, since doing it twice does no harm: publishing requests go through `sendOnce`
   */
  readonly mayRepeat?: MayRepeat | undefined;
  /**
   * That its fields are the function's own choice, so that the call goes on without one that the platform does not know:
   * see `fields.ts`. Without it, they are sent as they are.
   */
  readonly ownFields?: OwnFields | undefined;
  /** For a governor: the end of the path whose limit it counts against, if that is not the end of its own. */
  readonly countsAs?: string | undefined;
  /** How often it is sent at most, overriding the retry policy's `attempts`. */
  readonly attempts?: number | undefined;
  /** Milliseconds for one attempt, overriding the context's. */
  readonly timeoutMs?: number | undefined;
  /** @default 'call' */
  readonly purpose?: Purpose | undefined;
  /** Called before each attempt; a failure stops the attempt. */
  readonly beforeAttempt?: (() => Promise<TransportError | undefined>) | undefined;
  /** Called after an attempt that another one is to follow, before it is waited for. */
  readonly beforeRetry?: (() => Promise<void>) | undefined;
  /** Called when an attempt begins. */
  readonly onAttempt?: (() => void) | undefined;
  readonly schema: GenericSchema<unknown, TOutput>;
}

/** A usable response. */
export interface GraphResponse<TOutput> {
  readonly value: TOutput;
  /** The whole body, as it arrived. */
  readonly body: unknown;
  readonly status: number;
  /** Removes the secrets of the call from a value. */
  readonly redact: Redact;
}

/** The content of a body. */
export interface Content {
  /** The parsed JSON; for other text, its first 4 KiB; `undefined` if the body is larger than the limit. */
  readonly body: unknown;
  readonly isJson: boolean;
}

/** A response before its schema reads it. */
export interface RawResponse extends Content {
  readonly status: number;
  readonly headers: Headers;
}

/** A request, prepared once for all its attempts. */
export interface PreparedRequest {
  readonly context: HttpContext;
  readonly request: GraphRequest<unknown>;
  /** Which request of its call it is; the first is 1. */
  readonly number: number;
  /** With the query, the token and its proof. */
  readonly address: string;
  /** Whether the request changes nothing on the platform. */
  readonly isRead: boolean;
  /** That of its call. */
  readonly deadline: number;
  readonly redact: Redact;
  /** Where it goes, without secrets. */
  readonly place: () => Pick<RequestEvent, 'method' | 'path'>;
  /** What errors show of a body: nothing, if the body is itself a secret. */
  readonly show: (body: unknown) => unknown;
}

/** Sends a prepared request once. It never rejects. */
export type Attempt = (prepared: PreparedRequest, attempt: number) => Promise<RawResponse | FailedAttempt>;

/**
 * What calls are for. Each lane has its share of a limit: see `createGovernor`. `publish`, all that publishes, lookups
 * of lost writes, and requests for the status of media; `interact`, all other writes, such as messages, replies and
 * moderation; `read`, all else, and batches; `background`, what a context was moved down to by `withOptions`.
 */
export type Lane = 'publish' | 'interact' | 'read' | 'background';

/** The lanes, the most urgent first. */
export const lanes: readonly Lane[] = ['publish', 'interact', 'read', 'background'];

/** What is known of a rate limit. */
export interface LimitState extends RateLimit {
  /** Until when the platform refuses all calls; absent if it does not. */
  readonly blockedUntil?: Date;
  /** When that was learned from the platform, or counted. */
  readonly observedAt: Date;
}

/** Keeps the calls of all its contexts under the platform's rate limits. Created by `createGovernor`. */
export interface Governor {
  /** Gives what sends an attempt, which waits until the limits allow it. Internal to the SDK. */
  readonly govern: (attempt: Attempt) => Attempt;
  /** What is known of all limits. Internal to the SDK: see `limits`. */
  readonly limits: (context: HttpContext) => Promise<Result<readonly LimitState[], TransportError>>;
}

/** Why something in flight ends early. */
export type StopReason = 'timeout' | 'aborted' | 'closed';

/** What is in flight on a context. Mutable. */
export interface InFlight {
  /** Ends each operation. */
  readonly stops: Set<(reason: StopReason) => void>;
  /** How many calls have begun and not ended. */
  calls: number;
  /** How many of them are iterators whose consumer has an entry in hand. */
  yielded: number;
  /** Whether no call may begin. */
  isClosing: boolean;
  /** Whether nothing may begin. */
  isClosed: boolean;
}

/** Sends one request: its attempts, the waits between them, and reading the response. */
export interface Fetcher {
  /** Sends a request, and resolves with what `pick` takes of the response. */
  <TOutput, TPicked>(
    context: HttpContext,
    request: GraphRequest<TOutput>,
    pick: (response: GraphResponse<TOutput>) => TPicked,
  ): Promise<Result<TPicked, RequestFailure>>;
  /** Does `work`; rejects with a TransportError if it is ended early: by its time limit, the signal, or `close`. */
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
  /**
   * Runs a call from its beginning to its end. It is part of the fetcher, so that a bundle of a single function does
   * not include it.
   */
  readonly perform: <TOptions, TValue, TFailure>(
    context: HttpContext,
    operation: string,
    options: TOptions,
    work: CallWork<TOptions, TValue, TFailure>,
    lane?: Lane,
  ) => Promise<Result<TValue, TFailure>>;
  /** Begins a call: returns what all its requests share. */
  readonly begin: <TOptions>(
    context: HttpContext,
    operation: string,
    options: TOptions,
    lane?: Lane,
  ) => CallOf<TOptions>;
  /** Ends a call. Adds to its failure which call it was, and the caller's stack. */
  readonly end: <TValue, TFailure>(
    context: HttpContext,
    trace: Trace,
    result: Result<TValue, TFailure>,
  ) => Result<TValue, TFailure>;
  /** Keeps calls under the platform's rate limits. */
  readonly governor: Governor | undefined;
  /**
   * Make the errors of a call that the governor holds back, and of its store. They are part of the fetcher, so that a
   * governor does not bundle what the platform's codes mean, which every context has.
   */
  readonly heldBack: (message: string, retryAfterMs: number) => RateLimitError;
  readonly storeFailed: (message: string) => TransportError;
  /** What `close` waits for, and ends. */
  readonly inFlight: InFlight;
}

/** The part of a context that requests need. */
export interface HttpContext {
  /** Sends the requests. What changes from call to call, such as the retry budget, is in here. */
  readonly fetcher: Fetcher;
  /** App secret, the key of `appsecret_proof`. Not enumerable. */
  readonly secret?: string | undefined;
  /** License key, stored but never sent. Not enumerable. */
  readonly licenseKey?: string | undefined;
  /** Whether the context is complete. Not enumerable: a spread loses it, together with the secret. */
  readonly isComplete?: boolean | undefined;
  /** Where tokens go: into the query, or into the `Authorization` header. */
  readonly tokenTransport: 'query' | 'header';
  /** Address and version to which paths are joined. */
  readonly graphBase: string;
  /** Of the photo-sharing client: whose tokens it takes. */
  readonly mode?: string | undefined;
  readonly platform: Platform;
  readonly retry: RetryPolicy;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds that a whole call may take. */
  readonly deadlineMs: number;
  /** The most bytes of a response to read; by default 16 MiB, and 64 MiB for batches. */
  readonly maxResponseBytes?: number | undefined;
  /** The lane of all its calls; without it, each function has its own. */
  readonly lane?: Lane | undefined;
  readonly clock: MonotonicClock;
  /** What the responses reveal of the platform's clock. Mutable: see {@link PlatformClock}. */
  readonly platformClock: PlatformClock;
}
