import { errAsync, ResultAsync } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../errors.ts';
import { checkContext } from '../options/check.ts';
import { hasJournal } from './keyed.ts';
import type { JournalContext } from './types.ts';

/**
 * Tells the journal of a context what a person, or a webhook, has found out of a key whose outcome is unknown: the value
 * that the function would have returned, or that nothing was published. Afterwards a call under the key gives that value,
 * or begins anew.
 *
 * Fails with ConfigurationError without a journal in the context, where the key was not used, is held by a call or has
 * published, and for a value without ids; with TransportError, reason `journal`, when the store fails, holds what this
 * version cannot read, or knows the id as that of another key.
 *
 * @example
 * await settleKey(context, 'post-1742', { value: { id: '42_1742' } });
 * await settleKey(context, 'post-1743', 'rejected');
 */
export function settleKey(
  context: JournalContext,
  idempotencyKey: string,
  outcome: { readonly value: unknown } | 'rejected',
): ResultAsync<void, ConfigurationError | TransportError> {
  return settle(context, idempotencyKey, outcome);
}

/**
 * Makes the journal of a context forget a key, whatever it has published: a call under it begins anew. What it published
 * stays on the platform.
 *
 * Fails with ConfigurationError without a journal in the context, and where a call holds the key; with TransportError,
 * reason `journal`, when the store fails or holds what this version cannot read.
 *
 * @example
 * await forgetKey(context, 'post-1742');
 */
export function forgetKey(
  context: JournalContext,
  idempotencyKey: string,
): ResultAsync<void, ConfigurationError | TransportError> {
  return settle(context, idempotencyKey, 'forgotten');
}

function settle(
  context: JournalContext,
  key: string,
  to: { readonly value: unknown } | 'rejected' | 'forgotten',
): ResultAsync<void, ConfigurationError | TransportError> {
  const invalid = checkContext(context);
  if (invalid) return errAsync(invalid);
  return hasJournal(context)
    ? new ResultAsync(context.journal.journal.engine.settle(context, key, to))
    : errAsync(new ConfigurationError('idempotencyKey needs a journal in the context', 'idempotencyKey'));
}
