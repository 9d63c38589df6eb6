import { askedMsOf } from '../action.ts';
import type { RequestFailure } from '../errors.ts';

/** How often, and after which delays, a request is retried. */
export interface RetryPolicy {
  /**
   * The maximum number of times that a request is sent: 3 means two retries. It applies to each request of a call that
   * sends several.
   * @default 3
   */
  readonly attempts: number;
  /**
   * Milliseconds before the first retry if the platform names no time; doubled for each further one. Lookups of lost
   * writes wait the same steps, without jitter.
   * @default 500
   */
  readonly baseDelayMs: number;
  /**
   * The longest wait, in milliseconds, if the platform names no time.
   * @default 20_000
   */
  readonly maxDelayMs: number;
  /**
   * `full` waits a random part of the delay, so that callers that failed together do not come back together; if the
   * platform names a time, that part is added to it. `none` waits exactly the delay, or the time that the platform
   * names.
   * @default 'full'
   */
  readonly jitter: 'full' | 'none';
  /**
   * HTTP statuses that are retried, whatever the body says. A list with a 5xx also retries what a proxy or a gateway may
   * have sent: 408, 425, 499, and any other 4xx without an error code of the platform. Error codes of rate limits and
   * temporary faults, and the platform's `is_transient`, are retried at any status; with `[]`, only these are.
   * @default [429, 500, 502, 503, 504]
   */
  readonly statuses: readonly number[];
  /**
   * The longest wait, in milliseconds, that the platform may ask for. If it asks for more, the call fails at once,
   * and the error says how long.
   * @default 60_000
   */
  readonly maxRetryAfterMs: number;
  /**
   * The number of retries that all calls of the context share. Each retry takes one; each success or permanent refusal
   * gives a tenth back. When none is left, nothing is retried, so that a thousand calls do not become three thousand
   * while the platform is down.
   * @default Infinity
   */
  readonly budget: number;
  /**
   * `false` retries publishing requests after a 5xx or a transient code, like any other POST, and skips the lookup
   * after a lost response. A post can then be published twice.
   * @default true
   */
  readonly onceOnly: boolean;
}

/** The retry policy of a context unless `retry` says otherwise. */
export const defaultRetryPolicy: RetryPolicy = /* @__PURE__ */ Object.freeze({
  attempts: 3,
  baseDelayMs: 500,
  maxDelayMs: 20_000,
  jitter: 'full',
  statuses: /* @__PURE__ */ Object.freeze([429, 500, 502, 503, 504]),
  maxRetryAfterMs: 60_000,
  budget: Infinity,
  onceOnly: true,
});

/** Milliseconds before the given retry, 1 for the first, if the platform names no time. */
export function backoff(policy: RetryPolicy, retry: number): number {
  return Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (retry - 1));
}

/** An attempt that failed. */
export interface FailedAttempt {
  readonly error: RequestFailure;
  /** Whether the platform is known to have done nothing, so that sending it again is safe. */
  readonly isRejected: boolean;
  /** Whether the platform itself, not only the HTTP status, says that the fault is temporary. */
  readonly isTransient?: boolean;
  /** Whether something between the platform and the caller may have responded, such as a proxy or a gateway. */
  readonly isFromGateway?: boolean;
  /** The headers of the response, if there was one. */
  readonly headers?: Headers;
}

/** The state of a request after a failed attempt. */
export interface RetryState {
  readonly policy: RetryPolicy;
  /** Whether it is safe to send the request again; `undefined` if it always is. */
  readonly mayRepeat: MayRepeat | undefined;
  /** The attempt that failed, 1 for the first. */
  readonly attempt: number;
  /** Attempts in total. */
  readonly attempts: number;
  /** Whether the retry budget of the context allows another one. */
  readonly hasBudget: boolean;
  /** Milliseconds until the deadline. */
  readonly leftMs: number;
  /** From 0 to 1, below 1. */
  readonly random: number;
}

/** Milliseconds until a request is sent again; `undefined` if it is not. */
export function retryDelay(failed: FailedAttempt, state: RetryState): number | undefined {
  const { policy, mayRepeat, attempt, attempts, hasBudget, leftMs, random } = state;
  if (attempt >= attempts || !hasBudget) return undefined;
  if (mayRepeat?.(failed, policy) === false || !maySucceed(failed, policy)) return undefined;
  const askedMs = askedMsOf(failed.error) ?? 0;
  if (askedMs > policy.maxRetryAfterMs || askedMs >= leftMs) return undefined;
  const stepMs = backoff(policy, attempt);
  const jitterMs = policy.jitter === 'full' ? stepMs * random : askedMs > 0 ? 0 : stepMs;
  // Added to the requested time, never less than it: callers that were refused together come back one by one.
  const delayMs = askedMs + jitterMs;
  return delayMs < leftMs ? delayMs : askedMs || undefined;
}

/** Whether it is safe to send a request again after a failure, if the retry policy allows it. */
export type MayRepeat = (failed: FailedAttempt, policy: RetryPolicy) => boolean;

/** For requests that are not sent again after a lost response. */
export function afterResponse({ error, isRejected }: FailedAttempt): boolean {
  return isRejected || error.name !== 'TransportError';
}

/** For requests that are sent again only if the platform is known to have done nothing. */
export function afterRejection(failed: FailedAttempt, { onceOnly }: RetryPolicy): boolean {
  return failed.isRejected || (!onceOnly && afterResponse(failed));
}

/** Whether this is a permanent refusal, not an outage. */
export function isPermanent(failed: FailedAttempt, policy: RetryPolicy): boolean {
  return failed.error.name !== 'TransportError' && !maySucceed(failed, policy);
}

/**
 * Statuses that proxies and gateways send when they gave up waiting, or when the client did: they say nothing about the
 * platform, whatever the body.
 */
export const gatewayStatuses: readonly number[] = [408, 425, 499];

/** Whether another attempt may succeed. */
function maySucceed(
  { error, isTransient, isFromGateway }: FailedAttempt,
  { statuses }: RetryPolicy,
): boolean {
  if (error.name === 'TransportError') return error.reason === 'network' || error.reason === 'timeout';
  const { category, code, status = 0 } = error;
  const isPermanent =
    !gatewayStatuses.includes(status) &&
    (/^(?:policy|quota|window)$/.test(category) || (category === 'validation' && code !== undefined));
  const isRetried =
    statuses.includes(status) || (isFromGateway === true && statuses.some((one) => one >= 500));
  return !isPermanent && (isTransient === true || isRetried);
}
