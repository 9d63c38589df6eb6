import { err } from 'neverthrow';

import { ConfigurationError, type TransportError } from '../errors.ts';
import { guardHook } from '../http/hooks.ts';
import type { Journal, JournalEngine, JournalSettings, JournalTimes } from './types.ts';

/** The settings of a journal, as contexts take them. */
export interface JournalOptions {
  /**
   * Remembers what was published under which `idempotencyKey`, across crashes and machines: `memoryJournal`, one of
   * `pagepics/journal`, or a store of your own. It holds ids, times and digests, no token and no text.
   */
  readonly journal?: Journal | undefined;
  /**
   * Milliseconds for which a call that died keeps others off its key.
   * @default 120_000
   */
  readonly journalLeaseMs?: number | undefined;
  /**
   * Milliseconds after a publishing request of unknown outcome in which it is not sent again. At least `journalLeaseMs`
   * and `timeoutMs` together.
   * @default 600_000
   */
  readonly journalSettleMs?: number | undefined;
  /**
   * Milliseconds for which the journal keeps what it is given. More than `journalSettleMs`.
   * @default 604_800_000, seven days
   */
  readonly journalTtlMs?: number | undefined;
  /** Called where the journal fails after the call has ended: its result stands. What it throws changes nothing. */
  readonly onJournalError?: ((error: TransportError) => unknown) | undefined;
}

/** The times of a journal, as a context has them. */
export function journalTimes({
  journalLeaseMs = 120_000,
  journalSettleMs = 600_000,
  journalTtlMs = 604_800_000,
}: JournalOptions): JournalTimes {
  return { journalLeaseMs, journalSettleMs, journalTtlMs };
}

/** The journal of a context; `undefined` where it has none. What works with it is loaded with the first key. */
export function journalOf(options: JournalOptions): JournalSettings | undefined {
  const { journal, onJournalError } = options;
  return (
    journal && {
      journal,
      ...journalTimes(options),
      onJournalError: guardHook(onJournalError),
      engine: async () => journal.engine ?? loadEngine(journal, '../index.ts'),
    }
  );
}

/**
 * Loads the engine for a store that brings none. By a name that bundlers do not follow: a bundle is not to hold it where
 * nobody has a journal. The build puts the name of the built module in place.
 */
async function loadEngine(store: Journal, module: string): Promise<JournalEngine> {
  try {
    const { createJournal } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ module)) as {
      readonly createJournal: (store: Journal) => Journal;
    };
    return createJournal(store).engine as JournalEngine;
  } catch {
    const fail = async () =>
      err(new ConfigurationError('journal must be made by createJournal in a bundle', 'journal'));
    return { run: fail, read: fail };
  }
}
