import { err, type Result } from 'neverthrow';

import { ConfigurationError } from './errors.ts';
import type { RetryPolicy } from './http/retry.ts';
import { lanes } from './http/types.ts';
import { copyWithInherited, fieldsOf, isObject, isRecord } from './objects.ts';
import { readOptions, toError } from './options/check.ts';
import { longestTimer } from './options/clock.ts';
import * as rule from './options/rules.ts';
import { dayMs } from './options/time.ts';
import { refuseUnknown } from './options/unknown.ts';
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
const statuses = rule.copying((value) => {
  if (!Array.isArray(value)) return 'must be a list';
  const copy: unknown[] = [...value];
  const at = copy.findIndex((status) => !Number.isInteger(status));
  return at < 0 ? { copy } : rule.faultOf('must be an HTTP status', at);
});

const milliseconds = rule.between(0, longestTimer);
/** Its bounds depend on other settings: the engine of the journal says them, and without a journal it has no effect. */
const journalTime = rule.satisfies((value) => typeof value === 'number' && value > -Infinity, 'a number');
/** Its renewal is a timer, which ends at once if it is longer than 24.8 days. */
const longestLease = 24 * dayMs;
/** Paths are appended to it. */
const address = rule.satisfies(
  (value) => rule.isAddress(value) && !/[?#]/.test(value),
  'an http or https address without credentials or query',
);
/** The version is appended to it, too: with two of them, each call would fail. */
const unversioned = rule.refine(address, (value) =>
  /\/v\d+(?:\.\d+)?\/*$/i.test(String(value)) ? 'must not end in a version: graphVersion adds it' : undefined,
);

/** The time limits and the retry policy, which `withOptions` can change. */
const overridable = optionals({
  timeoutMs: rule.between(1, longestTimer),
  deadlineMs: rule.between(1, Infinity),
  retry: group({
    attempts: rule.count,
    baseDelayMs: milliseconds,
    maxDelayMs: milliseconds,
    maxRetryAfterMs: milliseconds,
    jitter: rule.oneOf('full', 'none'),
    statuses,
    budget: rule.between(0, Infinity),
    onceOnly: rule.flag,
  }),
});

/** What each setting must be, if it is given. */
const settings = optionals({
  fetch: rule.hook,
  onCallStart: rule.hook,
  onCallEnd: rule.hook,
  onRequest: rule.hook,
  onResponse: rule.hook,
  onFailure: rule.hook,
  onRetry: rule.hook,
  onVersion: rule.hook,
  onFieldRefused: rule.hook,
  onJournalError: rule.hook,
  onJournal: rule.hook,
  maxResponseBytes: rule.between(1, Infinity),
  tokenTransport: rule.oneOf('query', 'header'),
  graphVersion: rule.satisfies(
    (value) => typeof value === 'string' && /^v\d+\.\d+$/.test(value),
    'like v26.0',
  ),
  licenseKey: rule.credentialOrNone,
  clock: rule.clock,
  memory: rule.satisfies((value) => fieldsOf(value)['writes'] instanceof Set, 'made by createWriteMemory'),
  journal: rule.satisfies(
    (value) => typeof fieldsOf(fieldsOf(value)['engine'])['settings'] === 'function',
    'made by createJournal',
  ),
  governor: rule.satisfies(
    (value) => typeof fieldsOf(value)['govern'] === 'function',
    'made by createGovernor',
  ),
  journalLeaseMs: rule.between(1, longestLease),
  journalSettleMs: journalTime,
  journalTtlMs: journalTime,
  platform: group({
    ...mapValues(livePlatform, () => address),
    graphUrl: unversioned,
    picsGraphUrl: unversioned,
    dialogUrl: unversioned,
    words: group(mapValues(livePlatform.words, () => rule.string)),
  }),
});

/** Checks the settings of a context, and the options besides them that the function creating it takes. */
export function checkSettings<TOptions extends object>(
  options: TOptions,
  rules: Readonly<Record<string, rule.Rule>>,
  toFailure: ToFailure = toError,
): Result<TOptions, ConfigurationError> {
  return readOptions(options, { ...overridable, ...settings, ...rules }).mapErr(toFailure);
}

/** Makes the error of what is wrong with a setting. */
export type ToFailure = (fault: rule.Fault) => ConfigurationError;

/** Checks the settings that `withOptions` is given. It can change no others. */
export function checkChanges<TOptions extends object>(
  options: TOptions,
): Result<TOptions, ConfigurationError> {
  const rules = { ...overridable, lane: rule.optional(rule.oneOf(...lanes)) };
  return readOptions(options, rules, (name, known) =>
    Object.hasOwn(settings, name) ? 'cannot be changed: make another context' : refuseUnknown(name, known),
  ).mapErr(toError);
}

/** The rule for a group of settings, all of which are optional. The error names one of them by its path. */
function group(within: Readonly<Record<string, rule.Rule>>): rule.Rule {
  return rule.fields(optionals(within));
}

function optionals(rules: Readonly<Record<string, rule.Rule>>): Record<string, rule.Rule> {
  return mapValues(rules, rule.optional);
}

/** An object with another value for each field. */
function mapValues<TField, TValue>(
  from: Readonly<Record<string, TField>> | object,
  toValue: (field: TField) => TValue,
): Record<string, TValue> {
  // `entries` of an object of unknown names gives `any`.
  return Object.fromEntries(Object.entries(from).map(([name, field]) => [name, toValue(field as TField)]));
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables of the process, if there is one, or of `env`. An empty one counts as unset. */
export function readVariable(env: Environment | undefined, name: string): string | undefined {
  try {
    // Not every runtime has it, so the types do not know it.
    const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
    return (env ?? process?.env)?.[name] || undefined;
  } catch {
    // Deno throws without the permission, and workerd in a script that is no module.
    return undefined;
  }
}

/** The variables of the settings that both platforms have. */
const variablesOfBoth = {
  graphVersion: 'GRAPH_VERSION',
  licenseKey: 'SDK_LICENSE_KEY',
  platform: 'PAGEPICS_PLATFORM',
};

/** Creates a context with settings from the environment, unless they are among the options: errors name the variable. */
export function fromEnvironment<TOptions, TContext>(
  make: (options: TOptions, toFailure: ToFailure) => Result<TContext, ConfigurationError>,
  options: Partial<TOptions> & { readonly env?: Environment | undefined },
  named: Readonly<Record<string, string>>,
): Result<TContext, ConfigurationError> {
  let settings: Record<string, unknown>;
  const variables: Record<string, string> = {};
  try {
    if (!isRecord(options)) throw new TypeError('no options');
    const { env } = options;
    if ((env ?? undefined) !== undefined && !isObject(env))
      return err(new ConfigurationError('env must be an object', 'env'));
    settings = { ...copyWithInherited(fieldsOf(options)), env: undefined };
    for (const [name, variable] of Object.entries({ ...named, ...variablesOfBoth })) {
      if ((settings[name] ?? undefined) !== undefined) continue;
      variables[name] = variable;
      const text = readVariable(env, variable);
      settings[name] = name === 'platform' ? addressesIn(text) : text;
    }
  } catch {
    return err(new ConfigurationError('options must be an object that can be read', 'options'));
  }
  // `make` checks them, as it checks those of any caller.
  return make(settings as TOptions, (fault) => {
    const [name = '', ...within] = fault.path;
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (variable === undefined) return toError(fault);
    const text = settings[name] === undefined ? 'is not set' : fault.text;
    const isWhole = name === 'platform' && within.length === 0;
    const hint = isWhole ? ' of addresses, as JSON: a sandbox shows it at /.env' : '';
    return toError(rule.faultOf(text + hint, variable, ...within));
  });
}

/** The addresses of a platform, as JSON, without its words; anything else is refused later, with the other settings. */
function addressesIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text, (name, value: unknown) => (name === 'words' ? undefined : value)) ?? text;
  } catch {
    return text;
  }
}
