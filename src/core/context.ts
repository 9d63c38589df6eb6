import { err, ok, type Result } from 'neverthrow';

import type { ConfigurationError } from './errors.ts';
import { createFetcher } from './http/fetcher.ts';
import type { Hooks } from './http/hooks.ts';
import { hide } from './http/redact.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
import type { Lane, Governor, Fetch } from './http/types.ts';
import { checkContext } from './options/check.ts';
import { createPlatformClock, type Clock, systemClock, withMonotonic } from './options/clock.ts';
import { livePlatform, type Platform } from './platform.ts';
import { readVariable, checkChanges, toPolicy } from './settings.ts';
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
  /**
   * Stored, never sent; nothing depends on it.
   * @default `SDK_LICENSE_KEY` of the process, if there is one
   */
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
 * Creates the part that both kinds of context share, from options that {@link checkSettings} returned.
 *
 * @internal
 */
export function createContext(
  options: ContextOptions,
  base: (platform: Platform) => string,
  secret: string | undefined,
): Result<Context, ConfigurationError> {
  const { retry, graphVersion = 'v26.0', clock = systemClock, maxResponseBytes } = options;
  const { licenseKey = readVariable(undefined, 'SDK_LICENSE_KEY') } = options;
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
        fetcher: createFetcher(options, secret),
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

/** The settings that `withOptions` changes. Omitted ones stay. */
export interface ChangedOptions {
  /** Milliseconds for a whole call: all its attempts, pages, waits and lookups. At least 1. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds for one attempt, from 1 to 2_147_483_647. */
  readonly timeoutMs?: number | undefined;
  /** Omitted fields stay. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** The lane of all calls, but for lookups and requests for a status. It has no effect without a governor. */
  readonly lane?: Lane | undefined;
}

/**
 * Creates a copy of a context with other time limits, another retry policy, or another lane. The two share everything
 * else: app, platform, hooks, `fetch`, governor, and the retry budget. `close` on either closes both.
 *
 * Do not spread a context instead: the copy loses its secret, and every call with it fails with ConfigurationError.
 *
 * Fails with ConfigurationError when `context` was spread, when an option is out of bounds, and when an option cannot
 * be changed: for another app, platform, version, `fetch` or hook, create another context.
 *
 * @example
 * const quick = withOptions(context, { deadlineMs: 5000, retry: { attempts: 1 } });
 * if (quick.isOk()) await me(quick.value, { token });
 */
export function withOptions<TContext extends Context>(
  context: TContext,
  options: ChangedOptions,
): Result<TContext, ConfigurationError> {
  const incomplete = checkContext(context);
  if (incomplete) return err(incomplete);
  const checked = checkChanges(options);
  if (checked.isErr()) return err(checked.error);
  const { timeoutMs = context.timeoutMs, deadlineMs = context.deadlineMs, lane } = checked.value;
  const journal = context.journal?.journal.engine.settings(context.journal, timeoutMs);
  if (journal?.isErr()) return err(journal.error);
  const retry = toPolicy(context.retry, checked.value.retry);
  const changes = { timeoutMs, deadlineMs, retry, ...(lane && { lane }) };
  // Copies descriptors, since the secrets are getters that a spread leaves out. They are those of a TContext.
  const copy: unknown = Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(context), ...Object.getOwnPropertyDescriptors(changes) },
  );
  // `create` returns any: it has all properties of the context.
  return ok(Object.freeze(copy) as TContext);
}
