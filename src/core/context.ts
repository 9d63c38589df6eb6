import { err, ok, type Result } from 'neverthrow';

import type { ConfigurationError } from './errors.ts';
import { createFetcher } from './http/fetcher.ts';
import type { Hooks } from './http/hooks.ts';
import { createPlatformClock } from './http/platformClock.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
import type { Fetch, HttpContext } from './http/types.ts';
import { check, count, isAddress, optional, type Rule } from './options/check.ts';
import { type Clock, systemClock, withMonotonic } from './options/clock.ts';
import { hide } from './options/secrets.ts';
import { memoryOf, type WriteMemory } from './options/writeMemory.ts';
import { livePlatform, type Platform } from './platform.ts';

/** What every function needs to know. Immutable data: it holds no token. */
export interface Context extends HttpContext {
  readonly graphVersion: string;
  /** What is remembered of recent once-only writes. Mutable, and shared: see {@link WriteMemory}. */
  readonly memory: WriteMemory;
}

/** Settings of every context. */
export interface ContextOptions extends Hooks {
  /**
   * Sends the requests, called with a `Request`. It is yours: `close` leaves it alone.
   * @default the global `fetch`, looked up at each call
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Milliseconds for one attempt, the reading of its answer included. At most 2_147_483_647.
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds for a whole call: all its attempts, pages, waits and look-ups. Whatever would go
   * beyond it is not begun.
   * @default Infinity
   */
  readonly deadlineMs?: number | undefined;
  /** Fields left out keep their defaults. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** @default 'v26.0' */
  readonly graphVersion?: string | undefined;
  /** Other addresses, for a sandbox or a proxy. Fields left out are the live platform's. */
  readonly platform?: Partial<Platform> | undefined;
  /** Kept, never sent; nothing depends on it. */
  readonly licenseKey?: string | undefined;
  /**
   * The passing of time, for tests.
   * @default the system's
   */
  readonly clock?: Clock | undefined;
  /**
   * Remembers once-only writes, so that a lost one is never told the id of an equal one: made by
   * `createWriteMemory`. Contexts that share a memory share a clock.
   * @default one for all contexts of the same `fetch`
   */
  readonly memory?: WriteMemory | undefined;
}

/**
 * Makes the part that both kinds of context share.
 *
 * @internal
 */
export function createContext(
  options: ContextOptions,
  base: (platform: Platform) => string,
  secret: string | undefined,
): Result<Context, ConfigurationError> {
  const { retry, graphVersion = 'v26.0', clock = systemClock, licenseKey } = options;
  const { timeoutMs = 30_000, deadlineMs = Infinity } = options;
  const policy = Object.freeze({ ...defaultRetryPolicy, ...defined(retry) });
  const platform = Object.freeze({ ...livePlatform, ...defined(options.platform) });

  const settings = { ...options, timeoutMs, deadlineMs, graphVersion, clock };
  const invalid = check({ ...settings, ...named('retry', policy), ...named('platform', platform) }, rules);
  if (invalid) return err(invalid);
  return ok(
    hide(
      {
        fetcher: createFetcher({ ...options, timeoutMs }),
        graphBase: `${base(platform).replace(/\/+$/, '')}/${graphVersion}`,
        graphVersion,
        platform,
        retry: policy,
        deadlineMs,
        clock: withMonotonic(clock),
        platformClock: createPlatformClock(),
        memory: options.memory ?? memoryOf(options.fetch),
      },
      { secret, licenseKey },
    ),
  );
}

/** The settings within `of`, by their whole names. */
function named(of: string, settings: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${of}.${name}`, value]));
}

function between(least: number, most: number): Rule {
  const bounds = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  return that((value) => typeof value === 'number' && value >= least && value <= most, bounds);
}

/** The rule that `isKept` tells. */
function that(isKept: (value: unknown) => boolean, rule: string): Rule {
  return (value) => (isKept(value) ? undefined : `must be ${rule}`);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

const longestTimer = 2 ** 31 - 1;
const duration = between(0, longestTimer);
const hook = optional(that(isFunction, 'a function'));
const address = that((value) => isAddress(value, /^https?:\/\//i), 'an http or https address');

/** What each setting must be. */
const rules: Readonly<Record<string, Rule>> = {
  fetch: hook,
  onRequest: hook,
  onResponse: hook,
  onFailure: hook,
  onRetry: hook,
  timeoutMs: between(1, longestTimer),
  deadlineMs: between(1, Infinity),
  graphVersion: that((value) => typeof value === 'string' && /^v\d+\.\d+$/.test(value), 'like v26.0'),
  licenseKey: optional(that((value) => typeof value === 'string', 'a string')),
  clock: that((value) => {
    const { now, sleep, monotonic = now } = Object(value) as Readonly<Record<keyof Clock, unknown>>;
    return [now, sleep, monotonic].every(isFunction);
  }, 'a clock'),
  memory: optional(that((value) => Object(value).writes instanceof Set, 'made by createWriteMemory')),
  'retry.attempts': count,
  'retry.baseDelayMs': duration,
  'retry.maxDelayMs': duration,
  'retry.maxRetryAfterMs': duration,
  'retry.jitter': that((value) => value === 'full' || value === 'none', 'full or none'),
  'retry.statuses': that(
    (value) => Array.isArray(value) && value.every(Number.isInteger),
    'a list of HTTP statuses',
  ),
  'retry.budget': between(0, Infinity),
  'retry.onceOnly': that((value) => typeof value === 'boolean', 'true or false'),
  ...Object.fromEntries(
    Object.keys(livePlatform).flatMap((name) =>
      name.endsWith('Url') ? [[`platform.${name}`, address]] : [],
    ),
  ),
};

/** An option that is given as `undefined` keeps its default, as one that is left out. */
function defined<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
