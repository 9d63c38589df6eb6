import type { Result, ResultAsync } from 'neverthrow';

import type {
  ApiError,
  ConfigurationError,
  CreatedIds,
  RequestFailure,
  TransportError,
} from '../../errors.ts';
import type { CallEvent } from '../../http/hooks.ts';
import type { CallLimits, CallOptions, GraphRequest } from '../../http/types.ts';
import type { EffectLookup } from '../lookups.ts';
import type { Look, WriteContext } from '../memory.ts';

/**
 * A store that can replace a text atomically, which `createJournal` turns into a journal. If it rejects, or never
 * responds, the call fails with a TransportError with the reason `journal`.
 */
export interface JournalStore {
  /**
   * Reads what is stored under a key; `undefined` if nothing is, or if it has expired. `now` is the time of the context's
   * clock, in milliseconds since 1970, which a store may go by so that a clock of tests shows what expires.
   */
  get(key: string, now?: number): Promise<string | undefined>;
  /**
   * Stores `value` for `ttlMs` milliseconds, from `now` or longer, if what is stored equals `expected` (`undefined`:
   * nothing), as one atomic step. Resolves to whether it stored.
   */
  compareAndSet(
    key: string,
    expected: string | undefined,
    value: string,
    ttlMs: number,
    now?: number,
  ): Promise<boolean>;
  /**
   * Does several replacements in one atomic step, all of them or none. Resolves to whether it stored. Without it, a
   * publish takes five round trips instead of three.
   */
  readonly compareAndSetAll?: (replacements: readonly JournalReplacement[], now?: number) => Promise<boolean>;
  /**
   * Lists what is stored under the keys that begin with `prefix`, in any order, possibly with duplicates. Texts that
   * contain `without` may be left out.
   */
  readonly list?: (query: JournalQuery) => AsyncIterable<readonly [key: string, value: string]>;
}

/**
 * Remembers what was published under which key. Created by `memoryJournal`, by a function of `pagepics/journal`, or by
 * `createJournal` from a store of your own.
 */
export interface Journal extends JournalStore {
  /**
   * The code that works with the store. It comes with the journal, so that a bundle without a journal does not include
   * it.
   */
  readonly engine: JournalEngine;
  /** What the store could not be asked, so that nobody knows whether it keeps its entries: told once, for `onJournalError`. */
  readonly takeWarning?: (() => string | undefined) | undefined;
}

/** A text to store under a key for `ttlMs` milliseconds or longer, if what is stored there equals `expected`. */
export interface JournalReplacement {
  readonly key: string;
  /** `undefined`: nothing may be stored. */
  readonly expected: string | undefined;
  readonly value: string;
  readonly ttlMs: number;
}

/** Which entries of a store to list. */
export interface JournalQuery {
  readonly prefix: string;
  readonly without: string;
  /** The time of the context's clock, as for `get`. */
  readonly now?: number | undefined;
}

/** The settings of a journal, as contexts take them. */
export interface JournalOptions {
  /**
   * Remembers what was published under which `idempotencyKey`, across crashes and machines: `memoryJournal`, one of
   * `pagepics/journal`, or a store of your own by `createJournal`. It holds ids, times and digests, no token and no text.
   */
  readonly journal?: Journal | undefined;
  /**
   * How long a call that died still blocks its key for other calls, in milliseconds. At most 24 days.
   * @default 120_000
   */
  readonly journalLeaseMs?: number | undefined;
  /**
   * How long a publishing request of unknown outcome is not sent again, in milliseconds. At least `journalLeaseMs` and
   * `timeoutMs` together.
   * @default 600_000
   */
  readonly journalSettleMs?: number | undefined;
  /**
   * How long the journal keeps an entry after its call has ended, and after its `scheduledAt`, in milliseconds: then a key
   * publishes again. More than `journalSettleMs`.
   * @default 604_800_000, seven days
   */
  readonly journalTtlMs?: number | undefined;
  /**
   * Called if the journal fails after the call has ended: the call keeps its result; and once if a store does not tell
   * whether it keeps what it stores, such as a Redis without its `maxmemory-policy`. Anything it throws is ignored.
   */
  readonly onJournalError?: ((error: TransportError) => unknown) | undefined;
  /** Called at each step of a call with a key. Anything it throws is ignored. */
  readonly onJournal?: ((event: JournalEvent) => unknown) | undefined;
}

/** The times of a journal, in milliseconds. */
export interface JournalTimes {
  readonly journalLeaseMs: number;
  readonly journalSettleMs: number;
  readonly journalTtlMs: number;
}

/** The settings of a context's journal. */
export interface JournalSettings extends JournalTimes {
  readonly journal: Journal;
  readonly onJournalError: ((error: TransportError) => void) | undefined;
  readonly onJournal: ((event: JournalEvent) => void) | undefined;
}

/** A step of a call with a key, for metrics. */
export interface JournalEvent extends CallEvent {
  /**
   * A call begins with one of these: `claimed`, the key is new; `resumed`, an earlier call left it open; `busy`,
   * another call holds it; `found`, an earlier call published. `sent`: a publishing request is about to be sent. It
   * ends with one of these: `published`; `found`, a lookup shows what an earlier call published; `unknown`. A call that
   * the platform refused ends without an event.
   */
  readonly event: 'claimed' | 'resumed' | 'busy' | 'found' | 'sent' | 'published' | 'unknown';
  /** The idempotency key. */
  readonly key: string;
}

/** Options of every function that publishes. */
export interface KeyedOptions {
  /**
   * Publishes once under this key, however often and from whatever processes it is called. Needs the context option
   * `journal`. From 1 to 255 characters.
   */
  readonly idempotencyKey?: string | undefined;
}

/** What a keyed call records on the way. */
export interface RecordedIds extends CreatedIds {
  /** The address to upload a file to. */
  readonly upload_url?: string | undefined;
  /** The session of an upload in parts. */
  readonly upload_session_id?: string | undefined;
  /** Whether the platform is fetching the file from its address: asked once more, it would begin anew. */
  readonly upload_begun?: 'yes' | undefined;
}

/** The state of the publishing under a key. */
export interface JournalState {
  /**
   * `held`: a call is at work. `interrupted`: a call stopped before it published. `sent`: a publishing request may have
   * been sent, with an outcome that is not known yet. `rejected`: the platform refused. `published`: it is done.
   */
  readonly state: 'held' | 'interrupted' | 'sent' | 'rejected' | 'published';
  readonly ids: CreatedIds;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the last publishing request may have been sent. */
  readonly sentAt: Date | undefined;
  /** Until when the call at work holds it, unless it renews the lease. */
  readonly heldUntil: Date | undefined;
  /** For `sent`: why the last lookup could not find out the outcome. */
  readonly reason: string | undefined;
  /** What the function returned. */
  readonly value: unknown;
}

/** What a person found out about a key. */
export interface SettledOutcome {
  /** What the function would have returned: its ids. */
  readonly value: unknown;
  /**
   * Whether an id is taken although another key has published it, or one that is not settled has its text.
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Options of {@link openKeys}. */
export interface OpenKeysOptions {
  /**
   * Which keys to list.
   * @default ['held', 'interrupted', 'sent']
   */
  readonly states?: readonly JournalState['state'][] | undefined;
  /**
   * How many keys to list at most.
   * @default Infinity
   */
  readonly limit?: number | undefined;
}

/** A key of a journal, and the state of its publishing. */
export interface OpenKey extends JournalState {
  /** The idempotency key. */
  readonly key: string;
}

/** A call with a key, while it runs. Its context carries it to all that the call does. */
export interface KeyedCall {
  /** Identifies the key in the memory of the context. */
  readonly resource: string;
  /** Whether the publishing request may have been sent: no step before it is then repeated. */
  readonly isSent: () => boolean;
  /** What this call and earlier ones have recorded under the key. */
  readonly ids: () => RecordedIds;
  /** The files that were opened to digest their bytes, by their paths. */
  readonly files: ReadonlyMap<unknown, ResultAsync<Blob, ConfigurationError>>;
  /** Records ids, before the next step. */
  readonly record: (ids: RecordedIds) => Promise<Result<void, TransportError>>;
  /**
   * Sends the one publishing request of the call, unless an earlier call did. Each attempt takes `lastsMs` at most.
   */
  readonly sendOnce: <TValue>(
    lookup: EffectLookup<TValue>,
    lastsMs: number,
    send: (hooks: SendHooks) => Promise<Result<TValue, RequestFailure>>,
  ) => Promise<Result<TValue, RequestFailure>>;
}

/** How a keyed call takes part in sending its publishing request. */
interface SendHooks extends Pick<GraphRequest<unknown>, 'beforeAttempt' | 'beforeRetry'> {
  /** Looks once, after a lost response. */
  readonly look: Look;
}

/** A call for the engine to run. */
export interface EngineCall extends Pick<CallLimits, 'trace'> {
  readonly client: 'page' | 'pics';
  readonly looksWhileHeld?: boolean | undefined;
}

/** Works with the journal of a context. Internal to the SDK. */
export interface JournalEngine {
  /** The settings of a context with these options, or why its durations do not fit together. */
  readonly settings: (
    options: JournalOptions & Pick<JournalSettings, 'journal'>,
    timeoutMs: number,
  ) => Result<JournalSettings, ConfigurationError>;
  /**
   * Does `work` under the key of `options`, or returns what an earlier call has done. If another call holds the key and
   * `looksWhileHeld` is set, it looks for what that call sent, without changing the entry.
   */
  readonly run: <TContext extends KeyedContext, TValue, TFailure>(
    context: TContext,
    call: EngineCall,
    options: KeyedOptions & CallOptions,
    work: (context: TContext) => PromiseLike<Result<TValue, TFailure>>,
  ) => Promise<Result<TValue, TFailure | ApiError | TransportError | ConfigurationError>>;
}

/** The part of a context that a journal needs. */
export interface JournalContext extends WriteContext {
  readonly journal?: JournalSettings | undefined;
  /** Set in the context for the work of a keyed call. */
  readonly keyedCall?: KeyedCall | undefined;
}

/** A context with a journal. */
export interface KeyedContext extends JournalContext {
  readonly journal: JournalSettings;
}
