import { actionOf, withRemedy, type Outcome } from './action.ts';
import { type ErrorAction, type ErrorCategory, mediaOf, type MediaProperty } from './codes.ts';

export type { Outcome } from './action.ts';
export type { ErrorAction, ErrorCategory, MediaProperty } from './codes.ts';

/**
 * Why no usable response arrived. For calls with an idempotency key also `busy`, another call holds the key, and
 * `journal`, the journal failed.
 */
export type TransportReason = 'network' | 'timeout' | 'aborted' | 'closed' | 'busy' | 'journal';

/** The cause of a TransportError. */
export interface TransportCause {
  /** Such as `TypeError`; for your signal, the name of its reason: `TimeoutError`, `AbortError`, or one of your own. */
  readonly name: string;
  /** Such as `ECONNRESET`, or that of your signal's reason, if it is a text. */
  readonly code?: string | undefined;
  /** What the network said, or the message of your signal's reason, with secrets masked. */
  readonly message: string;
}

/** What a call created on the platform before it failed. */
export interface CreatedIds {
  readonly photo_id?: string | undefined;
  readonly photo_ids?: readonly string[] | undefined;
  readonly video_id?: string | undefined;
  readonly container_id?: string | undefined;
  /** Containers of the items of a carousel. */
  readonly children?: readonly string[] | undefined;
}

/** What a call under an `idempotencyKey` published: what its function returned, with the ids under the same names. */
export interface PublishedValue extends CreatedIds {
  readonly id?: string | undefined;
  readonly post_id?: string | undefined;
  readonly media_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly [name: string]: unknown;
}

/** What the `payload` of an error holds besides what the platform sent. */
export interface DocumentedPayload extends CreatedIds {
  /** For each photo of `publishPhotos`, its id, or `null` if it is not uploaded. */
  readonly photos?: readonly (string | null)[] | undefined;
  /** What an `unknown` may have created. */
  readonly candidates?: readonly string[] | undefined;
  /** Of a Reel that is published: those whose invitation failed, or is not certain. */
  readonly not_invited?: readonly string[] | undefined;
  /** The container of the item that made the carousel fail. */
  readonly failed_child?: string | undefined;
  /** Of a ConfigurationError for an `idempotencyKey` that has published something else: what the function returned then. */
  readonly published?: PublishedValue | undefined;
  readonly [name: string]: unknown;
}

/** An object, unless the platform sent a text, or JSON that is none. */
export type ErrorPayload = DocumentedPayload | string | number | boolean | null;

/** A rate limit of the platform. */
export interface RateLimit {
  /**
   * What it limits: `app` and `page`, calls that the platform counts per app and per Page or person; the `type` of a
   * business limit as the platform calls it, such as `pages` and `messenger`; or something with a published rate, such
   * as `conversations`.
   */
  readonly kind: string;
  /** What it applies to: the id of an app, a Page or an account; a digest where there is no id. */
  readonly id: string;
  /** How much of it is used, as far as is known. At 100 and above, calls are refused. */
  readonly percent: number;
}

/** How much of a rate limit is used, as the platform's usage headers say. */
export interface Usage {
  /** The highest of all reported percentages. At 100 and above, calls are refused. */
  readonly percent: number;
  /** Milliseconds until calls are accepted again, if the platform says so. */
  readonly regainMs?: number | undefined;
}

/** What is known about a refusal. */
export interface ApiErrorDetails {
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** The platform's error code, for example 190 for a dead token. */
  readonly code?: number | undefined;
  /** The platform's more specific code. */
  readonly subcode?: number | undefined;
  /** The platform's name for the kind of error. */
  readonly type?: string | undefined;
  /** The platform's trace id, to quote in a support case. */
  readonly traceId?: string | undefined;
  /** Whether the same request may succeed later. */
  readonly transient?: boolean | undefined;
  /** Title for the app's user, in the user's language. */
  readonly userTitle?: string | undefined;
  /** Text for the app's user, in the user's language. */
  readonly userMessage?: string | undefined;
  /** The body of the response with secrets masked, plus the ids created so far under their documented names. */
  readonly payload?: unknown;
  readonly category?: ErrorCategory | undefined;
  /** Whether a failed write took effect. */
  readonly outcome?: Outcome | undefined;
  /** How long the platform asked to wait, in milliseconds; at most a day. */
  readonly retryAfterMs?: number | undefined;
  /** The ids that were created before the failure. */
  readonly ids?: CreatedIds | undefined;
  /** @default what follows from outcome, code and category */
  readonly action?: ErrorAction | undefined;
  /** @default what follows from the code, or from the platform's words */
  readonly media?: MediaProperty | undefined;
  /** The item that failed, counted from 0. */
  readonly failedItem?: number | undefined;
}

/** What is known about a call without a usable response. */
export interface TransportDetails {
  /**
   * Whether a failed write took effect.
   * @default 'rejected'
   */
  readonly outcome?: Outcome | undefined;
  /** The ids that were created before the failure, and what else is known about it, under documented names. */
  readonly payload?: unknown;
  /** The ids that were created before the failure. */
  readonly ids?: CreatedIds | undefined;
  /** Milliseconds after which another call under the same idempotency key can get further; at most a day. */
  readonly retryAfterMs?: number | undefined;
  /** What the network reported, or the reason of the caller's signal, without secrets. */
  readonly cause?: TransportCause | undefined;
  /** The item that failed, counted from 0. */
  readonly failedItem?: number | undefined;
}

/** Base of every error of this SDK. */
export abstract class SdkError extends Error {
  abstract override readonly name: string;
  /** The function that was called, such as `publishPost`. Not set on errors of webhooks. */
  declare readonly operation?: string;
  /** Identifies the call: all hook events of the call have the same one. */
  declare readonly callId?: string;
  /** HTTP method of the request that failed; `undefined` if none was sent. */
  declare readonly method?: string;
  /** Path of that request, including ids, without the query. */
  declare readonly path?: string;
  /**
   * Which item of a carousel, which of several photos, or which of several images of a message failed, counted from 0;
   * absent if it is not one of them.
   */
  declare readonly failedItem?: number;

  /**
   * The form in which the error travels: all its fields, its name and its message, as plain data. `JSON.stringify` shows
   * it; for `structuredClone`, `postMessage` and the steps of a durable engine, which keep only name and message of an
   * error, pass it on yourself. `errorFromJSON` gives the error back.
   */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

/** The call is not valid as written. Nothing was sent. */
export class ConfigurationError extends SdkError {
  override readonly name = 'ConfigurationError';
  /** The option or environment variable at fault, such as `scheduledAt` or `photos[1].photo`. */
  readonly option: string | undefined;
  /** For an `idempotencyKey` that has published something else: what the function returned then. */
  declare readonly payload?: { readonly published: PublishedValue };
  /** Nothing was sent, so nothing took effect. */
  readonly outcome = 'rejected';
  /** Never there: the same call cannot help. Declared so that each error can be asked. */
  declare readonly retryAfterMs?: undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
    const item = /^(?:items|photos|imageUrls|images)\[(\d+)\]/.exec(option ?? '')?.[1];
    if (item) Object.assign(this, { failedItem: Number(item) });
  }
}

/** No response arrived: the network failed, the time ran out, the call was aborted, or the client is closed. */
export class TransportError extends SdkError implements TransportDetails {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;
  readonly outcome: Outcome = 'rejected';
  readonly payload: ErrorPayload | undefined;
  readonly ids: CreatedIds = {};
  readonly retryAfterMs: number | undefined;
  override readonly cause: TransportCause | undefined;

  constructor(reason: TransportReason, message: string, details: TransportDetails = {}) {
    super(message);
    this.reason = reason;
    setFields(this, details);
    void withRemedy(this, details.retryAfterMs);
  }
}

/** What all errors of a response have in common. */
abstract class ResponseError extends SdkError implements ApiErrorDetails {
  readonly status: number | undefined;
  readonly code: number | undefined;
  readonly subcode: number | undefined;
  readonly type: string | undefined;
  readonly traceId: string | undefined;
  readonly transient: boolean = false;
  readonly userTitle: string | undefined;
  readonly userMessage: string | undefined;
  readonly payload: ErrorPayload | undefined;
  readonly category: ErrorCategory = 'unknown';
  readonly outcome: Outcome = 'rejected';
  /** What helps. */
  readonly action: ErrorAction;
  /** The ids that were created before the failure. */
  readonly ids: CreatedIds = {};
  /** How long the platform asked to wait before another attempt, in milliseconds; at most a day. */
  readonly retryAfterMs: number | undefined;
  /** What the platform does not like about an image or a video, if it says so. */
  declare readonly media?: MediaProperty;

  constructor(message: string, details: ApiErrorDetails = {}) {
    super(message);
    setFields(this, details);
    this.action = 'fix';
    void withRemedy(this, details.retryAfterMs, details.action ?? actionOf(this, details.retryAfterMs));
    const { code, subcode, category, userMessage, userTitle } = this;
    const said = [message, userMessage, userTitle].join(' ');
    const media = details.media ?? mediaOf({ code, subcode, message: said }, category);
    if (media !== undefined) this.media = media;
  }
}

/** Sets the fields that an error declares to the known values; the others keep their defaults. */
function setFields(error: SdkError, details: object): void {
  for (const name of [...Object.keys(error), 'failedItem']) {
    const value: unknown = Reflect.get(details, name);
    if (value !== undefined) Reflect.set(error, name, value);
  }
}

/**
 * The platform refused the request, or responded with something that cannot be used.
 *
 * `instanceof ApiError` is true for every such error; `name` tells the special ones apart.
 */
export class ApiError extends ResponseError {
  override readonly name = 'ApiError' as const;

  /**
   * A type guard, so that `instanceof` narrows to the union that `switch (error.name)` can tell apart. For a class that
   * extends this one, only its own instances count.
   */
  static override [Symbol.hasInstance](value: unknown): value is AnyApiError {
    return this === ApiError ? value instanceof ResponseError : super[Symbol.hasInstance](value);
  }
}

/**
 * The platform limits the caller, and the retries that the policy allows are used up; or a governor did not send the
 * call, so that it stays under a limit, which `limit` tells.
 */
export class RateLimitError extends ResponseError {
  override readonly name = 'RateLimitError' as const;
  readonly usage: Usage | undefined;
  /** The limit for which a governor did not send the call; absent if the platform refused it. */
  declare readonly limit?: RateLimit;

  constructor(message: string, details: ApiErrorDetails = {}, retryAfterMs?: number, usage?: Usage) {
    super(message, { category: 'rate_limit', ...details, retryAfterMs });
    this.usage = usage;
  }
}

/** The token may not do this: a missing permission, or a closed 24-hour message window. */
export class PermissionError extends ResponseError {
  override readonly name = 'PermissionError' as const;
}

/** A media container did not become ready. Unless it is `ERROR` or `EXPIRED`, it can be published for 24 hours. */
export class ContainerNotReadyError extends ResponseError {
  override readonly name = 'ContainerNotReadyError' as const;
  /** Pass it to `publishContainer` later. */
  readonly containerId: string;
  /** The last state that the platform reported; `undefined` if no status request succeeded. */
  readonly statusCode: string | undefined;

  constructor(message: string, containerId: string, statusCode?: string, details?: ApiErrorDetails) {
    super(message, details);
    this.containerId = containerId;
    this.statusCode = statusCode;
    // Its state is only known now.
    void withRemedy(this, details?.retryAfterMs, details?.action ?? actionOf(this, details?.retryAfterMs));
  }
}

/** What is wrong with the signature of a webhook delivery, or with the verify token of the handshake before it. */
export type SignatureReason = 'missing' | 'malformed' | 'mismatch';

/** A webhook request that may not be from the platform. */
export class SignatureError extends SdkError {
  override readonly name = 'SignatureError';
  readonly reason: SignatureReason;
  /** Never there. */
  declare readonly retryAfterMs?: undefined;

  constructor(reason: SignatureReason) {
    super(`${reason} signature`);
    this.reason = reason;
  }
}

/** The body of a webhook request is not a delivery. The error quotes nothing of it. */
export class DeliveryError extends SdkError {
  override readonly name = 'DeliveryError';
  /** Never there. */
  declare readonly retryAfterMs?: undefined;
}

/** What any request can fail with. */
export type RequestFailure = ApiError | RateLimitError | PermissionError | TransportError;

/** What any function that checks its options and sends a request can fail with. */
export type Failure = RequestFailure | ConfigurationError;

/** Every error for which `instanceof ApiError` is true. */
export type AnyApiError = ApiError | RateLimitError | PermissionError | ContainerNotReadyError;

/** Every error that this SDK throws or returns: `switch (error.name)` tells them apart. */
export type AnySdkError = ConfigurationError | TransportError | AnyApiError | SignatureError | DeliveryError;

/**
 * Whether what a client threw is an error of this SDK, not of your own code.
 *
 * @example
 * try {
 *   await client.get('me');
 * } catch (thrown) {
 *   if (isSdkError(thrown) && thrown.name === 'RateLimitError') console.log(thrown.retryAfterMs);
 * }
 */
export function isSdkError(thrown: unknown): thrown is AnySdkError {
  try {
    return thrown instanceof SdkError;
  } catch {
    // A proxy that nobody can look into.
    return false;
  }
}
