import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from './errors.ts';
import type { RetryPolicy } from './http/retry.ts';
import type { JournalTimes } from './journal/types.ts';
import {
  between,
  checkOptions,
  count,
  fields,
  flag,
  hook,
  isAddress,
  listOf,
  optional,
  type Rule,
  that,
} from './options/check.ts';
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

const duration = between(0, longestTimer);
const longestKept = 1e15;
const journalTime = between(1, longestKept);
const string = that((value) => typeof value === 'string', 'a string');
const address = that((value) => {
  if (!isAddress(value, /^https?:\/\//i)) return false;
  // Credentials would be sent with each request, and quoted by what fails.
  const { username, password } = new URL(value as string);
  return username + password === '';
}, 'an http or https address without credentials');

/** The settings that `withOptions` can change. */
export const patience = {
  timeoutMs: optional(between(1, longestTimer)),
  deadlineMs: optional(between(1, Infinity)),
  retry: group({
    attempts: count,
    baseDelayMs: duration,
    maxDelayMs: duration,
    maxRetryAfterMs: duration,
    jitter: that((value) => value === 'full' || value === 'none', 'full or none'),
    statuses: listOf(that(Number.isInteger, 'an HTTP status')),
    budget: between(0, Infinity),
    onceOnly: flag,
  }),
};

/** What each setting must be. */
const rules: Readonly<Record<string, Rule>> = {
  ...mapped(optional, {
    fetch: hook,
    onRequest: hook,
    onResponse: hook,
    onFailure: hook,
    onRetry: hook,
    onVersion: hook,
    onJournalError: hook,
    onJournal: hook,
    maxResponseBytes: between(1, Infinity),
    tokenTransport: that((value) => value === 'query' || value === 'header', 'query or header'),
    graphVersion: that((value) => typeof value === 'string' && /^v\d+\.\d+$/.test(value), 'like v26.0'),
    licenseKey: string,
    clock: that((value) => {
      const { now, sleep, monotonic = now } = Object(value) as Readonly<Record<keyof Clock, unknown>>;
      return [now, sleep, monotonic].every((one) => hook(one) === undefined);
    }, 'a clock'),
    memory: that((value) => Object(value).writes instanceof Set, 'made by createWriteMemory'),
    journal: that((value) => {
      const { engine } = Object(value) as { readonly engine?: unknown };
      return typeof engine === 'object';
    }, 'made by createJournal'),
    journalLeaseMs: journalTime,
    journalSettleMs: journalTime,
    journalTtlMs: journalTime,
  }),
  ...patience,
  platform: group({
    ...mapped(() => address, livePlatform),
    words: group(mapped(() => string, livePlatform.words)),
  }),
};

/** Checks the settings of a context, and what its maker takes beside them. */
export function checkSettings<TOptions extends object>(
  options: TOptions,
  own: Readonly<Record<string, Rule>>,
): Result<TOptions, ConfigurationError> {
  return checkNamed(options, { ...rules, ...own });
}

/** Checks options that have no names but these. The error names one within a group by its path. */
export function checkNamed<TOptions extends object>(
  options: TOptions,
  allowed: Readonly<Record<string, Rule>>,
  otherwise?: string,
): Result<TOptions, ConfigurationError> {
  const verdict = closed(allowed, otherwise)(options);
  if (typeof verdict !== 'string') return ok((verdict as { readonly use: TOptions }).use);
  const message = verdict.startsWith('.') ? verdict.slice(1) : `options ${verdict}`;
  return err(new ConfigurationError(message, /^[\w.]+/.exec(message)?.[0] ?? 'options'));
}

/** Checks that the times of a journal leave room for each other. */
export function checkTimes(
  { journalLeaseMs, journalSettleMs, journalTtlMs }: JournalTimes,
  timeoutMs: number,
): ConfigurationError | undefined {
  const rulesOfTimes = {
    journalSettleMs: between(journalLeaseMs + timeoutMs, longestKept),
    journalTtlMs: between(journalSettleMs + 1, longestKept),
  };
  const checked = checkOptions({ journalSettleMs, journalTtlMs }, () => rulesOfTimes);
  return checked.isErr() ? checked.error : undefined;
}

/** The rule for a group of settings, all of which may be left out. */
function group(within: Readonly<Record<string, Rule>>): Rule {
  const rule = closed(mapped(optional, within));
  return (value) => (value === null ? undefined : optional(rule)(value));
}

/** The rule for an object that has no fields but these. */
function closed(within: Readonly<Record<string, Rule>>, otherwise?: string): Rule {
  const names = Object.keys(within);
  return (value) => {
    const verdict = fields(within)(value);
    if (typeof verdict === 'string') return verdict;
    let other: string | undefined;
    try {
      [other] =
        Object.entries(value as object).find(
          ([name, given]) => (given ?? otherwise) !== undefined && !names.includes(name),
        ) ?? [];
    } catch {
      return 'cannot be read';
    }
    if (other === undefined) return verdict;
    const near = names.find((name) => name.toLowerCase().startsWith(other.slice(0, 4).toLowerCase()));
    return `.${other} ${otherwise ?? `is no option${near === undefined ? '' : `: ${near} is`}`}`;
  };
}

/** The fields of an object, as a rule each. */
function mapped(toRule: (field: never) => Rule, from: object): Record<string, Rule> {
  return Object.fromEntries(Object.entries(from).map(([name, field]) => [name, toRule(field as never)]));
}

/** An option that is given as `undefined` keeps its default, as one that is left out. */
export function defined<T extends object>(options: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
