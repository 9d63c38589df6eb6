import { type AnySdkError, ConfigurationError } from './errors.ts';
import { isObject } from './objects.ts';
import { fromCaller } from './options/given.ts';

/** What to do with a job whose call failed. */
export type Reaction =
  | { readonly is: 'done' | 'a matter for a person' }
  | {
      readonly is: 'to be called again';
      /** Milliseconds until then; at most a day. */
      readonly afterMs: number;
      /**
       * Whether the call that failed counts as an attempt. It does not while another worker has the key, or had it when it
       * died, nor while a limit is used up.
       */
      readonly isAttempt: boolean;
    };

/**
 * What a queue does with a job whose call failed: the job is done, or a person looks, or the queue starts it again after
 * `afterMs`. For calls under an `idempotencyKey`, each time the same: another one would publish twice. Where the process can
 * wait, `untilSettled` does.
 *
 * `attempts` counts the earlier failures whose reaction said `isAttempt`. After `maxAttempts` of them, 8 by default, a person
 * looks; what is no attempt may go on for any time. A job is `done` if the call was `applied`: it is published, although its
 * id is not known.
 *
 * For an error that came back as JSON, pass what `errorFromJSON` makes of it. Throws a ConfigurationError for what is no
 * object, such as the `undefined` that this makes of anything else.
 *
 * @example
 * const post = await publishPost(context, { pageId, pageToken, message: 'Hello', idempotencyKey: 'row-7' });
 * const reaction = post.isErr() ? reactTo(post.error, 0) : undefined;
 * if (reaction?.is === 'to be called again') console.log(`again in ${reaction.afterMs} ms`);
 */
export function reactTo(error: AnySdkError, attempts: number, maxAttempts = 8): Reaction {
  return fromCaller('error', () => reactionTo(error, attempts, maxAttempts));
}

function reactionTo(error: AnySdkError, attempts: number, maxAttempts: number): Reaction {
  const given: unknown = error;
  if (!isObject(given)) throw new ConfigurationError('error must be an error of this SDK', 'error');
  if ('outcome' in error && error.outcome === 'applied') return { is: 'done' };
  const { retryAfterMs: afterMs } = error;
  // The same call would fail again, or nobody can find out what became of it: `isFinal` says the same.
  if (afterMs === undefined) return { is: 'a matter for a person' };
  const isBusy = error.name === 'TransportError' && error.reason === 'busy';
  const isLimited = 'category' in error && (error.category === 'rate_limit' || error.category === 'quota');
  const isAttempt = !isBusy && !isLimited;
  // A count that was lost on the way must not let a job go on for ever.
  if (isAttempt && !(attempts < maxAttempts)) return { is: 'a matter for a person' };
  return { is: 'to be called again', afterMs, isAttempt };
}
