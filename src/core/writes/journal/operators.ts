import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../../errors.ts';
import { perform, withOperation } from '../../http/send.ts';
import { fieldsOf } from '../../objects.ts';
import { check, checkContext, checkOptions } from '../../options/check.ts';
import { readable } from '../../options/read.ts';
import * as rule from '../../options/rules.ts';
import { hasJournal } from '../keyed.ts';
import {
  changesTo,
  createdIds,
  ended,
  entryIn,
  hasSentNothing,
  idsIn,
  type KeyEntry,
  parseEntry,
  writeEntry,
} from './entry.ts';
import { checkKey, journalFailure, toFailure } from './failures.ts';
import { rememberForgotten } from './lock.ts';
import { isOpen } from './others.ts';
import { ownersFor } from './owners.ts';
import { guard, openSlot, type Slot, type SlotLimits, storeKey } from './slot.ts';
import { isHeld, keptMs } from './times.ts';
import type {
  JournalContext,
  JournalState,
  JournalStore,
  JournalTimes,
  KeyedContext,
  OpenKey,
  OpenKeysOptions,
  SettledOutcome,
} from './types.ts';

const states: readonly JournalState['state'][] = ['held', 'interrupted', 'sent', 'rejected', 'published'];

const listRules = {
  states: rule.optional(rule.listOf(rule.oneOf(...states))),
  limit: rule.optional(rule.between(0, Infinity)),
  signal: rule.noSignal,
};
const outcomeRule = rule.fields({ value: rule.any, force: rule.optional(rule.flag) });
/** A text that each published entry contains, and no other entry. */
const inPublished = '"value":';
/** A text that no entry contains: JSON escapes it. */
const inNone = '\u0001';

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
  return atKey(context, 'journalState', idempotencyKey, ok(), async ({ journal, clock }, { slot }) => {
    const entry = entryIn(await slot.read());
    return ok(entry && describeEntry(entry, clock.now(), journal));
  });
}

/**
 * Lists the keys whose publishing is unfinished, one by one, with what the journal has recorded under each. For
 * operators: it reads the store, not the platform. The order is the store's; a key that is written meanwhile may be
 * missing, or listed in its previous state.
 *
 * Yields a ConfigurationError for bad options, and if the context has no journal, or one that cannot list its keys (all
 * journals of this SDK can). Yields a TransportError, reason `journal`, for each entry that cannot be read, and as its
 * last element if the store fails.
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
  const checked = withOperation(
    'openKeys',
    withJournal(context, 'journal').andThen((keyed) => toListing(keyed, options)),
  );
  if (checked.isErr()) return yield err(checked.error);
  const { keyed } = checked.value;
  const { trace } = keyed.fetcher.begin(keyed, 'openKeys', {});
  let last: Result<unknown, TransportError> = ok();
  try {
    for await (const key of list(checked.value)) {
      last = key;
      keyed.fetcher.inFlight.yielded++;
      try {
        yield key.mapErr((error) => Object.assign(error, trace.of));
      } finally {
        keyed.fetcher.inFlight.yielded--;
      }
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
 * published, and for a value without ids. Unless `force` is set, also for an id that, as the key's last lookup found, has
 * the text of another key that is not settled. With TransportError, reason `journal`, when the store fails, holds what
 * this version cannot read, or, unless `force` is set, has recorded the id for another key.
 *
 * @example
 * await settleKey(context, 'post-1742', { value: { id: '42_1742' } });
 * await settleKey(context, 'post-1743', 'rejected');
 */
export function settleKey(
  context: JournalContext,
  idempotencyKey: string,
  outcome: SettledOutcome | 'rejected',
): ResultAsync<void, ConfigurationError | TransportError> {
  return settle(context, 'settleKey', idempotencyKey, readOutcome(outcome));
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
  const changes = changesTo('forgotten') ?? {};
  return settle(context, 'forgetKey', idempotencyKey, ok({ to: 'forgotten', changes, isForced: false }));
}

/** What is to become of a key. */
interface Settling {
  readonly to?: 'forgotten';
  readonly changes: Partial<KeyEntry>;
  readonly isForced: boolean;
}

function readOutcome(outcome: unknown): Result<Settling, ConfigurationError> {
  const fault = (why: string, option = 'outcome'): Result<never, ConfigurationError> =>
    err(new ConfigurationError(`${option} ${why}`, option));
  const read: Result<{ readonly outcome: unknown }, ConfigurationError> =
    typeof outcome === 'object' && outcome !== null
      ? checkOptions({ outcome }, { outcome: outcomeRule })
      : ok({ outcome });
  return read.andThen(({ outcome: given }) => {
    const changes = given === 'forgotten' ? undefined : readable(() => changesTo(given));
    if (typeof changes === 'string') return fault(changes, 'outcome.value');
    return changes === undefined
      ? fault("must be 'rejected', or { value } with the ids that the function returns")
      : ok({ changes, isForced: fieldsOf(given)['force'] === true });
  });
}

function settle(
  context: JournalContext,
  operation: string,
  key: string,
  settling: Result<Settling, ConfigurationError>,
): ResultAsync<void, ConfigurationError | TransportError> {
  return atKey(
    context,
    operation,
    key,
    settling,
    async (keyed, { slot, limits }, { to, changes, isForced }) => {
      const { journal, clock } = keyed;
      const refuse = (why: string): Result<void, ConfigurationError> =>
        err(new ConfigurationError(`idempotencyKey ${why}`, 'idempotencyKey'));
      const stored = await slot.read();
      if (stored === undefined && to === 'forgotten') return ok();
      const entry = entryIn(stored);
      if (entry === undefined) return refuse('was not used yet');
      if (isHeld(entry, clock.now(), journal)) return refuse('is held by a call');
      const isForgotten = to === 'forgotten';
      if (entry.value !== undefined && !isForgotten) return refuse('has published');
      const owners = ownersFor(keyed, key, { limits, scheduledAt: entry.scheduledAt });
      const claimed = idsIn(changes.value);
      for (const id of isForced ? [] : claimed) {
        const other = await openKeyOf(keyed, entry.others?.[id], limits);
        if (other === undefined) continue;
        const message = `outcome.value has the id ${id}, whose text is that of the idempotencyKey ${other}, which is not settled: call that one first, or give force: true`;
        return err(new ConfigurationError(message, 'outcome.value'));
      }
      // Ids are claimed first, so that no other key claims them meanwhile.
      for (const id of claimed) {
        if (!(await owners.claim(id)) && !isForced) throw journalFailure('another key has the same effect');
      }
      if (isForgotten) {
        await releaseIds(entry, owners);
        const remembering = rememberForgotten(keyed, key, entry, limits);
        await remembering;
      }
      const settled = entry.sending && (entry.sending.bare ?? entry.sending.lock ?? 'none');
      const text = writeEntry({ ...entry, ...ended, settled, ...changes, updatedAt: clock.now() });
      // Stores have no delete, so a forgotten entry is replaced by one that expires after a millisecond.
      const isStored = await slot.swap(stored, text, isForgotten ? 1 : keptMs(keyed, entry));
      return isStored ? ok() : refuse('is held by a call');
    },
  );
}

/**
 * Gives up the effects of a key that is forgotten: otherwise, the next call under this key or another one could take them
 * for its own. What only a person has said to be this key's, may be that of another one, whose call then finds it.
 */
async function releaseIds(entry: KeyEntry, owners: ReturnType<typeof ownersFor>): Promise<void> {
  const isFree = entry.settled !== undefined;
  for (const id of idsIn({ made_id: entry.made, ...Object(entry.value) })) await owners.release(id, isFree);
}

/** The key, if its outcome is open. */
async function openKeyOf(
  context: KeyedContext,
  key: string | undefined,
  limits: SlotLimits,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const entry = entryIn(await openSlot(context, storeKey(context, key), limits).slot.read());
  return entry !== undefined && isOpen(entry) ? key : undefined;
}

/** Works on what the journal of a context holds under a key, as one call. */
function atKey<TValue, TGiven>(
  context: JournalContext,
  operation: string,
  key: string,
  given: Result<TGiven, ConfigurationError>,
  work: (
    keyed: KeyedContext,
    stored: { readonly slot: Slot; readonly limits: SlotLimits },
    given: TGiven,
  ) => Promise<Result<TValue, ConfigurationError>>,
): ResultAsync<TValue, ConfigurationError | TransportError> {
  type Failure = ConfigurationError | TransportError;
  return perform(
    context,
    operation,
    withJournal(context).andThen(
      (keyed): Result<{ keyed: KeyedContext; read: TGiven }, ConfigurationError> => {
        const invalid = checkKey(key);
        return invalid ? err(invalid) : given.map((read) => ({ keyed, read }));
      },
    ),
    async (_, { keyed, read }): Promise<Result<TValue, Failure>> => {
      const limits = { deadline: keyed.clock.monotonic() + keyed.deadlineMs };
      const { slot } = openSlot(keyed, storeKey(keyed, key), limits);
      try {
        return await work(keyed, { slot, limits }, read);
      } catch (thrown) {
        return err(toFailure(thrown));
      }
    },
  );
}

/** What `openKeys` is to list. */
interface Listing extends OpenKeysOptions {
  readonly keyed: KeyedContext;
  readonly rows: NonNullable<JournalStore['list']>;
}

function toListing(keyed: KeyedContext, options: OpenKeysOptions): Result<Listing, ConfigurationError> {
  const { list: rows } = keyed.journal.journal;
  return check(keyed, options, listRules).andThen((read) =>
    rows === undefined
      ? err(new ConfigurationError('journal cannot list its keys', 'journal'))
      : ok({ ...read, keyed, rows }),
  );
}

async function* list({
  keyed,
  rows,
  states: wanted = states.slice(0, 3),
  limit = Infinity,
}: Listing): AsyncGenerator<Result<OpenKey, TransportError>, void, undefined> {
  const { journal, clock } = keyed;
  const prefix = storeKey(keyed, '');
  const seen = new Set<string>();
  try {
    const without = wanted.includes('published') ? inNone : inPublished;
    for await (const [stored, text] of eachInTime(keyed, rows({ prefix, without, now: clock.now() }))) {
      if (seen.size >= limit) return;
      const entry = parseEntry(text);
      if (entry === undefined) yield err(journalFailure('an entry cannot be read', 'unknown'));
      const state = entry && describeEntry(entry, clock.now(), journal);
      if (state === undefined || !wanted.includes(state.state) || seen.has(stored)) continue;
      seen.add(stored);
      yield ok({ ...state, key: stored.slice(prefix.length) });
    }
  } catch (thrown) {
    yield err(toFailure(thrown));
  }
}

/** The entries that a store lists. Each one may take as long as a store operation. */
async function* eachInTime<T>(
  { fetcher, timeoutMs, deadlineMs }: KeyedContext,
  listed: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const rows = listed[Symbol.asyncIterator]();
  try {
    for (;;) {
      const mostMs = Math.min(timeoutMs, deadlineMs);
      const next = await guard(() => fetcher.withTimeout(mostMs, undefined, () => rows.next()));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a store that hangs would never end its listing.
    void rows.return?.().catch(() => undefined);
  }
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

/** What operators see of an entry. */
export function describeEntry(
  entry: KeyEntry,
  now: number,
  times: Pick<JournalTimes, 'journalLeaseMs'>,
): JournalState {
  const { lease, createdAt, updatedAt, ids, sending, value, refused } = entry;
  const { sentAt = sending?.local, why } = entry;
  const isAtWork = isHeld(entry, now, times);
  const state =
    value !== undefined
      ? 'published'
      : isAtWork
        ? 'held'
        : !hasSentNothing(entry)
          ? 'sent'
          : refused === true
            ? 'rejected'
            : 'interrupted';
  return {
    state,
    ids: createdIds(ids),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    sentAt: sentAt === undefined ? undefined : new Date(sentAt),
    heldUntil: isAtWork ? new Date(lease) : undefined,
    reason: state === 'sent' ? why : undefined,
    value,
  };
}
