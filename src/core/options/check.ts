import { ConfigurationError } from '../errors.ts';

/** Says what is wrong with a value, as the end of a sentence that its option's name begins. */
export type Rule = (value: unknown) => string | undefined;

/** A rule for each option. An option without one needs no check. */
export type Rules<TOptions> = { readonly [TName in keyof TOptions]?: Rule };

/**
 * Checks the options of a call before anything is sent. TypeScript checks their types as well, but not
 * every caller has it, and an empty id is a string.
 */
export function check<TOptions extends object>(
  options: TOptions,
  rules: Rules<TOptions>,
): ConfigurationError | undefined {
  if (typeof options !== 'object' || options === null) {
    return new ConfigurationError('options must be an object', 'options');
  }
  for (const [option, rule] of Object.entries({ ...rules, signal }) as [string, Rule][]) {
    let fault: string | undefined = 'cannot be read';
    try {
      fault = rule((options as Record<string, unknown>)[option]);
    } catch {
      // An option that cannot even be looked into is wrong.
    }
    if (fault) return new ConfigurationError(`${option} ${fault}`, option);
  }
  return undefined;
}

/** Of some options, a call needs one and no more. The error names the first. */
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

/** Of some options, a call needs one or more. The error names the first. */
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

/** Text that is not blank. */
export const text: Rule = (value) =>
  typeof value === 'string' && value.trim() !== '' ? undefined : 'must be a non-empty string';

/** An id that can stand in a path. Percent-encoding does not protect a path from `.` and `..`. */
export const id: Rule = (value) =>
  text(value) ?? (/^\.\.?$|[\uD800-\uDFFF]/u.test(value as string) ? 'must be an id' : undefined);

/** A token, or another secret: no spaces, no line ends. It is never repeated in the message. */
export const token: Rule = (value) =>
  text(value) ?? (/[^\x21-\x7e]/.test(value as string) ? 'must be visible ASCII' : undefined);

/** How many entries to return. */
export const count: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be a whole number from 1 on';

/** An absolute web address. */
export const url: Rule = (value) =>
  text(value) ?? (isAddress(value, /^https?:\/\//i) ? undefined : 'must be a web address');

export const flag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean');

/** A function of the caller's. */
export const hook: Rule = (value) => (typeof value === 'function' ? undefined : 'must be a function');

/** How long to wait; Infinity is a duration too. */
export const duration: Rule = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be milliseconds, from 0 on';

/** A list of names, such as fields or scopes. */
export const names: Rule = (value) =>
  Array.isArray(value) && value.length > 0 && Array.from(value).every((name) => text(name) === undefined)
    ? undefined
    : 'must be a list of names';

/** An object that can be sent as JSON. */
export const jsonObject: Rule = (value) =>
  JSON.stringify(value)?.startsWith('{') ? undefined : 'must be an object';

/** A number within bounds. */
export function between(least: number, most: number): Rule {
  const bounds = most === Infinity ? `at least ${least}` : `from ${least} to ${most}`;
  return that((value) => typeof value === 'number' && value >= least && value <= most, bounds);
}

/** The rule that `isKept` tells. */
export function that(isKept: (value: unknown) => boolean, rule: string): Rule {
  return (value) => (isKept(value) ? undefined : `must be ${rule}`);
}

/** The same rule for an option that may be left out. */
export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

// Not by `instanceof`: a signal can be of another realm.
const signal = optional((value) => {
  const { aborted, addEventListener, removeEventListener } = Object(value) as Partial<AbortSignal>;
  const kinds = `${typeof aborted} ${typeof addEventListener} ${typeof removeEventListener}`;
  return kinds === 'boolean function function' ? undefined : 'must be an AbortSignal';
});

/** Whether a value is an absolute address that begins as `scheme` says. */
export function isAddress(value: unknown, scheme: RegExp): boolean {
  return typeof value === 'string' && scheme.test(value) && URL.canParse(value);
}
