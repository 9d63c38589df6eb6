import type { ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { Params } from '../http/types.ts';

/** The lookup of an effect, as a keyed call needs it. */
export interface KeyedLookup<TValue> {
  readonly list?: string | undefined;
  readonly content?: string | undefined;
  readonly resource?: string | undefined;
  readonly query?: ((limits: LookupLimits) => ResultAsync<LookedUp, RequestFailure>) | undefined;
  readonly findsOwnOnly?: boolean | undefined;
  readonly isBlind?: boolean | undefined;
  readonly idOf: (value: TValue) => string | undefined;
  readonly toValue: (id: string) => TValue;
}

/** What bounds a lookup. */
export interface LookupLimits {
  readonly attempts: number;
  readonly deadline: number;
  /** Reads more of a list than its newest entries. */
  readonly readPages?: ReadPages | undefined;
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

/** What a lookup shows. */
export interface LookedUp {
  readonly entries: readonly { readonly id: string; readonly createdAt: number }[];
  readonly wholeSince?: number | undefined;
  readonly isApplied?: boolean | undefined;
}
