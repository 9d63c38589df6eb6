import { ok, type Result } from 'neverthrow';

import type { ConfigurationError } from './errors.ts';
import type { createExchange } from './http/exchange.ts';
import { createFetcher } from './http/fetcher.ts';
import type { Governor } from './http/governor.ts';
import type { Hooks } from './http/hooks.ts';
import { createPlatformClock } from './http/platformClock.ts';
import { hide } from './http/redact.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
import type { Fetch } from './http/types.ts';
import { type Clock, systemClock, withMonotonic } from './options/clock.ts';
import { livePlatform, type Platform } from './platform.ts';
import { toPolicy } from './settings.ts';
import type { JournalContext, JournalOptions, JournalSettings } from './writes/journal/types.ts';
import { memoryOf, type WriteMemory } from './writes/memory.ts';

/** What every function needs to know. Immutable data: it holds no token. */
export interface Context extends JournalContext {
  /** What is remembered of recent once-only writes. Mutable, and shared: see {@link WriteMemory}. */
  readonly memory: WriteMemory;
  /** For the photo-sharing functions: whether they use the graph of their own login, or that of Pages. */
  readonly mode?: 'login' | 'page' | undefined;
}

/** Settings of every context. */
export interface ContextOptions extends Hooks, JournalOptions {
  /**
   * Sends the requests; called with a `Request`. `close` leaves it alone.
   * @default the global `fetch`, looked up at each call
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Milliseconds for one attempt, including reading its response. At most 2_147_483_647.
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds for a whole call: all its attempts, pages, waits and lookups. Nothing that would exceed it is started.
   * @default Infinity
   */
  readonly deadlineMs?: number | undefined;
  /**
   * The most bytes of a response to read, counted after decoding. At least 1. A larger one is an ApiError, and the rest
   * is not read; the outcome of a write is then `unknown`.
   * @default 16 MiB, for the response to a batch 64 MiB
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * How requests carry their token: `query` as `access_token` in the address, `header` as `Authorization: Bearer`, which
   * keeps it out of addresses, and so out of traces, proxy logs and `performance`.
   * @default 'query'
   */
  readonly tokenTransport?: 'query' | 'header' | undefined;
  /**
   * Keeps calls under the platform's rate limits, together with all other processes that share its store; created by
   * `createGovernor` of `pagepics/governor`. One governor serves all contexts of a process.
   * @default none
   */
  readonly governor?: Governor | undefined;
  /** Omitted fields keep their defaults. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /**
   * The version in addresses. The default is supported until 2028-07-29 at least; `onVersion` tells you when it no
   * longer is.
   * @default 'v26.0'
   */
  readonly graphVersion?: string | undefined;
  /** Other addresses, for a sandbox or a proxy. Omitted fields are the live platform's. */
  readonly platform?: Partial<Platform> | undefined;
  /** Stored, never sent; nothing depends on it. */
  readonly licenseKey?: string | undefined;
  /**
   * The passage of time, for tests.
   * @default the system's
   */
  readonly clock?: Clock | undefined;
  /**
   * Remembers once-only writes, so that a lost one is never given the id of an identical one; created by
   * `createWriteMemory`. Contexts that share a memory must share a clock.
   * @default one for all contexts of the same `fetch`
   */
  readonly memory?: WriteMemory | undefined;
}

/**
 * Creates the part that both kinds of context share, from options that {@link checkSettings} returned. It gets the
 * exchange from them, so that in a bundle our code comes before that of ky, in one piece: it compresses better.
 *
 * @internal
 */
export function createContext(
  options: ContextOptions,
  base: (platform: Platform) => string,
  secret: string | undefined,
  exchange: typeof createExchange,
): Result<Context, ConfigurationError> {
  const { retry, graphVersion = 'v26.0', clock = systemClock, licenseKey, maxResponseBytes } = options;
  const { timeoutMs = 30_000, deadlineMs = Infinity, tokenTransport = 'query' } = options;
  const policy = toPolicy(defaultRetryPolicy, retry);
  const words = Object.freeze({ ...livePlatform.words, ...options.platform?.words });
  const platform = Object.freeze({ ...livePlatform, ...options.platform, words });

  const { journal } = options;
  const settings: Result<JournalSettings | undefined, ConfigurationError> =
    journal?.engine.settings({ ...options, journal }, timeoutMs) ?? ok(undefined);
  return settings.map((kept) =>
    hide(
      {
        fetcher: createFetcher(options, exchange),
        graphBase: `${base(platform).replace(/\/+$/, '')}/${graphVersion}`,
        graphVersion,
        platform,
        retry: policy,
        timeoutMs,
        deadlineMs,
        maxResponseBytes,
        tokenTransport,
        clock: withMonotonic(clock),
        platformClock: createPlatformClock(),
        memory: options.memory ?? memoryOf(options.fetch),
        journal: kept,
      },
      { secret, licenseKey, isComplete: true },
    ),
  );
}
