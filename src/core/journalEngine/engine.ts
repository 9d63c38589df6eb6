import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError, type Outcome, TransportError } from '../errors.ts';
import type {
  JournalEngine,
  JournalEvent,
  JournalState,
  KeyedCall,
  KeyedContext,
  KeyedOptions,
} from '../journal/types.ts';
import { checkOptions, optional } from '../options/check.ts';
import { scheduleSeconds } from '../options/time.ts';
import type { WriteContext } from '../writes/types.ts';
import { claimEntry } from './claim.ts';
import { effectsOf } from './effects.ts';
import { changesTo, describeEntry, idsIn, readEntry, whyNotSettled, writeEntry } from './entry.ts';
import { checkKey, journalFailure, toFailure } from './failures.ts';
import { digestContent, hmac, signerOf, toHex } from './fingerprint.ts';
import { ended, finishCall } from './finish.ts';
import { holdEntry, watch } from './hold.ts';
import { makeKeyedCall } from './keyedCall.ts';
import { listKeys } from './listKeys.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';

/** What works with the journal of a context. */
export const engine: JournalEngine = { run, read, settle, list: listKeys };

async function run<TContext extends KeyedContext, TValue, TFailure>(
  context: TContext,
  name: string,
  options: KeyedOptions & Pick<SlotLimits, 'signal'> & { readonly scheduledAt?: unknown },
  work: (context: TContext) => PromiseLike<Result<TValue, TFailure>>,
  looksWhileHeld = false,
): Promise<Result<TValue, TFailure | TransportError | ConfigurationError>> {
  const { clock, deadlineMs } = context;
  const { idempotencyKey = '', signal } = options;
  const invalid = checkKey(idempotencyKey);
  if (invalid) return err(invalid);
  const limits = { signal, deadline: clock.monotonic() + deadlineMs };
  const { slot, lastly } = openSlot(context, storeKey(context, idempotencyKey), limits);
  const operation = name.replace(/^.* /, '');
  const tell = (event: JournalEvent['event']): void =>
    context.journal.onJournal?.({ operation, event, key: idempotencyKey });
  try {
    const [content, mark] = await Promise.all([
      digestContent(idempotencyKey, name, options, signerOf(context)).catch(
        (thrown: unknown) => thrown as Error,
      ),
      markOf(idempotencyKey),
    ]);
    if (content instanceof Error) {
      // What is published is known without its file.
      const { value } = readEntry((await slot.read()) ?? '') ?? {};
      if (value === undefined) throw content;
      tell('found');
      return ok(value as TValue);
    }
    const owner = toHex(crypto.getRandomValues(new Uint8Array(16)).buffer);
    const claim = await claimEntry(context, slot, {
      content,
      owner,
      checkNew: () => checkSchedule(clock, options),
    });
    if ('version' in claim) {
      tell('found');
      return ok(claim.value as TValue);
    }
    const effects = effectsOf(context, { prefixes: prefixesIn(context), mark, limits });
    if ('held' in claim) {
      const { held, failure } = claim;
      if (held.sending === undefined || !looksWhileHeld) throw failure;
      const parts = { ...limits, hold: watch(held, failure), effects, tell };
      const found = await work(withCall(context, makeKeyedCall(context, parts), noop));
      if (found.isErr()) throw failure;
      return found;
    }

    tell(claim.isNew ? 'claimed' : 'resumed');
    const hold = holdEntry(context, slot, claim);
    const call = makeKeyedCall(context, { ...limits, hold, effects, tell });
    const result = await work(withCall(context, call, hold.renew));
    const end = await finishCall(context, { hold, effects, rivals: call.rivals(), lastly }, result);
    const event = eventOf(end, call.isFound());
    if (event !== undefined) tell(event);
    return end;
  } catch (thrown) {
    if (thrown instanceof TransportError && thrown.reason === 'busy') tell('busy');
    return err(thrown instanceof ConfigurationError ? thrown : toFailure(thrown));
  }
}

/** Checks the time of a first call. Of a repeated one, it may be over. */
function checkSchedule(
  clock: KeyedContext['clock'],
  { scheduledAt }: { readonly scheduledAt?: unknown },
): ConfigurationError | undefined {
  const checked = checkOptions({ scheduledAt }, () => ({ scheduledAt: optional(scheduleSeconds(clock)) }));
  return checked.isErr() ? checked.error : undefined;
}

/** Tells the effects of a key from those of others. */
function markOf(key: string): Promise<string> {
  return hmac(key, '["effect",{}]');
}

function prefixesIn(context: KeyedContext): Parameters<typeof effectsOf>[1]['prefixes'] {
  return { effect: storeKey(context, '', '-effect'), rivals: storeKey(context, '', '-rivals') };
}

async function noop(): Promise<void> {}

/** With what a call ends. What was found is told when it is. */
function eventOf(result: Result<unknown, unknown>, isFound: boolean): JournalEvent['event'] | undefined {
  const { outcome = 'applied' } = result.isErr() ? (result.error as { readonly outcome?: Outcome }) : {};
  return outcome === 'unknown' ? 'unknown' : outcome === 'applied' && !isFound ? 'published' : undefined;
}

/** The context that the work of a keyed call is done with. Whoever waits by its clock renews the lease. */
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
  // Made of the context, not copied: its secrets are getters that a copy lacks.
  return Object.create(context, {
    keyedCall: { value: call },
    clock: { value: renewing },
    retry: { value: { ...context.retry, onceOnly: true } },
    ...(hasWrites(context) && { writes: { value: keyedWrites(context, call) } }),
  }) as TContext;
}

function hasWrites(context: KeyedContext): context is KeyedContext & WriteContext {
  return 'writes' in context;
}

/** Records the request of a once-only write, and looks for that of an earlier call first. */
function keyedWrites({ writes, timeoutMs }: WriteContext, call: KeyedCall): WriteContext['writes'] {
  return {
    ...writes,
    send: (context, request, lookup) =>
      call.sendOnce(lookup, request.timeoutMs ?? timeoutMs, (own, beforeAttempt) =>
        writes.send(context, { ...request, beforeAttempt }, own),
      ),
  };
}

async function read(
  context: KeyedContext,
  key: string,
): Promise<Result<JournalState | undefined, TransportError | ConfigurationError>> {
  const { clock, deadlineMs } = context;
  const invalid = checkKey(key);
  if (invalid) return err(invalid);
  try {
    const { slot } = openSlot(context, storeKey(context, key), { deadline: clock.monotonic() + deadlineMs });
    const text = await slot.read();
    if (text === undefined) return ok(undefined);
    const entry = readEntry(text);
    return entry === undefined
      ? err(journalFailure('its entry cannot be read'))
      : ok(describeEntry(entry, clock.now()));
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}

async function settle(
  context: KeyedContext,
  key: string,
  to: Parameters<JournalEngine['settle']>[2],
): Promise<Result<void, TransportError | ConfigurationError>> {
  const { clock, deadlineMs } = context;
  const invalid = checkKey(key);
  if (invalid) return err(invalid);
  const limits = { deadline: clock.monotonic() + deadlineMs };
  try {
    const { slot } = openSlot(context, storeKey(context, key), limits);
    const stored = await slot.read();
    if (stored === undefined && to === 'forgotten') return ok();
    const entry = stored === undefined ? undefined : readEntry(stored);
    if (stored !== undefined && entry === undefined) return err(journalFailure('its entry cannot be read'));
    const refused = whyNotSettled(entry, clock.now(), to === 'forgotten');
    if (entry === undefined || refused !== undefined) {
      return err(new ConfigurationError(`idempotencyKey ${refused}`, 'idempotencyKey'));
    }
    const changes = changesTo(to);
    if (changes === undefined) {
      const message = "outcome must be 'rejected', or { value } with the ids that the function returns";
      return err(new ConfigurationError(message, 'outcome'));
    }
    const effects = effectsOf(context, {
      prefixes: prefixesIn(context),
      mark: await markOf(key),
      limits,
    });
    // First, so that no other key takes them meanwhile.
    for (const id of idsIn(changes.value)) await effects.own(id);
    // Else its next call could take what was published before for its own.
    if (to === 'forgotten') {
      for (const id of idsIn({ made_id: entry.made, ...Object(entry.value) })) await effects.disown(id);
    }
    const text = writeEntry({ ...entry, ...ended, ...changes, updatedAt: clock.now() });
    // What is forgotten is stored once more, for the shortest time: no store deletes.
    const isStored = await slot.swap(stored, text, to === 'forgotten' ? 1 : undefined);
    return isStored
      ? ok()
      : err(new ConfigurationError('idempotencyKey is held by a call', 'idempotencyKey'));
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}
