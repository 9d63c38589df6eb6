import type {
  ApiErrorDetails,
  CreatedIds,
  ErrorAction,
  ErrorCategory,
  Outcome,
  TransportReason,
  Usage,
} from './errorDetails.ts';

export type * from './errorDetails.ts';

/** Base of every error of this SDK. */
export abstract class SdkError extends Error {
  abstract override readonly name: string;
}

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

  constructor(
    reason: TransportReason,
    message: string,
    outcome: Outcome = 'rejected',
    payload?: unknown,
    ids: CreatedIds = {},
  ) {
    super(message);
    this.reason = reason;
    this.outcome = outcome;
    this.payload = payload;
    this.ids = ids;
  }
}

type ApiErrorName = 'ApiError' | 'RateLimitError' | 'PermissionError' | 'ContainerNotReadyError';

/**
 * The platform refused the request, or responded with something that cannot be used.
 *
 * `instanceof ApiError` is true of every such error; `name` tells the special ones apart.
 */
export class ApiError<TName extends ApiErrorName = 'ApiError'> extends SdkError implements ApiErrorDetails {
  override readonly name: TName;
  readonly status: number | undefined;
  readonly code: number | undefined;
  readonly subcode: number | undefined;
  readonly type: string | undefined;
  readonly traceId: string | undefined;
  readonly transient: boolean;
  readonly userTitle: string | undefined;
  readonly userMessage: string | undefined;
  readonly payload: unknown;
  readonly category: ErrorCategory;
  readonly outcome: Outcome;
  /** The ids that were made before the failure. */
  readonly ids: CreatedIds;
  /** Milliseconds that the platform asked to wait before another attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ApiErrorDetails = {}, name: ApiErrorName = 'ApiError') {
    super(message);
    // Only the subclasses of this file pass a name, each its own.
    this.name = name as TName;
    this.status = details.status;
    this.code = details.code;
    this.subcode = details.subcode;
    this.type = details.type;
    this.traceId = details.traceId;
    this.transient = details.transient ?? false;
    this.userTitle = details.userTitle;
    this.userMessage = details.userMessage;
    this.payload = details.payload;
    this.category = details.category ?? 'unknown';
    this.outcome = details.outcome ?? 'rejected';
    this.ids = details.ids ?? {};
    this.retryAfterMs = details.retryAfterMs;
  }

  /** What helps. */
  get action(): ErrorAction {
    const { outcome, code, subcode, category } = this;
    // What may have happened is to be looked at, not repeated; and no login helps before these three are settled.
    const isStuck = outcome !== 'rejected' || /^190,(?:459|464|492)$/.test(`${code},${subcode}`);
    return isStuck ? 'fix' : code === 9007 ? 'wait' : (actions[category] ?? 'fix');
  }
}

/** What helps by category; `fix` for those that are not named. */
const actions: Partial<Record<ErrorCategory, ErrorAction>> = {
  auth: 'login',
  rate_limit: 'wait',
  quota: 'wait',
  policy: 'wait',
  transient: 'retry',
};

/** The platform limits the caller, and the retries that the policy allows are used up. */
export class RateLimitError extends ApiError<'RateLimitError'> {
  readonly usage: Usage | undefined;

  constructor(message: string, details: ApiErrorDetails = {}, retryAfterMs?: number, usage?: Usage) {
    super(message, { ...details, retryAfterMs }, 'RateLimitError');
    this.usage = usage;
  }
}

/** The token may not do this: a missing permission, or a closed 24-hour message window. */
export class PermissionError extends ApiError<'PermissionError'> {
  constructor(message: string, details?: ApiErrorDetails) {
    super(message, details, 'PermissionError');
  }
}

/** A media container did not become ready. Unless it is `ERROR` or `EXPIRED`, it can be published for 24 hours. */
export class ContainerNotReadyError extends ApiError<'ContainerNotReadyError'> {
  /** What to hand to `publishContainer` later. */
  readonly containerId: string;
  /** The last state that the platform reported; `undefined` when no look succeeded. */
  readonly statusCode: string | undefined;

  constructor(message: string, containerId: string, statusCode?: string, details?: ApiErrorDetails) {
    super(message, details, 'ContainerNotReadyError');
    this.containerId = containerId;
    this.statusCode = statusCode;
  }

  override get action(): ErrorAction {
    return this.statusCode === 'ERROR' || this.statusCode === 'EXPIRED' ? 'fix' : 'wait';
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
