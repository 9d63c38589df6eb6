import type { Result } from 'neverthrow';

import type { ConfigurationError } from './errors.ts';
import { lanes } from './http/governor.ts';
import type { RetryPolicy } from './http/retry.ts';
import {
  between,
  copying,
  count,
  fieldsOf,
  flag,
  hook,
  isAddress,
  meantBy,
  objectRule,
  oneOf,
  optional,
  parseOptions,
  type Rule,
  string,
  satisfies,
} from './options/check.ts';
import { longestKept, longestTimer } from './options/clock.ts';
import { livePlatform } from './platform.ts';

/** A policy with some of its settings changed. */
export function toPolicy(policy: RetryPolicy, changes: Partial<RetryPolicy> | undefined): RetryPolicy {
  return Object.freeze({
    ...policy,
    ...changes,
    // The check has copied it.
    statuses: Object.freeze(changes?.statuses ?? policy.statuses),
  });
}

/** A rule of its own, since every bundle has it, but few have `listOf`. */
const statuses = copying((value) => {
  if (!Array.isArray(value)) return 'must be a list';
  const copy: unknown[] = [...value];
  const at = copy.findIndex((status) => !Number.isInteger(status));
  return at < 0 ? { copy } : `[${at}] must be an HTTP status`;
});

const milliseconds = between(0, longestTimer);
const journalTime = between(1, longestKept);
const address = satisfies((value) => {
  // Paths are appended to it.
  if (!isAddress(value, /^https?:\/\/[^?#]*$/i)) return false;
  // Credentials would be sent with each request, and failures would quote them.
  const { username, password } = new URL(value as string);
  return username + password === '';
}, 'an http or https address without credentials or query');

/** The time limits and the retry policy, which `withOptions` can change. */
const overridable = {
  timeoutMs: between(1, longestTimer),
  deadlineMs: between(1, Infinity),
  retry: group({
    attempts: count,
    baseDelayMs: milliseconds,
    maxDelayMs: milliseconds,
    maxRetryAfterMs: milliseconds,
    jitter: oneOf('full', 'none'),
    statuses,
    budget: between(0, Infinity),
    onceOnly: flag,
  }),
};

/** What each setting must be, if it is given. */
const settings: Readonly<Record<string, Rule>> = {
  ...overridable,
  fetch: hook,
  onCallStart: hook,
  onCallEnd: hook,
  onRequest: hook,
  onResponse: hook,
  onFailure: hook,
  onRetry: hook,
  onVersion: hook,
  onJournalError: hook,
  onJournal: hook,
  maxResponseBytes: between(1, Infinity),
  tokenTransport: oneOf('query', 'header'),
  graphVersion: satisfies((value) => typeof value === 'string' && /^v\d+\.\d+$/.test(value), 'like v26.0'),
  licenseKey: string,
  clock: satisfies((value) => {
    const { now, sleep, monotonic = now } = fieldsOf(value);
    return [now, sleep, monotonic].every((one) => typeof one === 'function');
  }, 'a clock'),
  memory: satisfies((value) => fieldsOf(value)['writes'] instanceof Set, 'made by createWriteMemory'),
  journal: satisfies(
    (value) => typeof fieldsOf(fieldsOf(value)['engine'])['settings'] === 'function',
    'made by createJournal',
  ),
  governor: satisfies((value) => typeof fieldsOf(value)['govern'] === 'function', 'made by createGovernor'),
  journalLeaseMs: journalTime,
  journalSettleMs: journalTime,
  journalTtlMs: journalTime,
  platform: group({
    ...mapValues(() => address, livePlatform),
    words: group(mapValues(() => string, livePlatform.words)),
  }),
};

/** Checks the settings of a context, and the options besides them that the function creating it takes. */
export function checkSettings<TOptions extends object>(
  options: TOptions,
  rules: Readonly<Record<string, Rule>>,
): Result<TOptions, ConfigurationError> {
  return checkNamed(options, settings, rules);
}

/** Checks the settings that `withOptions` is given. It can change no others. */
export function checkChanges<TOptions extends object>(
  options: TOptions,
): Result<TOptions, ConfigurationError> {
  return checkNamed(
    options,
    { ...overridable, lane: oneOf(...lanes) },
    {},
    'cannot be changed: make another context',
  );
}

/**
 * Checks options that may only have these names: those of `settings`, which are optional, and those of `rules`. The error
 * names an option within a group by its path.
 */
function checkNamed<TOptions extends object>(
  options: TOptions,
  settings: Readonly<Record<string, Rule>>,
  rules: Readonly<Record<string, Rule>> = {},
  otherwise?: string,
): Result<TOptions, ConfigurationError> {
  const all = { ...mapValues(optional, settings), ...rules };
  return parseOptions(
    objectRule(all, (...other) => otherwise ?? unknownOption(...other)),
    options,
  );
}

/** The rule for a group of settings, all of which are optional. */
function group(within: Readonly<Record<string, Rule>>): Rule {
  return objectRule(mapValues(optional, within), unknownOption);
}

/** A setting that is not known would be without effect, which nobody would notice. */
function unknownOption(name: string, missing: readonly string[], value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return meantBy(name, missing, value) ?? 'is not an option';
}

/** An object with a rule for each field, whose type `Object.entries` does not know. */
function mapValues(toRule: (field: never) => Rule, from: object): Record<string, Rule> {
  // Each maker of rules takes the fields that it is used with.
  return Object.fromEntries(Object.entries(from).map(([name, field]) => [name, toRule(field as never)]));
}
