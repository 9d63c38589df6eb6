import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../context.ts';
import type { ConfigurationError } from '../errors.ts';
import { between, check, checkContext, optional } from '../options/check.ts';
import { longestTimer } from '../options/clock.ts';

export interface CloseOptions {
  /**
   * Milliseconds that calls which have begun may still take, before they are aborted. From 0 to 2_147_483_647.
   * @default 0
   */
  readonly drainMs?: number | undefined;
}

/**
 * Ends a context: what is in flight is aborted, and later calls fail with a TransportError whose `reason` is
 * `closed`. A `fetch` that was handed in is left alone.
 *
 * With `drainMs`, calls that have begun, with all their requests, first get that long to end; the result comes when
 * the last one has ended.
 *
 * Fails with ConfigurationError when `drainMs` is no duration.
 *
 * @example
 * close(context);
 * await close(context, { drainMs: 10_000 });
 */
export function close(context: Context): Result<void, never>;
export function close(context: Context, options: CloseOptions): ResultAsync<void, ConfigurationError>;
export function close(
  context: Context,
  options?: CloseOptions,
): Result<void, ConfigurationError> | ResultAsync<void, ConfigurationError> {
  if (options === undefined) {
    const invalid = checkContext(context);
    if (invalid) return err(invalid);
    // Without time to drain, all is done when it returns.
    void context.fetcher.close();
    return ok();
  }
  const checked = check(context, options, () => ({ drainMs: optional(between(0, longestTimer)) }));
  return checked.isErr()
    ? errAsync(checked.error)
    : ResultAsync.fromSafePromise(context.fetcher.close(checked.value.drainMs));
}
