import type { TransportError } from '../errors.ts';
import { guardHook } from '../http/hooks.ts';
import type { Journal, JournalEvent, JournalSettings, JournalTimes } from './types.ts';

/** The settings of a journal, as contexts take them. */
export interface JournalOptions {
  /**
   * Remembers what was published under which `idempotencyKey`, across crashes and machines: `memoryJournal`, one of
   * `pagepics/journal`, or a store of your own by `createJournal`. It holds ids, times and digests, no token and no text.
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
  /** Called at each step of a call with a key. What it throws changes nothing. */
  readonly onJournal?: ((event: JournalEvent) => unknown) | undefined;
}

/** The times of a journal, as a context has them. */
function journalTimes({
  journalLeaseMs = 120_000,
  journalSettleMs = 600_000,
  journalTtlMs = 604_800_000,
}: JournalOptions): JournalTimes {
  return { journalLeaseMs, journalSettleMs, journalTtlMs };
}

/** The journal of a context; `undefined` where it has none. */
export function journalOf(options: JournalOptions): JournalSettings | undefined {
  const { journal, onJournalError, onJournal } = options;
  return (
    journal && {
      journal,
      ...journalTimes(options),
      onJournalError: guardHook(onJournalError),
      onJournal: guardHook(onJournal),
    }
  );
}
