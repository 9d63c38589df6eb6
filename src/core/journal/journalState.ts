import { errAsync, ResultAsync } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../errors.ts';
import { hasJournal } from './keyed.ts';
import type { JournalContext, JournalState } from './types.ts';

/**
 * Tells what the journal of a context has recorded under a key; `undefined` where nothing. For operators: it asks the
 * store, not the platform.
 *
 * Fails with ConfigurationError without a journal in the context, and with TransportError, reason `journal`, when the
 * store fails or holds what this version cannot read.
 *
 * @example
 * const state = await journalState(context, 'post-1742');
 * if (state.isOk()) console.log(state.value?.state, state.value?.ids, state.value?.sentAt);
 */
export function journalState(
  context: JournalContext,
  idempotencyKey: string,
): ResultAsync<JournalState | undefined, ConfigurationError | TransportError> {
  return hasJournal(context)
    ? new ResultAsync(context.journal.journal.engine.read(context, idempotencyKey))
    : errAsync(new ConfigurationError('idempotencyKey needs a journal in the context', 'idempotencyKey'));
}
