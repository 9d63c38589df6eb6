import type { ResultAsync } from 'neverthrow';

import type { CreatedIds, RequestFailure } from '../errors.ts';
import type { Params } from '../http/types.ts';

/** An entry of a list that has the content of a write. */
export interface RecentEntry {
  readonly id: string;
  /** When the platform created it, in milliseconds since 1970, rounded down to the second; `NaN` if unreadable. */
  readonly createdAt: number;
  /** Whether the platform hides its content: it may be anything that the list can hold. */
  readonly isHidden?: boolean | undefined;
  /** Whether it may be somebody else's: it never matches. */
  readonly isDoubtful?: boolean | undefined;
}

/** What the platform shows of the effect of a write. */
export interface LookupResult {
  readonly entries: readonly RecentEntry[];
  /** The entries are complete since this time; `undefined` if none of those requested is missing. */
  readonly wholeSince?: number | undefined;
  /** Whether the write certainly took effect, even if its entry does not show. */
  readonly isApplied?: boolean | undefined;
  /** Whether another lookup would show nothing new. */
  readonly isFinal?: boolean | undefined;
  /** When the identical writes of others have settled, by the local clock, which may say whose an entry is. */
  readonly settledAt?: number | undefined;
}

/** How to find out whether a write took effect. */
export interface EffectLookup<TValue> {
  /**
   * The list that shows what the write creates. Entries of one list with identical content could be mistaken for one
   * another; without a list, what the query finds can only be this write's.
   */
  readonly list?: string | undefined;
  /**
   * A larger list that contains this one: a write that names only the larger list may have created any entry of this
   * one.
   */
  readonly within?: string | undefined;
  /** Without it, the write may have created any entry of the list. */
  readonly content?: string | undefined;
  /**
   * Whether the list shows only kind and time, not the content: what looks the same may come from a person. An entry
   * then matches only if it is still the only one at the last lookup, and never for a later call.
   */
  readonly hidesContent?: boolean | undefined;
  /** What the write uses up, such as a container: all writes of one resource make one entry at most. */
  readonly resource?: string | undefined;
  /**
   * Whether identical writes are so hard to tell apart that those under keys are sent one after another: each waits
   * until the outcome of the one before is known.
   */
  readonly isAlone?: boolean | undefined;
  /**
   * Whether what the query finds can only be this write's, although others could mistake it for theirs by `list` and
   * `content`.
   */
  readonly findsOwnOnly?: boolean | undefined;
  /**
   * Whether a refusal says that the write has already taken effect, because the platform accepts only one. A lost one
   * can then be sent again, although no list shows it.
   */
  readonly isRepeat?: ((refusal: RequestFailure) => boolean) | undefined;
  /**
   * When a scheduled write will appear, in milliseconds since 1970: the list may show this time instead of the time of
   * the write.
   */
  readonly dueAt?: number | undefined;
  /** Whether the platform accepts it once and refuses another: a lost one is sent again at once. */
  readonly isRepeatable?: boolean | undefined;
  /**
   * Asks the platform once for recent entries with the content of the write. Without it, no list shows what the write
   * creates: the outcome of a lost one is unknown.
   */
  readonly query?: ((limits: LookupLimits) => ResultAsync<LookupResult, RequestFailure>) | undefined;
  /**
   * Gets the id under which `list` shows the effect from the value that the call returns; `undefined` if it is not in
   * it.
   */
  readonly idOf: (value: TValue) => string | undefined;
  /** Makes the value that the call returns, once the id of its effect is found. */
  readonly toValue: (id: string) => TValue;
  /** The ids known before the write, under their documented names. */
  readonly ids?: CreatedIds | undefined;
}

/** The limits of a lookup. */
export interface LookupLimits {
  readonly attempts: number;
  readonly deadline: number;
  /** Reads more of a list than its newest entries. */
  readonly readPages?: ReadPages | undefined;
  /** For a write of an earlier call: until when it can have taken effect, by the platform's clock. */
  readonly until?: (() => number) | undefined;
}

/** Reads the pages of a list. `query` requests the first one. */
export type ReadPages = (
  ask: (query: Params) => ResultAsync<ListPage, RequestFailure>,
  query: Params,
) => ResultAsync<ListPage, RequestFailure>;

/** A page of a list, as the platform sent it. */
export interface ListPage {
  readonly data?: unknown;
  readonly paging?: unknown;
}
