import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError, type RequestFailure, type Usage } from './errors.ts';
import { createFetcher, type Fetcher } from './http/fetcher.ts';
import { createPlatformClock, type PlatformClock } from './http/platformClock.ts';
import { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
import type { Fetch } from './http/types.ts';
import { isAddress } from './options/check.ts';
import { type Clock, type MonotonicClock, systemClock, withMonotonic } from './options/clock.ts';
import { hide } from './options/secrets.ts';
import { livePlatform, type Platform } from './platform.ts';

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
  readonly clock: MonotonicClock;
  /** What the responses tell of the platform's clock. Mutable: see {@link PlatformClock}. */
  readonly platformClock: PlatformClock;
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

  const wrong = rulesOf({ ...options, timeoutMs, deadlineMs, graphVersion, clock }, policy, platform).find(
    ([, isKept]) => !isKept,
  );
  if (wrong !== undefined) return err(new ConfigurationError(`${wrong[0]} must be ${wrong[2]}`, wrong[0]));
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
      },
      { secret, licenseKey },
    ),
  );
}

/** What each setting must be, and whether it is. */
function rulesOf(
  settings: ContextOptions & { readonly clock: Clock },
  policy: RetryPolicy,
  platform: Platform,
): readonly (readonly [option: string, isKept: boolean, rule: string])[] {
  const { timeoutMs, deadlineMs, graphVersion, licenseKey = '' } = settings;
  const longest = 2 ** 31 - 1;
  return [
    ...(['fetch', 'onResponse', 'onRetry'] as const).map(
      (name) => [name, settings[name] === undefined || isFunction(settings[name]), 'a function'] as const,
    ),
    ['timeoutMs', isBetween(timeoutMs, 1, longest), 'from 1 to 2147483647'],
    ['deadlineMs', isBetween(deadlineMs, 1, Infinity), 'at least 1'],
    ['graphVersion', isText(graphVersion) && /^v\d+\.\d+$/.test(graphVersion), 'like v26.0'],
    ['licenseKey', isText(licenseKey), 'a string'],
    ['clock', isClock(settings.clock), 'a clock'],
    ['retry.attempts', Number.isInteger(policy.attempts) && policy.attempts > 0, 'a whole number from 1 on'],
    ...(['baseDelayMs', 'maxDelayMs', 'maxRetryAfterMs'] as const).map(
      (name) => [`retry.${name}`, isBetween(policy[name], 0, longest), 'from 0 to 2147483647'] as const,
    ),
    ['retry.jitter', ['full', 'none'].includes(policy.jitter), 'full or none'],
    [
      'retry.statuses',
      Array.isArray(policy.statuses) && policy.statuses.every(Number.isInteger),
      'a list of HTTP statuses',
    ],
    ['retry.budget', isBetween(policy.budget, 0, Infinity), 'at least 0'],
    ['retry.onceOnly', typeof policy.onceOnly === 'boolean', 'true or false'],
    ...Object.entries(platform)
      .filter(([name]) => name.endsWith('Url'))
      .map(
        ([name, value]) =>
          [`platform.${name}`, isAddress(value, /^https?:\/\//i), 'an http or https address'] as const,
      ),
  ];
}

function isClock(value: unknown): boolean {
  const { now, sleep, monotonic = now } = Object(value) as Readonly<Record<keyof Clock, unknown>>;
  return [now, sleep, monotonic].every(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
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
