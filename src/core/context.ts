import { err, ok, type Result } from 'neverthrow';

import { type Clock, systemClock } from './clock.ts';
import { ConfigurationError, type RequestFailure, type Usage } from './errors.ts';
import { createFetcher, type Fetcher } from './fetcher.ts';
import { livePlatform, type Platform } from './platform.ts';
import { defaultRetryPolicy, type RetryPolicy } from './retry.ts';
import { hide } from './secrets.ts';

/** What every function needs to know. Immutable data: it holds no token. */
export interface Context {
  /** Sends the requests, over ky. */
  readonly fetcher: Fetcher;
  /** App secret, the key of `appsecret_proof`. Not enumerable. */
  readonly secret?: string | undefined;
  /** License key, kept and never sent. Not enumerable. */
  readonly licenseKey?: string | undefined;
  /** Address and version that paths are joined to. */
  readonly graphBase: string;
  readonly graphVersion: string;
  readonly platform: Platform;
  readonly retry: RetryPolicy;
  /** Milliseconds that a whole call may take. */
  readonly deadlineMs: number;
  readonly clock: Clock;
}

/** What a request did, without secrets. */
export interface ResponseEvent {
  readonly method: string;
  /** Path of the address, ids included, without query. */
  readonly path: string;
  /** HTTP status. */
  readonly status: number;
  readonly durationMs: number;
  /** 1 for the first request of a call. */
  readonly attempt: number;
  readonly usage: Usage | undefined;
  readonly traceId: string | undefined;
  /** Version that served the request; an expired one is served as the oldest that lives. */
  readonly apiVersion: string | undefined;
}

/** A request that is about to be sent again, without secrets. */
export interface RetryEvent {
  readonly method: string;
  readonly path: string;
  /** The attempt that failed. */
  readonly attempt: number;
  /** Milliseconds until the next one. */
  readonly delayMs: number;
  readonly error: RequestFailure;
}

export interface Hooks {
  /** Called after each answer. What it throws changes nothing. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Called before each wait for another attempt. What it throws changes nothing. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

/** Settings of every context. */
export interface ContextOptions extends Hooks {
  /**
   * Sends the requests, called with a `Request`. It is yours: `close` leaves it alone.
   * @default the global `fetch`, looked up at each call
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
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
  const policy = { ...defaultRetryPolicy, ...defined(retry) };
  const platform = { ...livePlatform, ...defined(options.platform) };

  const fault = wrongSetting({ ...options, timeoutMs, deadlineMs, graphVersion }, policy, platform);
  if (fault !== undefined) return err(new ConfigurationError(`${fault[0]} ${fault[1]}`, fault[0]));
  return ok(
    hide(
      {
        fetcher: createFetcher({ ...options, timeoutMs }),
        graphBase: `${base(platform).replace(/\/+$/, '')}/${graphVersion}`,
        graphVersion,
        platform,
        retry: policy,
        deadlineMs,
        clock,
      },
      { secret, licenseKey },
    ),
  );
}

/** The first setting that is out of its bounds, and what it must be. */
function wrongSetting(
  settings: ContextOptions,
  policy: RetryPolicy,
  platform: Platform,
): readonly [option: string, rule: string] | undefined {
  const { fetch, timeoutMs, deadlineMs, graphVersion } = settings;
  if (fetch !== undefined && typeof fetch !== 'function') return ['fetch', 'must be a function'];
  if (!isBetween(timeoutMs, 1, 2 ** 31 - 1)) return ['timeoutMs', 'must be from 1 to 2147483647'];
  if (!isBetween(deadlineMs, 1, Infinity)) return ['deadlineMs', 'must be at least 1'];
  if (!/^v\d+\.\d+$/.test(String(graphVersion))) return ['graphVersion', 'must look like v26.0'];
  if (!Number.isInteger(policy.attempts) || policy.attempts < 1) {
    return ['retry.attempts', 'must be a whole number from 1 on'];
  }
  for (const name of ['baseDelayMs', 'maxDelayMs', 'maxRetryAfterMs'] as const) {
    if (!isBetween(policy[name], 0, 2 ** 31 - 1)) return [`retry.${name}`, 'must be from 0 to 2147483647'];
  }
  if (!isBetween(policy.budget, 0, Infinity)) return ['retry.budget', 'must not be negative'];
  if (!Array.isArray(policy.statuses)) return ['retry.statuses', 'must be an array'];
  for (const [name, value] of Object.entries(platform)) {
    if (name.endsWith('Url') && !/^https?:\/\/[^\s/]/.test(String(value))) {
      return [`platform.${name}`, 'must be an http or https address'];
    }
  }
  return undefined;
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

/** An option that is given as `undefined` keeps its default, as one that is left out. */
function defined<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
