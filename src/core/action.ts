import { type Coded, type ErrorAction, type ErrorCategory, factOf } from './codes.ts';

/**
 * Whether a failed write took effect: `rejected`, it did not; `applied`, it did, although its id could not be learned,
 * or a later step failed; `unknown`, it may have. A failed read is always `rejected`.
 */
export type Outcome = 'rejected' | 'applied' | 'unknown';

/** The fields of an error that decide what helps. */
interface ClassifiedError extends Coded {
  readonly outcome: Outcome;
  readonly category: ErrorCategory | undefined;
}

/** What helps after an error. */
export function actionOf(error: ClassifiedError): ErrorAction {
  // A container that is neither in ERROR nor EXPIRED may still become ready.
  if ('statusCode' in error && !String(error.statusCode).startsWith('E')) return 'wait';
  // A write that may have taken effect is to be checked, not repeated.
  if (error.outcome !== 'rejected') return 'fix';
  return factOf(error)?.action ?? actions[error.category ?? 'unknown'] ?? 'fix';
}

/** What helps, by category; `fix` for the others. */
const actions: Partial<Record<ErrorCategory, ErrorAction>> = {
  auth: 'login',
  rate_limit: 'wait',
  quota: 'wait',
  policy: 'wait',
  transient: 'retry',
};

/** The longest `retryAfterMs`: a day. Callers pass it to timers, whose reach is 24 days; what comes later is asked again. */
const longestRetryAfterMs = 86_400_000;

/** A time to wait as errors tell it. */
export function toRetryAfter(ms: number): number {
  return Math.min(ms, longestRetryAfterMs);
}
