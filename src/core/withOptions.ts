import { err, ok, type Result } from 'neverthrow';

import type { Context } from './context.ts';
import type { ConfigurationError } from './errors.ts';
import type { RetryPolicy } from './http/retry.ts';
import { checkContext } from './options/check.ts';
import { checkNamed, checkTimes, patience, toPolicy } from './settings.ts';

/** The settings that a context can differ in from the one that it is made of. What is left out stays. */
export interface ChangedOptions {
  /** Milliseconds for a whole call: all its attempts, pages, waits and look-ups. At least 1. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt, from 1 to 2_147_483_647. */
  readonly timeoutMs?: number | undefined;
  /** Fields left out stay. */
  readonly retry?: Partial<RetryPolicy> | undefined;
}

/**
 * Makes a context that differs from another one in how patient it is. It is of the same app and platform, and
 * shares the rest with it: hooks, `fetch`, the retries spent of the budget, and its end: `close` ends both.
 *
 * A copy made with a spread does not do: it has no secret, and every call with it fails with ConfigurationError.
 *
 * Fails with ConfigurationError when `context` is such a copy, when an option is out of its bounds, and when it is
 * one that cannot be changed: for another app, platform, version, `fetch` or hook, make another context.
 *
 * @example
 * const quick = withOptions(context, { deadlineMs: 5000, retry: { attempts: 1 } });
 * if (quick.isOk()) await me(quick.value, { token });
 */
export function withOptions<TContext extends Context>(
  context: TContext,
  options: ChangedOptions,
): Result<TContext, ConfigurationError> {
  const incomplete = checkContext(context);
  if (incomplete) return err(incomplete);
  const checked = checkNamed(options, patience, {}, 'cannot be changed: make another context');
  if (checked.isErr()) return err(checked.error);
  const { timeoutMs = context.timeoutMs, deadlineMs = context.deadlineMs } = checked.value;
  const invalid = context.journal && checkTimes(context.journal, timeoutMs);
  if (invalid) return err(invalid);
  const changes = { timeoutMs, deadlineMs, retry: toPolicy(context.retry, checked.value.retry) };
  // The descriptors, since the secrets are getters that a spread leaves out.
  const copy: unknown = Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(changes) },
  );
  return ok(Object.freeze(copy) as TContext);
}
