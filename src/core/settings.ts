import { err, ok, type Result } from 'neverthrow';

import type { Context } from './context.ts';
import type { ConfigurationError } from './errors.ts';
import { type Lane, lanes } from './http/governor.ts';
import type { RetryPolicy } from './http/retry.ts';
import {
  between,
  checkContext,
  count,
  fields,
  fieldsOf,
  flag,
  hook,
  isAddress,
  oneOf,
  optional,
  optionError,
  readable,
  type Rule,
  string,
  that,
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
const statuses: Rule = (value) => {
  if (!Array.isArray(value)) return 'must be a list';
  const use: unknown[] = [...value];
  const at = use.findIndex((status) => !Number.isInteger(status));
  return at < 0 ? { use } : `[${at}] must be an HTTP status`;
};

const milliseconds = between(0, longestTimer);
const journalTime = between(1, longestKept);
const address = that((value) => {
  // Paths are appended to it.
  if (!isAddress(value, /^https?:\/\/[^?#]*$/i)) return false;
  // Credentials would be sent with each request, and failures would quote them.
  const { username, password } = new URL(value as string);
  return username + password === '';
}, 'an http or https address without credentials or query');

/** The settings that `withOptions` can change. */
const patience = {
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
  ...patience,
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
  graphVersion: that((value) => typeof value === 'string' && /^v\d+\.\d+$/.test(value), 'like v26.0'),
  licenseKey: string,
  clock: that((value) => {
    const { now, sleep, monotonic = now } = fieldsOf(value);
    return [now, sleep, monotonic].every((one) => typeof one === 'function');
  }, 'a clock'),
  memory: that((value) => fieldsOf(value)['writes'] instanceof Set, 'made by createWriteMemory'),
  journal: that(
    (value) => typeof fieldsOf(fieldsOf(value)['engine'])['settings'] === 'function',
    'made by createJournal',
  ),
  governor: that((value) => typeof fieldsOf(value)['govern'] === 'function', 'made by createGovernor'),
  journalLeaseMs: journalTime,
  journalSettleMs: journalTime,
  journalTtlMs: journalTime,
  platform: group({
    ...mapped(() => address, livePlatform),
    words: group(mapped(() => string, livePlatform.words)),
  }),
};

/** Checks the settings of a context, and the options besides them that the function creating it takes. */
export function checkSettings<TOptions extends object>(
  options: TOptions,
  own: Readonly<Record<string, Rule>>,
): Result<TOptions, ConfigurationError> {
  return checkNamed(options, settings, own);
}

/**
 * Checks options that may only have these names: those of `settings`, which are optional, and those of `own`. The error
 * names an option within a group by its path.
 */
function checkNamed<TOptions extends object>(
  options: TOptions,
  settings: Readonly<Record<string, Rule>>,
  own: Readonly<Record<string, Rule>> = {},
  otherwise?: string,
): Result<TOptions, ConfigurationError> {
  const verdict = closed({ ...mapped(optional, settings), ...own }, otherwise)(options);
  // It copies the fields of `options`.
  return typeof verdict === 'string' ? err(optionError(verdict, /^[\w.]+/)) : ok(verdict.use as TOptions);
}

/** The rule for a group of settings, all of which are optional. */
function group(within: Readonly<Record<string, Rule>>): Rule {
  const rule = closed(mapped(optional, within));
  return (value) => (value === null ? undefined : rule(value));
}

/** The rule for an object that has no fields but these. */
function closed(within: Readonly<Record<string, Rule>>, otherwise?: string): ReturnType<typeof fields> {
  const names = Object.keys(within);
  const rule = fields(within);
  const isOther = ([name, given]: readonly [string, unknown]): boolean =>
    (given ?? otherwise) !== undefined && !names.includes(name);
  return (value) => {
    const verdict = rule(value);
    if (typeof verdict === 'string') return verdict;
    const other = readable(() => Object.entries(fieldsOf(value)).find(isOther));
    if (other === undefined) return verdict;
    if (typeof other === 'string') return other;
    const [name] = other;
    const near = names.find((known) => known.toLowerCase().startsWith(name.slice(0, 4).toLowerCase()));
    return `.${name} ${otherwise ?? `is not an option${near === undefined ? '' : `: ${near} is`}`}`;
  };
}

/** An object with a rule for each field, whose type `Object.entries` does not know. */
function mapped(toRule: (field: never) => Rule, from: object): Record<string, Rule> {
  // Each maker of rules takes the fields that it is used with.
  return Object.fromEntries(Object.entries(from).map(([name, field]) => [name, toRule(field as never)]));
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
  const checked = checkNamed(
    options,
    { ...patience, lane: oneOf(...lanes) },
    {},
    'cannot be changed: make another context',
  );
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
