import type { Result, ResultAsync } from 'neverthrow';

import type { CreatedIds, RequestFailure } from '../errors.ts';
import type { PlatformTime } from '../http/platformClock.ts';
import type { GraphRequest, Params } from '../http/types.ts';
import type { JournalContext } from './journal/types.ts';

/** The part of a context that once-only writes need. */
export interface WriteContext extends JournalContext {
  readonly writes: WriteEngine;
}

/**
 * What does once-only writes. A context carries it, as it carries the fetcher, so that a function that publishes is
 * little more than its request and its lookup.
 */
export interface WriteEngine {
  /** Sends a write, and looks up what became of it if its response is lost. */
  readonly send: <TValue>(
    context: WriteContext,
    request: GraphRequest<TValue>,
    lookup: EffectLookup<TValue>,
  ) => Promise<Result<TValue, RequestFailure>>;
  /**
   * Looks up once what a write has made that may have been sent since an instant, by this process or another: its
   * id, if it is sure. Until `since`, by the platform's clock, it had not taken effect.
   */
  readonly lookUp: <TValue>(
    context: WriteContext,
    lookup: EffectLookup<TValue>,
    since: PlatformTime,
    deadline?: number,
  ) => ResultAsync<string | undefined, RequestFailure>;
}

/** An entry of a list that has the content of a write. */
export interface RecentEntry {
  readonly id: string;
  /** When the platform made it, milliseconds since 1970, rounded down to the second; `NaN` where unreadable. */
  readonly createdAt: number;
  /** The platform does not show its content: it may be anything that the list has. */
  readonly isHidden?: boolean | undefined;
  /** It may be another's: it is never taken. */
  readonly isDoubtful?: boolean | undefined;
}

/** What the platform shows of the effect of a write. */
export interface LookupResult {
  readonly entries: readonly RecentEntry[];
  /** The entries are all of those since this time; `undefined` where they are all that were asked for. */
  readonly wholeSince?: number | undefined;
  /** The write took effect for sure, whether or not its entry shows. */
  readonly isApplied?: boolean | undefined;
  /** Another lookup would show nothing new. */
  readonly isFinal?: boolean | undefined;
}

/** How to find out whether a write took effect. */
export interface EffectLookup<TValue> {
  /**
   * The list that shows what the write makes. Entries of one list and equal content could be taken for one another;
   * without it, what the query finds can only be this write's.
   */
  readonly list?: string | undefined;
  /** A list that holds this one among others: a write that names only that may have made any entry of this one. */
  readonly within?: string | undefined;
  /** Without it, the write may have made any entry of the list. */
  readonly content?: string | undefined;
  /**
   * The list does not show the content, but kind and time: what looks the same may be of a person. An entry is then
   * taken only if it is still alone at the last lookup, and never by a later call.
   */
  readonly hidesContent?: boolean | undefined;
  /** What the write uses up, such as a container: all writes of one resource make one entry at most. */
  readonly resource?: string | undefined;
  /**
   * Equal ones are so hard to tell apart that those under keys go one after another: each waits until it is known what
   * became of the one before.
   */
  readonly isAlone?: boolean | undefined;
  /** What the query finds can only be this write's, although others could take it for theirs by `list` and `content`. */
  readonly findsOwnOnly?: boolean | undefined;
  /**
   * Whether a refusal says that the write has taken effect before: the platform takes one only. A lost one is sent
   * again then, although no list shows it.
   */
  readonly isRepeat?: ((refusal: RequestFailure) => boolean) | undefined;
  /** When the list shows what the write puts off, milliseconds since 1970: it may show that time in place of its own. */
  readonly dueAt?: number | undefined;
  /** The platform takes it once, and refuses another: a lost one is sent again at once. */
  readonly isRepeatable?: boolean | undefined;
  /**
   * Asks the platform once for recent entries with the content of the write. Without it, no list shows what the write
   * makes: a lost one is of unknown outcome.
   */
  readonly query?: ((limits: LookupLimits) => ResultAsync<LookupResult, RequestFailure>) | undefined;
  /** The id that `list` shows of what was made, in the value that the call returns; `undefined` where it is not in it. */
  readonly idOf: (value: TValue) => string | undefined;
  /** The value that the call returns, once the id of what it made is found. */
  readonly toValue: (id: string) => TValue;
  /** The ids known before the write, under their documented names. */
  readonly ids?: CreatedIds | undefined;
}

/** What bounds a lookup. */
export interface LookupLimits {
  readonly attempts: number;
  readonly deadline: number;
  /** Reads more of a list than its newest entries. */
  readonly readPages?: ReadPages | undefined;
  /** Of what an earlier call sent: until when it can have been made, by the platform's clock. */
  readonly until?: (() => number) | undefined;
}

/** Reads the pages of a list. `query` asks for the first one. */
export type ReadPages = (
  ask: (query: Params) => ResultAsync<ListPage, RequestFailure>,
  query: Params,
) => ResultAsync<ListPage, RequestFailure>;

/** A page of a list, as the platform sent it. */
export interface ListPage {
  readonly data?: unknown;
  readonly paging?: unknown;
}
