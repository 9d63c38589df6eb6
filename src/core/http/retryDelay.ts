import type { RequestFailure } from '../errors.ts';
import { backoff, type RetryPolicy } from './retry.ts';
import type { RetryOn } from './types.ts';

/** An attempt that failed. */
export interface FailedAttempt {
  readonly error: RequestFailure;
  /** The platform is known to have done nothing: to send it again cannot do it twice. */
  readonly isRejected: boolean;
  /** The platform's own words, not only the HTTP status, tell that the fault passes. */
  readonly isPassing?: boolean;
}

/** Where a request stands after an attempt that failed. */
export interface RetryState {
  readonly policy: RetryPolicy;
  readonly retryOn: RetryOn;
  /** The attempt that failed, 1 for the first. */
  readonly attempt: number;
  /** Attempts in all. */
  readonly attempts: number;
  /** Whether the retry budget of the context lets another one go. */
  readonly hasBudget: boolean;
  /** Milliseconds until the deadline. */
  readonly leftMs: number;
  /** From 0 to 1, below 1. */
  readonly random: number;
}

/** Milliseconds until a request is sent again; `undefined` where it is not. */
export function retryDelay(failed: FailedAttempt, state: RetryState): number | undefined {
  const { policy, attempt, attempts, hasBudget, leftMs, random } = state;
  if (attempt >= attempts || !hasBudget) return undefined;
  if (!mayRepeat(failed, state) || !maySucceed(failed, policy)) return undefined;
  const askedMs = ('retryAfterMs' in failed.error && failed.error.retryAfterMs) || 0;
  if (askedMs > policy.maxRetryAfterMs || askedMs >= leftMs) return undefined;
  const stepMs = backoff(policy, attempt);
  const jitterMs = policy.jitter === 'full' ? stepMs * random : askedMs > 0 ? 0 : stepMs;
  // Never before the time asked for, but above it: callers that were refused together come back one by one.
  const delayMs = askedMs + jitterMs;
  return delayMs < leftMs ? delayMs : askedMs || undefined;
}

/** Whether sending it again can do no harm. */
function mayRepeat({ error, isRejected }: FailedAttempt, { policy, retryOn }: RetryState): boolean {
  if (isRejected || retryOn === 'anyFailure') return true;
  return error.name !== 'TransportError' && (retryOn === 'response' || !policy.onceOnly);
}

/** Whether the platform, which is well, refuses for good. */
export function isLasting(failed: FailedAttempt, policy: RetryPolicy): boolean {
  return failed.error.name !== 'TransportError' && !maySucceed(failed, policy);
}

/** Whether another attempt may succeed. */
function maySucceed({ error, isPassing }: FailedAttempt, { statuses }: RetryPolicy): boolean {
  if (error.name === 'TransportError') return error.reason === 'network' || error.reason === 'timeout';
  const { category, code, status = 0 } = error;
  const isLasting =
    /^(?:policy|quota|window)$/.test(category) || (category === 'validation' && code !== undefined);
  return !isLasting && (isPassing === true || statuses.includes(status));
}
