import { ConfigurationError } from './errors.ts';

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
    return new ConfigurationError('the options must be an object', 'options');
  }
  for (const [option, rule] of Object.entries({ ...rules, signal }) as [string, Rule][]) {
    const fault = faultOf(rule, options, option);
    if (fault !== undefined) return new ConfigurationError(`${option} ${fault}`, option);
  }
  return undefined;
}

/** What is wrong with an option. One that cannot even be looked into is wrong. */
function faultOf(rule: Rule, options: object, option: string): string | undefined {
  try {
    return rule((options as Record<string, unknown>)[option]);
  } catch {
    return 'cannot be read';
  }
}

/** Text that is not blank. */
export const text: Rule = (value) => {
  if (typeof value !== 'string') return 'must be a string';
  return value.trim() === '' ? 'must not be empty' : undefined;
};

/** An id that can stand in a path. Percent-encoding does not protect a path from `.` and `..`. */
export const id: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined) return fault;
  if (value === '.' || value === '..') return 'must be an id';
  return /[\uD800-\uDFFF]/u.test(value as string) ? 'must be well-formed text' : undefined;
};

/** A token, or another secret. It is never repeated in the message. */
export const token: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined) return fault;
  return /[^\x21-\x7e]/.test(value as string)
    ? 'must not hold spaces, line ends or other than ASCII'
    : undefined;
};

/** How many entries to return. */
export const count: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be a whole number from 1 on';

/** An absolute web address. */
export const url: Rule = (value) =>
  text(value) ?? (isAddress(value, /^https?:$/) ? undefined : 'must be an http or https address');

export const flag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');

/** A list of names, such as fields or scopes. */
export const names: Rule = (value) =>
  Array.isArray(value) && value.length > 0 && Array.from(value).every((name) => text(name) === undefined)
    ? undefined
    : 'must be a list of names';

/** The same rule for an option that may be left out. */
export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

const signal: Rule = (value) => {
  if (value === undefined) return undefined;
  // Not by `instanceof`: a signal can be of another realm.
  const { aborted, addEventListener, removeEventListener } = (value ?? {}) as Partial<AbortSignal>;
  const isSignal =
    typeof aborted === 'boolean' &&
    typeof addEventListener === 'function' &&
    typeof removeEventListener === 'function';
  return isSignal ? undefined : 'must be an AbortSignal';
};

/** Whether a value is an absolute address of one of the given protocols. */
export function isAddress(value: unknown, protocol: RegExp): boolean {
  try {
    return protocol.test(new URL(value as string).protocol);
  } catch {
    return false;
  }
}
