import type { Result } from 'neverthrow';

import type {
  ApiError,
  ConfigurationError,
  CreatedIds,
  RequestFailure,
  TransportError,
} from '../../errors.ts';
import type { CallEvent } from '../../http/hooks.ts';
import type { CallLimits, HttpContext } from '../../http/types.ts';
import type { WriteMemory } from '../memory.ts';
import type { EffectLookup } from '../types.ts';

/**
 * A store that can replace a text atomically: what `createJournal` makes a journal of. What it rejects with, or never
 * answers, becomes a TransportError with the reason `journal`.
 */
export interface JournalStore {
  /** Reads what is stored under a key; `undefined` where nothing is. */
  get(key: string): Promise<string | undefined>;
  /**
   * Stores `value` for `ttlMs` milliseconds if what is stored equals `expected` (`undefined`: nothing), as one atomic
   * step. Resolves to whether it stored.
   */
  compareAndSet(key: string, expected: string | undefined, value: string, ttlMs: number): Promise<boolean>;
  /**
   * Several replacements that belong together, each of another key. The first one decides: where it does not store,
   * none does. Each of the others stores if what is stored equals its own `expected`. Resolves to which of them stored.
   *
   * Best as one atomic step. Where a failure may leave only some of them done, these must be the first ones. A store
   * that has this is trusted: what it says that it stored is not read back.
   */
  readonly transact?: (replacements: readonly JournalReplacement[]) => Promise<readonly boolean[]>;
  /**
   * Lists what is stored under the keys that begin with `prefix`, in any order, and may list an entry twice. Texts that
   * contain `without` may be left out.
   */
  readonly list?: (query: JournalQuery) => AsyncIterable<readonly [key: string, value: string]>;
}

/**
 * Remembers what was published under which key: made by `memoryJournal`, by a function of `pagepics/journal`, or by
 * `createJournal` of a store of your own.
 */
export interface Journal extends JournalStore {
  /** Works with the store. It comes with the journal, so that a bundle without one does not hold it. */
  readonly engine: JournalEngine;
}

/** A replacement in a store, or a deletion. */
export type JournalReplacement =
  | {
      readonly key: string;
      /** What must be stored; `undefined`: nothing. */
      readonly expected: string | undefined;
      readonly value: string;
      readonly ttlMs: number;
    }
  | {
      readonly key: string;
      readonly expected: string;
      readonly value: undefined;
      readonly ttlMs?: undefined;
    };

/** What of a store is listed. */
export interface JournalQuery {
  readonly prefix: string;
  readonly without: string;
}

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
  /** Called where the journal fails after the call has ended: its result stands. Anything it throws is ignored. */
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

/** What a call with a key came to, for counters. */
export interface JournalEvent extends CallEvent {
  /**
   * A call begins with one of these: `claimed`, the key is new; `resumed`, an earlier call left it open; `busy`, another
   * call holds it; `found`, an earlier call published. `sent`: a publishing request leaves. It ends with one of these:
   * `published`; `found`, a lookup shows what an earlier call published; `unknown`. What the platform refused ends
   * without one.
   */
  readonly event: 'claimed' | 'resumed' | 'busy' | 'found' | 'sent' | 'published' | 'unknown';
  /** The idempotency key. */
  readonly key: string;
}

/** Options of every function that publishes. */
export interface KeyedOptions {
  /**
   * Publishes once under this key, whichever process calls how often: see the context option `journal`, which it
   * needs. From 1 to 255 characters.
   */
  readonly idempotencyKey?: string | undefined;
}

/** What a keyed call records of what it made on the way. */
export interface RecordedIds extends CreatedIds {
  /** The address that a file is uploaded to. */
  readonly upload_url?: string | undefined;
  /** The session of a file that is uploaded in parts. */
  readonly upload_session_id?: string | undefined;
}

/** Where the publishing under a key stands. */
export interface JournalState {
  /**
   * `held`: a call is at work. `interrupted`: one stopped before it published. `sent`: a publishing request may have
   * gone out, and nobody knows yet what became of it. `rejected`: the platform refused. `published`: it is done.
   */
  readonly state: 'held' | 'interrupted' | 'sent' | 'rejected' | 'published';
  readonly ids: CreatedIds;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the last publishing request may have left. */
  readonly sentAt: Date | undefined;
  /** Until when the call at work holds it, if nothing renews that. */
  readonly heldUntil: Date | undefined;
  /** Of one that was sent: why the last lookup could not tell what became of it. */
  readonly reason: string | undefined;
  /** What the function returned. */
  readonly value: unknown;
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

/** A key of a journal, and where its publishing stands. */
export interface OpenKey extends JournalState {
  /** The idempotency key. */
  readonly key: string;
}

/** A call with a key, while it runs. Its context carries it to all that the call does. */
export interface KeyedCall {
  /** Whether the publishing request may have gone out: then nothing before it is done again. */
  readonly isSent: () => boolean;
  /** What this call and earlier ones have recorded under the key. */
  readonly ids: () => RecordedIds;
  /** Records ids, before the next step. */
  readonly record: (ids: RecordedIds) => Promise<Result<void, TransportError>>;
  /**
   * Does the one publishing request of the call, unless an earlier call did. An attempt of it takes `lastsMs` at most;
   * `beforeAttempt` comes before each, and stops it with a failure.
   */
  readonly sendOnce: <TValue>(
    lookup: EffectLookup<TValue>,
    lastsMs: number,
    send: (
      lookup: EffectLookup<TValue>,
      beforeAttempt: () => Promise<TransportError | undefined>,
    ) => Promise<Result<TValue, RequestFailure>>,
  ) => Promise<Result<TValue, RequestFailure>>;
}

/** A call that the engine does. */
export interface EngineCall extends Pick<CallLimits, 'trace'> {
  readonly client: 'page' | 'pics';
  readonly looksWhileHeld?: boolean | undefined;
}

/** Works with the journal of a context. It is the SDK's own. */
export interface JournalEngine {
  /**
   * Does `work` under the key of `options`, or returns what an earlier call has done. Where another call holds the key,
   * it looks for what that one sent, and leaves the entry alone, if `looksWhileHeld`.
   */
  readonly run: <TContext extends KeyedContext, TValue, TFailure>(
    context: TContext,
    call: EngineCall,
    options: KeyedOptions & { readonly signal?: AbortSignal | undefined },
    work: (context: TContext) => PromiseLike<Result<TValue, TFailure>>,
  ) => Promise<Result<TValue, TFailure | ApiError | TransportError | ConfigurationError>>;
  /** Says what became of a key, or that it was never used. */
  readonly settle: (
    context: KeyedContext,
    key: string,
    to: { readonly value: unknown } | 'rejected' | 'forgotten',
  ) => Promise<Result<void, TransportError | ConfigurationError>>;
  /** Reads what is recorded under a key. */
  readonly read: (
    context: KeyedContext,
    key: string,
  ) => Promise<Result<JournalState | undefined, TransportError | ConfigurationError>>;
  /** Lists keys. */
  readonly list: (
    context: KeyedContext,
    options: OpenKeysOptions,
  ) => AsyncGenerator<Result<OpenKey, TransportError | ConfigurationError>, void, undefined>;
}

/** The part of a context that a journal needs. */
export interface JournalContext extends HttpContext {
  readonly graphVersion: string;
  readonly memory: WriteMemory;
  readonly journal?: JournalSettings | undefined;
  /** In the context that a keyed call does its work with. */
  readonly keyedCall?: KeyedCall | undefined;
}

/** One that has a journal. */
export interface KeyedContext extends JournalContext {
  readonly journal: JournalSettings;
}
