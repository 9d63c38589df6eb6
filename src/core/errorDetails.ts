/**
 * Whether a failed write took effect: `rejected`, it did not; `applied`, it did, although its id could
 * not be learnt; `unknown`, it may have. A failed read is always `rejected`.
 */
export type Outcome = 'rejected' | 'applied' | 'unknown';

/** What a refusal is about, from its code, its subcode and then its HTTP status. */
export type ErrorCategory =
  | 'auth'
  | 'permission'
  | 'rate_limit'
  | 'quota'
  | 'policy'
  | 'recipient'
  | 'transient'
  | 'validation'
  | 'media'
  | 'window'
  | 'not_found'
  | 'unknown';

/**
 * What helps after a refusal: `login`, a new login of the person; `retry`, the same call later, and only ever said of a
 * call that did not take effect; `wait`, nothing but time; `fix`, a change of the call, the app, a role, or at the
 * platform.
 */
export type ErrorAction = 'login' | 'retry' | 'wait' | 'fix';

/**
 * Why no usable response arrived. Of calls with an idempotency key also `busy`, another call holds the key, and
 * `journal`, the journal failed.
 */
export type TransportReason = 'network' | 'timeout' | 'aborted' | 'closed' | 'busy' | 'journal';

/** What lies behind a TransportError. */
export interface TransportCause {
  /** Such as `TypeError`; of the caller's signal, the name of its reason: `TimeoutError`, `AbortError`, one of your own. */
  readonly name: string;
  /** Such as `ECONNRESET`. */
  readonly code?: string | undefined;
  /** Of a signal, whether it timed out or was aborted: what its reason says is not repeated, since it may quote anything. */
  readonly message: string;
}

/** What a call made on the platform before it failed. */
export interface CreatedIds {
  readonly photo_id?: string | undefined;
  readonly photo_ids?: readonly string[] | undefined;
  readonly video_id?: string | undefined;
  readonly container_id?: string | undefined;
  /** Containers of the items of a carousel. */
  readonly children?: readonly string[] | undefined;
}

/** How much of a rate limit is used, as the platform's usage headers say. */
export interface Usage {
  /** The highest of all reported shares, in percent; calls are refused from 100 on. */
  readonly percent: number;
  /** Milliseconds until calls are taken again, where the platform says. */
  readonly regainMs?: number | undefined;
}

/** What is known of a refusal. */
export interface ApiErrorDetails {
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** The platform's error code, for example 190 for a dead token. */
  readonly code?: number | undefined;
  /** The platform's finer code. */
  readonly subcode?: number | undefined;
  /** The platform's name of the kind of error. */
  readonly type?: string | undefined;
  /** The platform's trace id, to quote in a support case. */
  readonly traceId?: string | undefined;
  /** Whether the same request may succeed later. */
  readonly transient?: boolean | undefined;
  /** Title for the app's user, in the user's language. */
  readonly userTitle?: string | undefined;
  /** Text for the app's user, in the user's language. */
  readonly userMessage?: string | undefined;
  /** The body of the response, secrets masked, and the ids made so far under their documented names. */
  readonly payload?: unknown;
  readonly category?: ErrorCategory | undefined;
  /** What a failed write did. */
  readonly outcome?: Outcome | undefined;
  /** Milliseconds that the platform asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The ids that were made before the failure. */
  readonly ids?: CreatedIds | undefined;
}
