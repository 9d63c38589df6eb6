import { err, type Result } from 'neverthrow';

import { ConfigurationError } from './errors.ts';
import type { RetryPolicy } from './http/retry.ts';
import { lanes } from './http/types.ts';
import { fieldsOf } from './objects.ts';
import { faultOf, parseOptions } from './options/check.ts';
import { longestKept, longestTimer } from './options/clock.ts';
import * as rule from './options/rules.ts';
import { dayMs } from './options/time.ts';
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
  return at < 0 ? { copy } : { path: [at], text: 'must be an HTTP status' };
});

const milliseconds = rule.between(0, longestTimer);
const journalTime = rule.between(1, longestKept);
/** Its renewal is a timer, which ends at once if it is longer than 24.8 days. */
const longestLease = 24 * dayMs;
const address = rule.satisfies((value) => {
  // Paths are appended to it.
  if (!rule.isAddress(value, /^https?:\/\/[^?#]*$/i)) return false;
  // Credentials would be sent with each request, and failures would quote them.
  const { username, password } = new URL(value as string);
  return username + password === '';
}, 'an http or https address without credentials or query');

/** The time limits and the retry policy, which `withOptions` can change. */
const overridable = {
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
};

/** What each setting must be, if it is given. */
const settings: Readonly<Record<string, rule.Rule>> = {
  ...overridable,
  fetch: rule.hook,
  onCallStart: rule.hook,
  onCallEnd: rule.hook,
  onRequest: rule.hook,
  onResponse: rule.hook,
  onFailure: rule.hook,
  onRetry: rule.hook,
  onVersion: rule.hook,
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
    ...mapValues(() => address, livePlatform),
    words: group(mapValues(() => rule.string, livePlatform.words)),
  }),
};

/** Checks the settings of a context, and the options besides them that the function creating it takes. */
export function checkSettings<TOptions extends object>(
  options: TOptions,
  rules: Readonly<Record<string, rule.Rule>>,
): Result<TOptions, ConfigurationError> {
  return checkNamed(options, settings, rules);
}

/** Checks the settings that `withOptions` is given. It can change no others. */
export function checkChanges<TOptions extends object>(
  options: TOptions,
): Result<TOptions, ConfigurationError> {
  return checkNamed(
    options,
    { ...overridable, lane: rule.oneOf(...lanes) },
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
  settings: Readonly<Record<string, rule.Rule>>,
  rules: Readonly<Record<string, rule.Rule>> = {},
  otherwise?: string,
): Result<TOptions, ConfigurationError> {
  const all = { ...mapValues(rule.optional, settings), ...rules };
  return parseOptions(
    rule.object(all, (...other) => otherwise ?? unknownOption(...other)),
    options,
  );
}

/** The rule for a group of settings, all of which are optional. */
function group(within: Readonly<Record<string, rule.Rule>>): rule.Rule {
  return rule.object(mapValues(rule.optional, within), unknownOption);
}

/** A setting that is not known would be without effect, which nobody would notice. */
function unknownOption(...given: Parameters<rule.CheckUnknown>): string | undefined {
  const [, , value] = given;
  if (value === undefined) return undefined;
  return rule.findMisspelling(...given) ?? 'is not an option';
}

/** An object with a rule for each field, whose type `Object.entries` does not know. */
function mapValues(toRule: (field: never) => rule.Rule, from: object): Record<string, rule.Rule> {
  // Each maker of rules takes the fields that it is used with.
  return Object.fromEntries(Object.entries(from).map(([name, field]) => [name, toRule(field as never)]));
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

/**
 * Creates a context with settings from the environment, unless they are among the options. An error names the variable
 * at fault.
 */
export function fromEnvironment<TOptions, TContext>(
  make: (options: TOptions) => Result<TContext, ConfigurationError>,
  options: Partial<TOptions> & { readonly env?: Environment | undefined },
  named: Readonly<Record<string, string>>,
): Result<TContext, ConfigurationError> {
  let settings: Record<string, unknown>;
  const texts: Record<string, string | undefined> = {};
  const variables: Readonly<Record<string, string>> = { ...named, ...variablesOfBoth };
  try {
    const { env, ...rest } = options;
    settings = rest;
    for (const [name, variable] of Object.entries(variables)) {
      if ((settings[name] ?? undefined) !== undefined) continue;
      texts[name] = readVariable(env, variable);
      settings[name] = name === 'platform' ? addressesIn(texts[name]) : texts[name];
    }
  } catch {
    return err(new ConfigurationError('options must be an object that can be read', 'options'));
  }
  // `make` checks them, as it checks those of any caller.
  return make(settings as TOptions).mapErr((error) => {
    const { path: [name = '', ...within] = [], text = '' } = faultOf(error) ?? {};
    const variable = variables[name];
    if (variable === undefined || !Object.hasOwn(texts, name)) return error;
    const fault = texts[name] === undefined ? 'is not set' : text;
    const isWhole = name === 'platform' && within.length === 0;
    const hint = isWhole ? ' of addresses, as JSON: a sandbox shows it at /.env' : '';
    return new ConfigurationError(`${rule.nameOf([variable, ...within])} ${fault}${hint}`, variable);
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
