import type { AnySdkError } from 'pagepics';

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
export function reactTo(error: AnySdkError, attempts: number): Reaction {
  // It is published, but its id is unknown: good enough for a queue.
  if ('outcome' in error && error.outcome === 'applied') return { is: 'done' };
  const afterMs = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  // The same call would fail again, or nobody can find out what became of it: `isFinal` says the same.
  if (afterMs === undefined) return { is: 'a matter for a person' };
  // Another worker has it, or had it when it died; or a limit is used up. Neither is a fault of the post.
  const isBusy = error.name === 'TransportError' && error.reason === 'busy';
  const isLimited = 'category' in error && (error.category === 'rate_limit' || error.category === 'quota');
  const isAttempt = !isBusy && !isLimited;
  if (isAttempt && attempts >= mostAttempts) return { is: 'a matter for a person' };
  return { is: 'to be called again', afterMs, isAttempt };
}
