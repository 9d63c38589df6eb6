import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../errors.ts';
import type { JournalState, KeyedContext, OpenKey, OpenKeysOptions } from '../journal/types.ts';
import { between, check, listOf, optional, that } from '../options/check.ts';
import { describeEntry, readEntry } from './entry.ts';
import { journalFailure, toFailure } from './failures.ts';
import { guard, storeKey } from './slot.ts';

const states: readonly JournalState['state'][] = ['held', 'interrupted', 'sent', 'rejected', 'published'];
/** Stands in the text of each entry that is published, and of no other. */
const published = '"value":';
/** Stands in the text of none: JSON escapes it. */
const nothing = '\u0001';

/** Lists the keys of a journal that can. */
export async function* listKeys(
  context: KeyedContext,
  options: OpenKeysOptions,
): AsyncGenerator<Result<OpenKey, TransportError | ConfigurationError>, void, undefined> {
  const { journal, clock } = context;
  const isState = (value: unknown): boolean => states.includes(value as JournalState['state']);
  const own = check(context, options, () => ({
    states: optional(listOf(that(isState, `one of ${states.join(', ')}`))),
    limit: optional(between(0, Infinity)),
  }));
  if (own.isErr()) {
    yield err(own.error);
    return;
  }
  const { states: wanted = states.slice(0, 3), limit = Infinity } = own.value;
  const { list } = journal.journal;
  if (list === undefined) {
    yield err(new ConfigurationError('journal cannot list its keys', 'journal'));
    return;
  }
  const prefix = storeKey(context, '');
  const seen = new Set<string>();
  try {
    const without = wanted.includes('published') ? nothing : published;
    for await (const [stored, text] of inTime(context, list({ prefix, without }))) {
      if (seen.size >= limit) return;
      const entry = readEntry(text);
      if (entry === undefined) yield err(journalFailure('an entry cannot be read', 'unknown'));
      const state = entry && describeEntry(entry, clock.now());
      if (state === undefined || !wanted.includes(state.state) || seen.has(stored)) continue;
      seen.add(stored);
      yield ok({ ...state, key: stored.slice(prefix.length) });
    }
  } catch (thrown) {
    yield err(toFailure(thrown));
  }
}

/** What a store lists; each step may take as long as an operation of it. */
async function* inTime<T>(
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
    // One that hangs would keep its end waiting.
    void rows.return?.().catch(() => undefined);
  }
}
