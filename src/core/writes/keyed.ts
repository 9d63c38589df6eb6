import { okAsync, ResultAsync } from 'neverthrow';

import type { ApiError, ConfigurationError, TransportError } from '../errors.ts';
import { guardHook } from '../http/hooks.ts';
import type { CallLimits } from '../http/types.ts';
import type { Rule } from '../options/check.ts';
import type {
  JournalContext,
  JournalOptions,
  JournalSettings,
  KeyedContext,
  KeyedOptions,
  RecordedIds,
} from './journal/types.ts';

/** The journal of a context; `undefined` where it has none. */
export function journalOf({
  journal,
  journalLeaseMs = 120_000,
  journalSettleMs = 600_000,
  journalTtlMs = 604_800_000,
  onJournalError,
  onJournal,
}: JournalOptions): JournalSettings | undefined {
  return (
    journal && {
      journal,
      journalLeaseMs,
      journalSettleMs,
      journalTtlMs,
      onJournalError: guardHook(onJournalError),
      onJournal: guardHook(onJournal),
    }
  );
}

/**
 * The rule for {@link KeyedOptions.idempotencyKey}, as far as it goes without what works with a journal. A key without
 * one would promise what nobody keeps.
 */
export function keyIn({ journal }: JournalContext): Rule {
  return (value) => (value === undefined || journal ? undefined : 'needs a journal in the context');
}

/**
 * Does the work of a publishing function, under the key of its options if they have one: then its context carries
 * what is recorded, and what comes out is recorded too. The client, the function and the options, as far as they are
 * content, must be the same whenever the key is. `looksWhileHeld` is for what lists forget soon: a call that finds its key held then looks
 * for what the other one sent.
 */
export function keyed<TContext extends JournalContext, TValue, TFailure>(
  context: TContext,
  { trace }: Pick<CallLimits, 'trace'>,
  client: 'page' | 'pics',
  options: KeyedOptions & { readonly signal?: AbortSignal | undefined },
  work: (context: TContext) => ResultAsync<TValue, TFailure>,
  { looksWhileHeld }: { readonly looksWhileHeld?: boolean } = {},
): ResultAsync<TValue, TFailure | ApiError | TransportError | ConfigurationError> {
  return hasJournal(context) && options.idempotencyKey !== undefined
    ? new ResultAsync(
        context.journal.journal.engine.run(context, { trace, client, looksWhileHeld }, options, work),
      )
    : work(context);
}

export function hasJournal<TContext extends JournalContext>(
  context: TContext,
): context is TContext & KeyedContext {
  return context.journal !== undefined;
}

/** What an earlier call under the key has recorded, if there is one. */
export function recordedIn({ keyedCall }: JournalContext): RecordedIds {
  return keyedCall?.ids() ?? {};
}

/** Whether an earlier call under the key may have sent the publishing request. */
export function isSent({ keyedCall }: JournalContext): boolean {
  return keyedCall?.isSent() ?? false;
}

/** Records ids under the key of the call, if it has one, before the next step. */
export function record({ keyedCall }: JournalContext, ids: RecordedIds): ResultAsync<void, TransportError> {
  return keyedCall ? new ResultAsync(keyedCall.record(ids)) : okAsync();
}
