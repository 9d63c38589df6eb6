import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../../errors.ts';
import { check } from '../../options/check.ts';
import * as rule from '../../options/rules.ts';
import {
  changesTo,
  describeEntry,
  ended,
  entryIn,
  idsIn,
  isHeld,
  parseEntry,
  whyNotSettled,
  writeEntry,
} from './entry.ts';
import { checkKey, journalFailure, toFailure } from './failures.ts';
import { rememberForgotten } from './lock.ts';
import { ownersFor } from './owners.ts';
import { guard, openSlot, storeKey } from './slot.ts';
import type { JournalEngine, JournalState, KeyedContext, OpenKey, OpenKeysOptions } from './types.ts';

const states: readonly JournalState['state'][] = ['held', 'interrupted', 'sent', 'rejected', 'published'];
/** A text that each published entry contains, and no other entry. */
const inPublished = '"value":';
/** A text that no entry contains: JSON escapes it. */
const inNone = '\u0001';

/** Lists the keys of a journal that supports it. */
export async function* list(
  context: KeyedContext,
  options: OpenKeysOptions,
): AsyncGenerator<Result<OpenKey, TransportError | ConfigurationError>, void, undefined> {
  const { journal, clock } = context;
  const checked = check(context, options, () => ({
    states: rule.optional(rule.listOf(rule.oneOf(...states))),
    limit: rule.optional(rule.between(0, Infinity)),
  }));
  if (checked.isErr()) {
    yield err(checked.error);
    return;
  }
  const { states: wanted = states.slice(0, 3), limit = Infinity } = checked.value;
  const { list: rows } = journal.journal;
  if (rows === undefined) {
    yield err(new ConfigurationError('journal cannot list its keys', 'journal'));
    return;
  }
  const prefix = storeKey(context, '');
  const seen = new Set<string>();
  try {
    const without = wanted.includes('published') ? inNone : inPublished;
    for await (const [stored, text] of eachInTime(context, rows({ prefix, without }))) {
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
  { fetcher, timeoutMs }: KeyedContext,
  listed: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const rows = listed[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await guard(() => fetcher.withTimeout(timeoutMs, undefined, () => rows.next()));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a store that hangs would never end its listing.
    void rows.return?.().catch(() => undefined);
  }
}

/** Reads what is recorded under a key. */
export async function read(
  context: KeyedContext,
  key: string,
): Promise<Result<JournalState | undefined, TransportError | ConfigurationError>> {
  const { journal, clock, deadlineMs } = context;
  const invalid = checkKey(key);
  if (invalid) return err(invalid);
  try {
    const { slot } = openSlot(context, storeKey(context, key), { deadline: clock.monotonic() + deadlineMs });
    const entry = entryIn(await slot.read());
    return ok(entry && describeEntry(entry, clock.now(), journal));
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}

/** Stores the outcome that a person has found out for a key. */
export async function settle(
  context: KeyedContext,
  key: string,
  to: Parameters<JournalEngine['settle']>[2],
): Promise<Result<void, TransportError | ConfigurationError>> {
  const { journal, clock, deadlineMs } = context;
  const invalid = checkKey(key);
  if (invalid) return err(invalid);
  const limits = { deadline: clock.monotonic() + deadlineMs };
  try {
    const { slot } = openSlot(context, storeKey(context, key), limits);
    const stored = await slot.read();
    if (stored === undefined && to === 'forgotten') return ok();
    const entry = entryIn(stored);
    const refused = whyNotSettled(
      entry,
      entry !== undefined && isHeld(entry, clock.now(), journal),
      to === 'forgotten',
    );
    if (entry === undefined || refused !== undefined) {
      return err(new ConfigurationError(`idempotencyKey ${refused}`, 'idempotencyKey'));
    }
    const changes = changesTo(to);
    if (changes === undefined) {
      const message = "outcome must be 'rejected', or { value } with the ids that the function returns";
      return err(new ConfigurationError(message, 'outcome'));
    }
    const owners = ownersFor(context, key, limits);
    // Ids are claimed first, so that no other key claims them meanwhile.
    for (const id of idsIn(changes.value)) {
      if (!(await owners.claim(id))) throw journalFailure('another key has the same effect');
    }
    if (to === 'forgotten') {
      // Otherwise, the next call under this key or another one could take the old effect for its own.
      for (const id of idsIn({ made_id: entry.made, ...Object(entry.value) })) await owners.release(id);
      const remembering = entry.sending && rememberForgotten(context, key, entry.sending, limits);
      await remembering;
    }
    const text = writeEntry({ ...entry, ...ended, ...changes, updatedAt: clock.now() });
    // Stores have no delete, so a forgotten entry is replaced by one that expires after a millisecond.
    const isStored = await slot.swap(stored, text, to === 'forgotten' ? 1 : undefined);
    if (!isStored) return err(new ConfigurationError('idempotencyKey is held by a call', 'idempotencyKey'));
    return ok();
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}
