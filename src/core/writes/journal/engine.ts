import { err, ok, type Result } from 'neverthrow';

import { type ApiError, ConfigurationError, TransportError } from '../../errors.ts';
import { guardHook } from '../../http/guardHook.ts';
import type { CallEvent } from '../../http/hooks.ts';
import { duringCall } from '../../http/lifecycle.ts';
import { settled } from '../../http/send.ts';
import { fieldsOf } from '../../objects.ts';
import { checkOptions } from '../../options/check.ts';
import { longestKept } from '../../options/clock.ts';
import * as rule from '../../options/rules.ts';
import { checkLead, toSeconds } from '../../options/time.ts';
import { claimEntry, type Hold, holdEntry, watch } from './claim.ts';
import { type KeyEntry, parseEntry } from './entry.ts';
import { checkKey, toFailure } from './failures.ts';
import { digestContent, signerOf } from './fingerprint.ts';
import { finishCall, makeKeyedCall } from './keyedCall.ts';
import { ownersFor } from './owners.ts';
import { openSlot, type Slot, type SlotLimits, storeKey } from './slot.ts';
import type {
  EngineCall,
  JournalEngine,
  JournalEvent,
  JournalOptions,
  JournalSettings,
  KeyedCall,
  KeyedContext,
  KeyedOptions,
} from './types.ts';

/** What works with the journal of a context. */
export const engine: JournalEngine = { settings, run };

function settings(
  {
    journal,
    journalLeaseMs = 120_000,
    journalSettleMs = 600_000,
    journalTtlMs = 604_800_000,
    onJournalError,
    onJournal,
  }: JournalOptions & Pick<JournalSettings, 'journal'>,
  timeoutMs: number,
): Result<JournalSettings, ConfigurationError> {
  return checkOptions(
    { journalSettleMs, journalTtlMs },
    {
      journalSettleMs: rule.between(journalLeaseMs + timeoutMs, longestKept),
      journalTtlMs: rule.between(journalSettleMs + 1, longestKept),
    },
  ).map((times) => ({
    ...times,
    journal,
    journalLeaseMs,
    onJournalError: guardHook(onJournalError),
    onJournal: guardHook(onJournal),
  }));
}

async function run<TContext extends KeyedContext, TValue, TFailure>(
  context: TContext,
  { trace, client, looksWhileHeld = false }: EngineCall,
  options: KeyedOptions & Pick<SlotLimits, 'signal'> & { readonly scheduledAt?: unknown },
  work: (context: TContext) => PromiseLike<Result<TValue, TFailure>>,
): Promise<Result<TValue, TFailure | ApiError | TransportError | ConfigurationError>> {
  const { clock, deadlineMs } = context;
  const { idempotencyKey = '', signal } = options;
  const invalid = checkKey(idempotencyKey);
  if (invalid) return err(invalid);
  const limits = { signal, deadline: clock.monotonic() + deadlineMs };
  const { slot, finalSlot } = openSlot(context, storeKey(context, idempotencyKey), limits);
  let last: JournalEvent['event'] | undefined;
  const tell = (event: JournalEvent['event']): void => {
    last = event;
    context.journal.onJournal?.({ ...trace.of, event, key: idempotencyKey });
  };
  const found = ({ value }: Pick<KeyEntry, 'value'>): Result<TValue, never> => {
    tell('found');
    // What the same function returned under this key.
    return ok(value as TValue);
  };
  try {
    const name = `${client} ${trace.of.operation}`;
    const digested = await duringCall(context, limits, (stop) =>
      digestContent(idempotencyKey, name, options, signerOf(context), stop).catch(
        // It throws only errors.
        (thrown: unknown) => thrown as Error,
      ),
    );
    if (digested.isErr()) return err(digested.error);
    const content = digested.value;
    if (content instanceof Error) {
      const published = await publishedBy(context, name, slot);
      if (published === undefined) throw content;
      return found(published);
    }
    const scheduledAt = timeOf(options);
    const claim = await claimEntry(context, slot, {
      content,
      scheduledAt,
      checkNew: () => checkLead(clock, options.scheduledAt),
    });
    tellWarning(context, trace.of);
    if ('version' in claim) return found(claim);

    const owners = ownersFor(context, idempotencyKey, { limits, scheduledAt });
    const parts = { key: idempotencyKey, trace, limits, finalSlot, files: content.files, owners, tell };
    const workWith = (hold: Hold, call: KeyedCall) => settled(work(withCall(context, call, hold.renew)));
    if ('held' in claim) {
      const { held, failure } = claim;
      if (held.sending === undefined || !looksWhileHeld) throw failure;
      const hold = watch(held);
      const shown = await workWith(hold, makeKeyedCall(context, { ...parts, hold }));
      if (shown.isErr()) throw failure;
      return shown;
    }

    tell(claim.isNew ? 'claimed' : 'resumed');
    const hold = holdEntry(context, slot, claim);
    const call = makeKeyedCall(context, { ...parts, hold });
    const result = await workWith(hold, call);
    const end = await finishCall(context, { ...parts, hold }, call.published(), result);
    const event = eventOf(end, last === 'found');
    if (event !== undefined) tell(event);
    return end;
  } catch (thrown) {
    if (thrown instanceof TransportError && thrown.reason === 'busy') tell('busy');
    return err(thrown instanceof ConfigurationError ? thrown : toFailure(thrown));
  }
}

/** What an earlier call of the same function and app has published: then the call's files are not needed. */
async function publishedBy(context: KeyedContext, name: string, slot: Slot): Promise<KeyEntry | undefined> {
  const entry = parseEntry((await slot.read()) ?? '');
  const secret = signerOf(context)?.id ?? 'key';
  const isOwn = entry !== undefined && (entry.call ?? name) === name && (entry.under ?? secret) === secret;
  return isOwn && entry.value !== undefined ? entry : undefined;
}

/** The scheduled time of a call, in milliseconds since 1970. */
function timeOf({ scheduledAt }: { readonly scheduledAt?: unknown }): number | undefined {
  const seconds = toSeconds(scheduledAt);
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

/** Tells the caller once what the store does not say of itself. */
function tellWarning({ journal }: KeyedContext, of: CallEvent): void {
  const { onJournalError } = journal;
  const warning = onJournalError && journal.journal.takeWarning?.();
  if (warning !== undefined) onJournalError?.(Object.assign(new TransportError('journal', warning), of));
}

/** The event with which a call ends. `found` was already reported when it happened. */
function eventOf(result: Result<unknown, unknown>, isFound: boolean): JournalEvent['event'] | undefined {
  const { outcome = 'applied' } = result.isErr() ? fieldsOf(result.error) : {};
  return outcome === 'unknown' ? 'unknown' : outcome === 'applied' && !isFound ? 'published' : undefined;
}

/** The context for the work of a keyed call. Sleeping on its clock also renews the lease. */
function withCall<TContext extends KeyedContext>(
  context: TContext,
  call: KeyedCall,
  renew: () => Promise<void>,
): TContext {
  const { clock } = context;
  const renewing: KeyedContext['clock'] = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: async (ms, abort) => {
      await clock.sleep(ms, abort);
      await renew();
    },
  };
  // Inherits from the context instead of copying it: its secrets are getters that a copy would lack.
  return Object.create(context, {
    keyedCall: { value: call },
    clock: { value: renewing },
    retry: { value: { ...context.retry, onceOnly: true } },
  }) as TContext;
}
