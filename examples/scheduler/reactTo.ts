import type { ContainerNotReadyError, Failure } from 'pagepics';

/** What to do with a job whose call failed. */
export type Reaction =
  | { readonly is: 'done' | 'a matter for a person' }
  | { readonly is: 'to be called again'; readonly afterMs: number; readonly isAttempt: boolean };

/** After this many attempts, a person looks. */
const mostAttempts = 8;

/**
 * The right reaction to each failure of what publishes with an idempotency key. None of them is another key: that is
 * what publishes twice.
 */
export function reactTo(error: Failure | ContainerNotReadyError, attempts: number): Reaction {
  // The same call would fail again.
  if (error.name === 'ConfigurationError') return { is: 'a matter for a person' };
  // It is published, but its id is unknown: good enough for a queue.
  if (error.outcome === 'applied') return { is: 'done' };
  // Another worker has it, or had it when it died: its lease ends after that time.
  if (error.name === 'TransportError' && error.reason === 'busy')
    return { is: 'to be called again', afterMs: error.retryAfterMs ?? 1000, isAttempt: false };
  // A limit is used up, which is no fault of the post: a governor held the call back, or the platform refused it.
  if (error.name === 'RateLimitError' && error.retryAfterMs !== undefined)
    return { is: 'to be called again', afterMs: error.retryAfterMs, isAttempt: false };
  // The platform has blocked the account, or a day's quota is used up, and it does not say for how long.
  const isBlocked = 'category' in error && (error.category === 'policy' || error.category === 'quota');
  if (isBlocked && attempts < mostAttempts)
    return { is: 'to be called again', afterMs: error.retryAfterMs ?? 6 * 3_600_000, isAttempt: true };
  // It may be published, or may still be: the next call with this key looks first, and sends only once that is settled.
  // Or nothing was sent: the network or the database failed, or the platform asks to wait.
  const mayHelp =
    error.outcome === 'unknown' ||
    error.name === 'TransportError' ||
    error.action === 'wait' ||
    error.action === 'retry';
  if (!mayHelp || attempts >= mostAttempts) return { is: 'a matter for a person' };
  return { is: 'to be called again', afterMs: error.retryAfterMs ?? 500 * 2 ** attempts, isAttempt: true };
}
