import type { RetryPolicy } from './http/retry.ts';
import { between, count, isAddress, optional, type Rule, that } from './options/check.ts';
import { type Clock, longestTimer } from './options/clock.ts';
import { livePlatform } from './platform.ts';

/** A policy with some of its settings changed. */
export function toPolicy(policy: RetryPolicy, changes: Partial<RetryPolicy> | undefined): RetryPolicy {
  const { statuses, ...rest } = { ...policy, ...defined(changes) };
  return Object.freeze({
    ...rest,
    statuses: Array.isArray(statuses) ? Object.freeze([...statuses]) : statuses,
  });
}

/** The settings within `of`, by their whole names. */
export function named(of: string, settings: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${of}.${name}`, value]));
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

const duration = between(0, longestTimer);
const longestKept = 1e15;
const journalTime = optional(between(1, longestKept));
const hook = optional(that(isFunction, 'a function'));
const address = that((value) => isAddress(value, /^https?:\/\//i), 'an http or https address');

/** What each setting must be. */
const rules: Readonly<Record<string, Rule>> = {
  fetch: hook,
  onRequest: hook,
  onResponse: hook,
  onFailure: hook,
  onRetry: hook,
  onVersion: hook,
  onJournalError: hook,
  timeoutMs: between(1, longestTimer),
  deadlineMs: between(1, Infinity),
  graphVersion: that((value) => typeof value === 'string' && /^v\d+\.\d+$/.test(value), 'like v26.0'),
  licenseKey: optional(that((value) => typeof value === 'string', 'a string')),
  clock: that((value) => {
    const { now, sleep, monotonic = now } = Object(value) as Readonly<Record<keyof Clock, unknown>>;
    return [now, sleep, monotonic].every(isFunction);
  }, 'a clock'),
  memory: optional(that((value) => Object(value).writes instanceof Set, 'made by createWriteMemory')),
  journal: optional(
    that((value) => {
      const { engine } = Object(value) as { readonly engine?: unknown };
      return typeof engine === 'object';
    }, 'made by createJournal'),
  ),
  journalLeaseMs: journalTime,
  journalSettleMs: journalTime,
  journalTtlMs: journalTime,
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

/** The rules for settings that a journal may be among: its times must leave room for each other. */
export function rulesFor(settings: {
  readonly journal?: unknown;
  readonly journalLeaseMs?: number | undefined;
  readonly journalSettleMs?: number | undefined;
  readonly timeoutMs: number;
}): Readonly<Record<string, Rule>> {
  const { journal, journalLeaseMs = 0, journalSettleMs = 0, timeoutMs } = settings;
  return {
    ...rules,
    ...(journal !== undefined && {
      journalSettleMs: between(journalLeaseMs + timeoutMs, longestKept),
      journalTtlMs: between(journalSettleMs + 1, longestKept),
    }),
  };
}

/** An option that is given as `undefined` keeps its default, as one that is left out. */
export function defined<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
