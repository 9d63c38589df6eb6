import { ok, type Result } from 'neverthrow';

import type { Context } from '../context.ts';

/**
 * Ends a context: what is in flight is aborted, and later calls fail with a TransportError whose `reason` is
 * `closed`. A `fetch` that was handed in is left alone.
 *
 * @example
 * close(context);
 */
export function close(context: Context): Result<void, never> {
  context.fetcher.close();
  return ok();
}
