import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';

/** Says what is wrong with a value, in words that can follow the name of its option. */
export type Test = (value: unknown) => string | undefined;

/**
 * A test that may also return a copy, if the caller can change the value. A fault in a part of the value begins with
 * the path of that part, such as `[0].photoUrl`.
 */
export type Rule = (value: unknown) => string | { readonly use: unknown } | undefined;

/** A rule for each option; `signal` already has one. */
export type Rules<TOptions> = { readonly [TName in Exclude<NameIn<TOptions>, 'signal'>]: Rule };

type NameIn<TOptions> = TOptions extends unknown ? keyof TOptions : never;

/**
 * Checks the context and the options of a call before anything is sent. TypeScript checks their types as well, but not
 * every caller has it, and an empty id is a string.
 *
 * It returns a copy, so that later changes by the caller have no effect. Each option is read once, in the order of the
 * rules; a rule finds the preceding options in `own`. `also` checks combinations of options.
 */
export function check<TOptions extends object>(
  context: { readonly isComplete?: boolean | undefined },
  options: TOptions,
  rules: (own: TOptions) => Rules<TOptions>,
  also?: (own: TOptions) => ConfigurationError | undefined,
): Result<TOptions, ConfigurationError> {
  const invalid = checkContext(context);
  return invalid ? err(invalid) : checkOptions(options, rules, also);
}

/** Checks that a context is complete: a spread one has lost its secret, and a Result is not a context. */
export function checkContext(context: {
  readonly isComplete?: boolean | undefined;
}): ConfigurationError | undefined {
  return readable(() => context.isComplete) === true
    ? undefined
    : new ConfigurationError('context must be what its maker or withOptions returned, not a copy', 'context');
}

/** Like {@link check}, without a context. */
export function checkOptions<TOptions extends object>(
  options: TOptions,
  rules: (own: TOptions) => Rules<TOptions>,
  also?: (own: TOptions) => ConfigurationError | undefined,
): Result<TOptions, ConfigurationError> {
  const read: Record<string, unknown> = {};
  // The rules fill it in.
  const own = read as TOptions;
  const fault = keepFields(read, { ...rules(own), signal }, options);
  const invalid = fault === undefined ? also?.(own) : optionError(fault, /^\w+/);
  return invalid ? err(invalid) : ok(own);
}

/** Turns the fault that a rule found into an error. `name` matches the name of the option in the message. */
export function optionError(fault: string, name: RegExp): ConfigurationError {
  const message = fault.startsWith('.') ? fault.slice(1) : `options ${fault}`;
  return new ConfigurationError(message, name.exec(message)?.[0] ?? 'options');
}

/**
 * The rule for an object with a rule for each field; fields without one are left out. `also` checks combinations of
 * fields.
 */
export function fields(
  rules: Readonly<Record<string, Rule>>,
  also?: (use: Readonly<Record<string, unknown>>) => string | undefined,
): (value: unknown) => string | { readonly use: object } {
  return (value) => {
    const use: Record<string, unknown> = {};
    return keepFields(use, rules, value) ?? also?.(use) ?? { use };
  };
}

/** The rule for a list with one rule for all items. */
export function listOf(rule: Rule, least = 0, most = Infinity): Rule {
  const bounds = most < Infinity ? ` of ${least} to ${most}` : least > 0 ? ` of ${least} or more` : '';
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      return `must be a list${bounds}`;
    const use: unknown[] = [];
    const { length } = value;
    // By its index, since each item may be read only once.
    for (let at = 0; at < length; at++) {
      const fault = keep(use, at, rule, value);
      if (fault !== undefined) return fault;
    }
    return { use };
  };
}

/** Copies the fields that have a rule to `own`, or says what is wrong with one. */
function keepFields(
  own: Record<string, unknown>,
  rules: Readonly<Record<string, Rule>>,
  from: unknown,
): string | undefined {
  return readable(() => {
    if (typeof from !== 'object' || from === null || Array.isArray(from)) return 'must be an object';
    const given = fieldsOf(from);
    for (const [name, rule] of Object.entries(rules)) {
      const fault = keep(own, name, rule, given);
      if (fault !== undefined) return fault;
    }
    return undefined;
  });
}

/** Copies what has this name to `own`, or says what is wrong with it. Every call comes through here. */
function keep<TName extends string | number>(
  own: Record<TName, unknown>,
  name: TName,
  rule: Rule,
  from: Readonly<Record<TName, unknown>>,
): string | undefined {
  let use: unknown;
  const verdict = readable(() => {
    use = from[name];
    return rule(use);
  });
  if (typeof verdict === 'string') {
    const path = typeof name === 'string' ? `.${name}` : `[${name}]`;
    return /^[.[]/.test(verdict) ? path + verdict : `${path} ${verdict}`;
  }
  if (verdict) ({ use } = verdict);
  if (use !== undefined) own[name] = use;
  return undefined;
}

/** What `read` returns. A value that throws when it is read, such as a revoked proxy, is refused instead. */
export function readable<T>(read: () => T): T | 'cannot be read' {
  try {
    return read();
  } catch {
    return 'cannot be read';
  }
}

/** Exactly one of these options must be given. The error names the first one. */
export function exactlyOneOf<TOptions extends object>(
  options: TOptions,
  ...names: readonly [keyof TOptions & string, ...(readonly (keyof TOptions & string)[])]
): ConfigurationError | undefined {
  return given(options, names) === 1
    ? undefined
    : new ConfigurationError(
        `give exactly one of ${names.join(', ').replace(/, (?!.*,)/, ' and ')}`,
        names[0],
      );
}

/** At least one of these options must be given. The error names the first one. */
export function atLeastOneOf<TOptions extends object>(
  options: TOptions,
  ...names: readonly [keyof TOptions & string, ...(readonly (keyof TOptions & string)[])]
): ConfigurationError | undefined {
  return given(options, names) > 0
    ? undefined
    : new ConfigurationError(`give at least one of ${names.join(', ')}`, names[0]);
}

/** How many of the options are given. */
function given<TOptions extends object>(options: TOptions, names: readonly (keyof TOptions)[]): number {
  return names.filter((name) => options[name] !== undefined).length;
}

/** Any string, even an empty one. */
export const string: Test = (value) => (typeof value === 'string' ? undefined : 'must be a string');

/** Text that is not blank. */
export const text: Test = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'must be a non-empty string';

/** An id that can stand in a path. Percent-encoding does not protect a path from `.` and `..`. */
export const id: Test = (value) =>
  text(value) ?? (/^\.\.?$|[\uD800-\uDFFF]/u.test(String(value)) ? 'must be an id' : undefined);

/** A token, or another secret: no spaces, no line breaks. The message never repeats it. */
export const token: Test = (value) =>
  text(value) ?? (/[^\x21-\x7e]/.test(String(value)) ? 'must be visible ASCII' : undefined);

/** How many entries to return. */
export const count: Test = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? undefined : 'must be a whole number from 1 on';

/** An absolute web address. */
export const url: Test = (value) =>
  text(value) ?? (isAddress(value, /^https?:\/\//i) ? undefined : 'must be a web address');

export const flag: Test = (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean');

/** A function of the caller's. */
export const hook: Test = (value) => (typeof value === 'function' ? undefined : 'must be a function');

/** Milliseconds to wait, `Infinity` included. */
export const duration: Test = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be milliseconds, from 0 on';

/** How many entries to return, without an upper limit: `Infinity` means all. */
export const countOrAll: Test = (value) => (value === Infinity ? undefined : count(value));

/** A list of names, such as fields or scopes. */
export const names = listOf(text, 1);

/** Names of the fields to return in a response. Tokens are refused, so that the response can be logged and stored. */
export const fieldNames = listOf(
  (name) =>
    text(name) ?? (/token/i.test(String(name)) ? 'must not name a token: pages returns them' : undefined),
  1,
);

/** An object that is sent as JSON, with all its fields. */
export const jsonObject = copyOfJson(fields({}));

/** The rule for an object that is sent as JSON, with rules for some of its fields. */
export function copyOfJson(rule: Rule): Rule {
  return (value) => {
    const use: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
    const verdict = rule(use);
    return typeof verdict === 'string' ? verdict : { use };
  };
}

/** A number within bounds. */
export function between(least: number, most: number): Test {
  const bounds = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  return that((value) => typeof value === 'number' && value >= least && value <= most, bounds);
}

/** One of these values. */
export function oneOf(...values: readonly unknown[]): Test {
  return that((value) => values.includes(value), `one of ${values.join(', ')}`);
}

/** Turns a predicate into a rule. */
export function that(isKept: (value: unknown) => boolean, rule: string): Test {
  return (value) => (isKept(value) ? undefined : `must be ${rule}`);
}

/** The same rule for an optional value. */
export function optional<TVerdict>(
  rule: (value: unknown) => TVerdict,
): (value: unknown) => TVerdict | undefined {
  return (value) => (value === undefined ? undefined : rule(value));
}

// Not `instanceof`: a signal can come from another realm.
const signal = optional(
  that((value) => {
    const { aborted, addEventListener, removeEventListener } = fieldsOf(value);
    return (
      typeof aborted === 'boolean' &&
      typeof addEventListener === 'function' &&
      typeof removeEventListener === 'function'
    );
  }, 'an AbortSignal'),
);

/** The fields of any value, of unknown types. `null` and `undefined` have none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

/** Whether a value is an absolute address with this `scheme`. */
export function isAddress(value: unknown, scheme: RegExp): boolean {
  return typeof value === 'string' && scheme.test(value) && URL.canParse(value);
}
