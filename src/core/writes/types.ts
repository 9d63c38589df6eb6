import type { Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { PlatformTime } from '../http/platformClock.ts';
import type { GraphRequest } from '../http/types.ts';
import type { JournalContext } from '../journal/types.ts';
import type { EffectLookup } from './effectLookup.ts';
import type { Match } from './matchOwnWrite.ts';

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
   * Looks up once what a write has made that may have been sent since an instant, by this process or another. Until
   * `since`, by the platform's clock, it had not taken effect.
   */
  readonly lookUp: <TValue>(
    context: WriteContext,
    lookup: EffectLookup<TValue>,
    since: PlatformTime,
    deadline?: number,
  ) => ResultAsync<Match, RequestFailure>;
}
