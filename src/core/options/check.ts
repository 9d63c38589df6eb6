import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';
import { fieldsOf, isObject } from '../objects.ts';
import { tokenShape } from '../platform.ts';
import { type Fault, parse, readable, readObject, readOrFault, type Rule } from './read.ts';
import { signal } from './rules.ts';
import { type RefuseUnknown, refuseOfCall } from './unknown.ts';

/** What depends on several options, or on the context: what is wrong, if something is. */
export type Check<TOptions, TContext = unknown> = (
  options: TOptions,
  context: TContext,
) => ConfigurationError | Fault | undefined;

/** A rule for each option; `signal` already has one. */
export type Rules<TOptions> = { readonly [TName in Exclude<NameIn<TOptions>, 'signal'>]: Rule } & {
  readonly signal?: Rule;
};

/** Names of options in any of several types. A member that is always `undefined` is none. */
type NameIn<TOptions> = TOptions extends unknown
  ? { [TName in keyof TOptions]-?: [TOptions[TName]] extends [undefined] ? never : TName }[keyof TOptions]
  : never;

/**
 * Checks the context and the options of a call before anything is sent. TypeScript checks their types as well, but not
 * every caller has it, and an empty id is a string.
 *
 * It returns a copy, so that later changes by the caller have no effect. Each option is read once, in the order of the
 * rules; `null` counts as not given. `also` comes once each option is as its rule says; the first error counts.
 */
export function check<TOptions extends object, TContext extends Complete = Complete>(
  context: TContext,
  options: TOptions,
  rules: Rules<TOptions>,
  ...also: readonly Check<TOptions, TContext>[]
): Result<TOptions, ConfigurationError> {
  const invalid = checkContext(context);
  if (invalid) return err(invalid);
  const read = readOptions<TOptions>(options, { ...rules, signal: rules.signal ?? signal }, refuseOfCall);
  return read.mapErr(toError).andThen((read) => {
    for (const one of also) {
      const fault = one(read, context);
      if (fault) return err(fault instanceof ConfigurationError ? fault : toError(fault));
    }
    return ok(read);
  });
}

interface Complete {
  readonly isComplete?: boolean | undefined;
}

/** Checks that a context is complete: a spread one has lost its secret, and a Result is not a context. */
export function checkContext(context: Complete): ConfigurationError | undefined {
  if (readable(() => context.isComplete) === true) return undefined;
  const given = fieldsOf(context);
  const kind = readable(() =>
    'andThen' in given ? 'Result' : 'context' in given ? 'client: it has a context' : 'copy',
  );
  return new ConfigurationError(
    `context must come from createPageContext, createPicsContext or withOptions, not a ${kind}`,
    'context',
  );
}

/** Like {@link check}, for what has no context: `signal` needs a rule, too. */
export function checkOptions<TOptions extends object>(
  options: TOptions,
  rules: { readonly [TName in keyof TOptions]: Rule },
): Result<TOptions, ConfigurationError> {
  return readOptions<TOptions>(options, rules).mapErr(toError);
}

/** The error for options that are given to what has none. Only an object is options: `map` gives an index. */
export function anyOption(given: unknown): ConfigurationError | undefined {
  const checked = checkOptions(isObject(given) ? given : {}, {});
  return checked.isErr() ? checked.error : undefined;
}

/** The same, for those who say of a fault what only they know. */
export function readOptions<TOptions extends object>(
  options: TOptions,
  rules: Readonly<Record<string, Rule>>,
  refuse?: RefuseUnknown,
): Result<TOptions, Fault> {
  const read = readObject(options, rules, refuse);
  // The rules have the names of the type.
  return 'text' in read ? err(read) : ok(read.copy as TOptions);
}

/** The options of a call that nobody typed, such as a model's, as one rule for all of them reads them. */
export function parseOptions<TOptions extends object>(
  rule: Rule<TOptions>,
  options: unknown,
): Result<TOptions, ConfigurationError> {
  const read = readOrFault(() => parse(rule, options));
  return 'text' in read ? err(toError(read)) : ok(read.copy);
}

/** The error of a fault, with its path as it is written: `photos[0].photoUrl`. A token that was given as a name is masked. */
export function toError({ path: [first = 'options', ...rest], text }: Fault): ConfigurationError {
  const name = rest
    .reduce<string>((name, key) => name + (typeof key === 'number' ? `[${key}]` : `.${key}`), String(first))
    .replace(tokenShape, '[secret]');
  return new ConfigurationError(`${name} ${text}`, name);
}

/** Exactly one of these options must be given. The error names the first one. */
export function exactlyOneOf<TOptions>(...names: Names<TOptions>): Check<TOptions> {
  return (options) =>
    given(options, names) === 1
      ? undefined
      : new ConfigurationError(
          `give exactly one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
          names[0],
        );
}

/** At least one of these options must be given. The error names the first one. */
export function atLeastOneOf<TOptions>(...names: Names<TOptions>): Check<TOptions> {
  return (options) =>
    given(options, names) > 0
      ? undefined
      : new ConfigurationError(`give at least one of ${names.join(', ')}`, names[0]);
}

type Names<TOptions> = readonly [keyof TOptions & string, ...(readonly (keyof TOptions & string)[])];

/** How many of the options are given. */
function given<TOptions>(options: TOptions, names: Names<TOptions>): number {
  return names.filter((name) => options[name] !== undefined).length;
}
