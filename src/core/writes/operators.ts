import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../errors.ts';
import { withOperation, perform } from '../http/send.ts';
import { checkContext } from '../options/check.ts';
import type {
  JournalContext,
  JournalState,
  KeyedContext,
  OpenKey,
  OpenKeysOptions,
} from './journal/types.ts';
import { hasJournal } from './keyed.ts';

/**
 * Reads what the journal of a context has recorded under a key; `undefined` if nothing. For operators: it reads the
 * store, not the platform.
 *
 * Fails with ConfigurationError if the context has no journal, and with TransportError, reason `journal`, when the
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
  return perform(context, 'journalState', withJournal(context), (_, checked) =>
    checked.journal.journal.engine.read(checked, idempotencyKey),
  );
}

/**
 * Lists the keys whose publishing is unfinished, one by one, with what the journal has recorded under each. For
 * operators: it reads the store, not the platform. The order is the store's; a key that is written meanwhile may be
 * missing, or listed in its previous state.
 *
 * Yields a ConfigurationError for bad options, or if the context has no journal, or one that cannot list its keys (all
 * journals of this SDK can); a TransportError, reason `journal`, for each entry that cannot be read, and as its last
 * element if the store fails.
 *
 * @example
 * for await (const open of openKeys(context, { states: ['sent'] })) {
 *   if (open.isOk()) console.log(open.value.key, open.value.sentAt, open.value.reason);
 * }
 */
export async function* openKeys(
  context: JournalContext,
  options: OpenKeysOptions = {},
): AsyncGenerator<Result<OpenKey, TransportError | ConfigurationError>, void, undefined> {
  const checked = withOperation('openKeys', withJournal(context, 'journal'));
  if (checked.isErr()) return yield err(checked.error);
  const keyed = checked.value;
  const { trace } = keyed.fetcher.begin(keyed, 'openKeys', {});
  let last: Result<unknown, TransportError | ConfigurationError> = ok();
  try {
    for await (const key of keyed.journal.journal.engine.list(keyed, options)) {
      last = key;
      yield key.mapErr((error) => Object.assign(error, trace.of));
    }
  } finally {
    keyed.fetcher.end(keyed, trace, last);
  }
}

/**
 * Records in the journal of a context what a person, or a webhook, has found out about a key whose outcome is unknown:
 * the value that the function would have returned, or that nothing was published. Afterwards a call under the key
 * returns that value, or starts over.
 *
 * Fails with ConfigurationError if the context has no journal, if the key was not used, is held by a call or has
 * published, and for a value without ids; with TransportError, reason `journal`, when the store fails, holds what this
 * version cannot read, or has recorded the id for another key.
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
  return settle(context, 'settleKey', idempotencyKey, outcome);
}

/**
 * Makes the journal of a context forget a key, even if it has published: a call under it then starts over. What it
 * published stays on the platform.
 *
 * Fails with ConfigurationError if the context has no journal, and if a call holds the key; with TransportError, reason
 * `journal`, when the store fails or holds what this version cannot read.
 *
 * @example
 * await forgetKey(context, 'post-1742');
 */
export function forgetKey(
  context: JournalContext,
  idempotencyKey: string,
): ResultAsync<void, ConfigurationError | TransportError> {
  return settle(context, 'forgetKey', idempotencyKey, 'forgotten');
}

function settle(
  context: JournalContext,
  operation: string,
  key: string,
  to: { readonly value: unknown } | 'rejected' | 'forgotten',
): ResultAsync<void, ConfigurationError | TransportError> {
  return perform(context, operation, withJournal(context), (_, checked) =>
    checked.journal.journal.engine.settle(checked, key, to),
  );
}

/** The context, if it has a journal. */
function withJournal(
  context: JournalContext,
  option = 'idempotencyKey',
): Result<KeyedContext, ConfigurationError> {
  const invalid = checkContext(context);
  if (invalid) return err(invalid);
  const what = option === 'journal' ? 'this' : option;
  return hasJournal(context)
    ? ok(context)
    : err(new ConfigurationError(`${what} needs a journal in the context`, option));
}
