import { actionOf, ApiError as BaseApiError, SdkError } from './baseErrors.ts';
import type {
  ApiErrorDetails,
  CreatedIds,
  Outcome,
  TransportCause,
  TransportReason,
  Usage,
} from './errorDetails.ts';

export type * from './errorDetails.ts';
export { SdkError };

/** The call cannot be made as written. Nothing was sent. */
export class ConfigurationError extends SdkError {
  override readonly name = 'ConfigurationError';
  /** The option, or environment variable, that is at fault. */
  readonly option: string | undefined;
  /** Nothing was sent, so nothing took effect. */
  readonly outcome = 'rejected';

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}

/** No response arrived: the network failed, the time ran out, the call was aborted, or the client is closed. */
export class TransportError extends SdkError {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;
  /** What a failed write did. */
  readonly outcome: Outcome;
  /** The ids that were made before the failure, and what else is known of it, under documented names. */
  readonly payload: unknown;
  /** The ids that were made before the failure. */
  readonly ids: CreatedIds;
  /** Milliseconds after which another call under the same idempotency key can get further. */
  readonly retryAfterMs: number | undefined;
  /** What the network said, or the reason of the caller's signal, without secrets. */
  override readonly cause: TransportCause | undefined;

  constructor(
    reason: TransportReason,
    message: string,
    outcome: Outcome = 'rejected',
    payload?: unknown,
    ids: CreatedIds = {},
    retryAfterMs?: number,
    cause?: TransportCause,
  ) {
    super(message);
    this.reason = reason;
    this.cause = cause;
    this.retryAfterMs = retryAfterMs;
    this.outcome = outcome;
    this.payload = payload;
    this.ids = ids;
  }
}

/**
 * The platform refused the request, or responded with something that cannot be used.
 *
 * `instanceof ApiError` is true of every such error; `name` tells the special ones apart.
 */
export interface ApiError extends BaseApiError<'ApiError'> {}
export const ApiError: {
  new (message: string, details?: ApiErrorDetails): ApiError;
  readonly prototype: ApiError;
  /** As every function has it. Its type makes `instanceof` narrow to what `switch (error.name)` can tell apart. */
  [Symbol.hasInstance](value: unknown): value is AnyApiError;
} = BaseApiError as never;

/** The platform limits the caller, and the retries that the policy allows are used up. */
export class RateLimitError extends BaseApiError<'RateLimitError'> {
  readonly usage: Usage | undefined;

  constructor(message: string, details: ApiErrorDetails = {}, retryAfterMs?: number, usage?: Usage) {
    super(message, { ...details, retryAfterMs }, 'RateLimitError');
    this.usage = usage;
  }
}

/** The token may not do this: a missing permission, or a closed 24-hour message window. */
export class PermissionError extends BaseApiError<'PermissionError'> {
  constructor(message: string, details?: ApiErrorDetails) {
    super(message, details, 'PermissionError');
  }
}

/** A media container did not become ready. Unless it is `ERROR` or `EXPIRED`, it can be published for 24 hours. */
export class ContainerNotReadyError extends BaseApiError<'ContainerNotReadyError'> {
  /** What to hand to `publishContainer` later. */
  readonly containerId: string;
  /** The last state that the platform reported; `undefined` when no look succeeded. */
  readonly statusCode: string | undefined;

  constructor(message: string, containerId: string, statusCode?: string, details?: ApiErrorDetails) {
    super(message, details, 'ContainerNotReadyError');
    this.containerId = containerId;
    this.statusCode = statusCode;
    // Only now its state is known.
    Object.assign(this, { action: actionOf(this) });
  }
}

/** What is wrong with the signature of a webhook delivery, or with the verify token of the handshake before it. */
export type SignatureReason = 'missing' | 'malformed' | 'mismatch';

/** A webhook request that need not be the platform's. */
export class SignatureError extends SdkError {
  override readonly name = 'SignatureError';
  readonly reason: SignatureReason;

  constructor(reason: SignatureReason) {
    super(`${reason} signature`);
    this.reason = reason;
  }
}

/** The body of a webhook request is not a delivery. Nothing of the body is quoted. */
export class DeliveryError extends SdkError {
  override readonly name = 'DeliveryError';
}

/** What any request can fail with. */
export type RequestFailure = ApiError | RateLimitError | PermissionError | TransportError;

/** What any function that checks its options and sends a request can fail with. */
export type Failure = RequestFailure | ConfigurationError;

/** Whatever `instanceof ApiError` is true of. */
export type AnyApiError = ApiError | RateLimitError | PermissionError | ContainerNotReadyError;

/** Every error that this SDK throws or returns: `switch (error.name)` tells them apart. */
export type AnySdkError = ConfigurationError | TransportError | AnyApiError | SignatureError | DeliveryError;

/**
 * Whether what a client threw is an error of this SDK, and not one of your own code.
 *
 * @example
 * try {
 *   await client.get('me');
 * } catch (thrown) {
 *   if (isSdkError(thrown) && thrown.name === 'RateLimitError') console.log(thrown.retryAfterMs);
 * }
 */
export function isSdkError(thrown: unknown): thrown is AnySdkError {
  return thrown instanceof SdkError;
}
