import type { ApiErrorDetails, CreatedIds, ErrorAction, ErrorCategory, Outcome } from './errorDetails.ts';

/** Base of every error of this SDK. */
export abstract class SdkError extends Error {
  abstract override readonly name: string;

  /** What `JSON.stringify` shows: all fields, and the message, which it would leave out. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

type ApiErrorName = 'ApiError' | 'RateLimitError' | 'PermissionError' | 'ContainerNotReadyError';

/** What all errors that a response tells have in common. */
export class ApiError<TName extends ApiErrorName> extends SdkError implements ApiErrorDetails {
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
  /** What helps. */
  readonly action: ErrorAction;
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
    this.action = actionOf(this);
  }
}

/** What helps after an error. */
export function actionOf(error: Omit<ApiError<ApiErrorName>, 'stack'>): ErrorAction {
  const { outcome, code, subcode, category } = error;
  // A container that is neither in ERROR nor EXPIRED may get ready.
  if ('statusCode' in error && !String(error.statusCode).startsWith('E')) return 'wait';
  const key = `${code},${subcode}`;
  // What may have happened is to be looked at, not repeated; and no login helps before these four are settled.
  if (outcome !== 'rejected' || /^190,(?:459|464|49[02])$/.test(key)) return 'fix';
  if (code === 9007) return 'wait';
  return passingMedia.test(key) ? 'retry' : (actions[category] ?? 'fix');
}

/** Media that could not be fetched or processed, which is often temporary: `code,subcode`. */
const passingMedia: RegExp = /^9004,|,2207(?:020|05[23]|077|082)$/;

/** What helps by category; `fix` for those that are not named. */
const actions: Partial<Record<ErrorCategory, ErrorAction>> = {
  auth: 'login',
  rate_limit: 'wait',
  quota: 'wait',
  policy: 'wait',
  transient: 'retry',
};
