import { err, okAsync, type Result, ResultAsync } from 'neverthrow';

import { type ApiError, ConfigurationError, type TransportError } from '../errors.ts';
import { openDuring } from '../http/files.ts';
import { perform } from '../http/send.ts';
import type { CallLimits, CallOf, CallOptions, HttpContext } from '../http/types.ts';
import { type FileSource, openFile } from '../options/fileSource.ts';
import * as rule from '../options/rules.ts';
import { checkLead } from '../options/time.ts';
import type { JournalContext, KeyedContext, KeyedOptions, RecordedIds } from './journal/types.ts';

/** The rule for {@link KeyedOptions.idempotencyKey}, which the journal checks: a call without a key needs no code of it. */
export const keyRule = rule.as('how', rule.any);

/** Refuses a key without a journal, since nothing could keep its promise; and a time that is too soon. */
function checkKeyed(
  { journal, clock }: JournalContext & HttpContext,
  { idempotencyKey, scheduledAt }: KeyedOptions & { readonly scheduledAt?: unknown },
): ConfigurationError | undefined {
  if (idempotencyKey === undefined) return checkLead(clock, scheduledAt);
  return journal === undefined
    ? new ConfigurationError('idempotencyKey needs a journal in the context', 'idempotencyKey')
    : undefined;
}

/**
 * Does the work of a publishing function as one call, once its options are checked, and under the key if the options
 * have one: `work` then gets a context that carries what is recorded, and its result is recorded too. A key must always
 * come with the same client, function and content. `looksWhileHeld` is for effects that lists soon stop showing: while
 * another call holds the key, this call looks for what that one sent. It publishes, in the lane for that, unless `lane`
 * says that it answers somebody.
 */
export function performKeyed<
  TContext extends JournalContext & HttpContext,
  TOptions extends KeyedOptions & CallOptions,
  TInvalid extends object,
  TValue,
  TFailure,
>(
  context: TContext,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  client: 'page' | 'pics',
  work: (context: TContext, call: CallOf<TOptions>, options: TOptions) => ResultAsync<TValue, TFailure>,
  { lane, ...how }: { readonly looksWhileHeld?: boolean; readonly lane?: 'interact' } = {},
): ResultAsync<TValue, TFailure | TInvalid | ApiError | TransportError | ConfigurationError> {
  type Failure = TFailure | ApiError | TransportError | ConfigurationError;
  const invalid = checked.isOk() ? checkKeyed(context, checked.value) : undefined;
  const whole: Result<TOptions, TInvalid | ConfigurationError> = invalid ? err(invalid) : checked;
  const inCall = (call: CallOf<TOptions>, options: TOptions): ResultAsync<TValue, Failure> => {
    const run = (context: TContext): ResultAsync<TValue, TFailure> => work(context, call, options);
    return hasJournal(context) && options.idempotencyKey !== undefined
      ? new ResultAsync(
          context.journal.journal.engine.run(context, { trace: call.trace, client, ...how }, options, run),
        )
      : run(context);
  };
  return perform(context, operation, whole, inCall, lane ?? 'publish');
}

export function hasJournal<TContext extends JournalContext>(
  context: TContext,
): context is TContext & KeyedContext {
  return context.journal !== undefined;
}

/** What earlier calls under the key have recorded, if the call has a key. */
export function recordedIn({ keyedCall }: JournalContext): RecordedIds {
  return keyedCall?.ids() ?? {};
}

/** Whether an earlier call under the key may have sent the publishing request. */
export function isSent({ keyedCall }: JournalContext): boolean {
  return keyedCall?.isSent() ?? false;
}

/** Records ids under the key of the call, if it has one, before the next step. */
export function recordIds(
  { keyedCall }: JournalContext,
  ids: RecordedIds,
): ResultAsync<void, TransportError> {
  return keyedCall ? new ResultAsync(keyedCall.record(ids)) : okAsync();
}

/**
 * Opens the file of an option, as a part of the call. With a key, that is the file whose bytes were digested: it cannot
 * be read if it has changed since then. Without a file, the result is `instead`.
 */
export function openDigested<TInstead>(
  context: JournalContext & HttpContext,
  call: CallLimits,
  source: FileSource | undefined,
  option: string,
  instead: TInstead,
): ResultAsync<Blob | TInstead, ConfigurationError | TransportError> {
  if (source === undefined) return okAsync(instead);
  const opened = context.keyedCall?.files.get(source);
  return openDuring(context, call, () =>
    opened === undefined ? openFile(source, option) : opened.andThen((file) => openFile(file, option)),
  );
}
