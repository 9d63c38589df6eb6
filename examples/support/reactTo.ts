import { type AnySdkError, isFinal } from 'pagepics';

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
  // The same call would fail again, or nobody can find out what became of it.
  if (isFinal(error)) return { is: 'a matter for a person' };
  const asked = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  // Another worker has it, or had it when it died; or a limit is used up. Neither is a fault of the post.
  const isBusy = error.name === 'TransportError' && error.reason === 'busy';
  const isAttempt = asked === undefined || !(isBusy || error.name === 'RateLimitError');
  if (isAttempt && attempts >= mostAttempts) return { is: 'a matter for a person' };
  // Nobody says how long a block or the quota of a day lasts.
  const isBlocked = 'category' in error && (error.category === 'policy' || error.category === 'quota');
  const afterMs = asked ?? (isBlocked ? 6 * 3_600_000 : 500 * 2 ** attempts);
  return { is: 'to be called again', afterMs, isAttempt };
}
