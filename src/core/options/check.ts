import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';

import { ConfigurationError } from '../errors.ts';
import { fieldsOf } from '../objects.ts';
import * as rule from './rules.ts';

/** A rule for each option; `signal` already has one. */
export type Rules<TOptions> = { readonly [TName in Exclude<NameIn<TOptions>, 'signal'>]: rule.Rule };

type NameIn<TOptions> = TOptions extends unknown ? keyof TOptions : never;

/**
 * Checks the context and the options of a call before anything is sent. TypeScript checks their types as well, but not
 * every caller has it, and an empty id is a string.
 *
 * It returns a copy, so that later changes by the caller have no effect. Each option is read once, in the order of the
 * rules; `null` counts as not given. When a rule checks its option, it finds all of them in `given`, unchecked. `also`
 * checks combinations of options.
 */
export function check<TOptions extends object>(
  context: { readonly isComplete?: boolean | undefined },
  options: TOptions,
  rules: (given: TOptions) => Rules<TOptions>,
  also?: (options: TOptions) => ConfigurationError | undefined,
): Result<TOptions, ConfigurationError> {
  const invalid = checkContext(context);
  if (invalid) return err(invalid);
  const given: Record<string, unknown> = {};
  const others: string[] = [];
  const checkUnknown: rule.CheckUnknown = (name, missing, value, rules) => {
    // Something longer may be no name.
    if (value !== undefined && /^\w{1,20}$/.test(name)) others.push(name);
    return rule.findMisspelling(name, missing, value, rules);
  };
  return checkOptions(options, rules, also, checkUnknown, given).mapErr((error) => {
    const { message, option = '' } = error;
    // What is missing may be there under the name that it has elsewhere.
    return option in given && given[option] === undefined && others.length > 0
      ? new ConfigurationError(`${message} (not an option: ${others.join(', ')})`, option)
      : error;
  });
}

/** Checks that a context is complete: a spread one has lost its secret, and a Result is not a context. */
export function checkContext(context: {
  readonly isComplete?: boolean | undefined;
}): ConfigurationError | undefined {
  if (rule.readable(() => context.isComplete) === true) return undefined;
  const given = fieldsOf(context);
  const kind = rule.readable(() =>
    'andThen' in given ? 'Result' : 'context' in given ? 'client: it has a context' : 'copy',
  );
  return new ConfigurationError(
    `context must come from createPageContext, createPicsContext or withOptions, not a ${kind}`,
    'context',
  );
}

/** Like {@link check}, without a context. */
export function checkOptions<TOptions extends object>(
  options: TOptions,
  rules: (given: TOptions) => Rules<TOptions>,
  also?: (options: TOptions) => ConfigurationError | undefined,
  checkUnknown: rule.CheckUnknown = rule.findMisspelling,
  given: Record<string, unknown> = {},
): Result<TOptions, ConfigurationError> {
  // The options are read into it before a rule looks at them.
  const all: Readonly<Record<string, rule.Rule>> = { ...rules(given as TOptions), signal: rule.signal };
  return parseOptions<TOptions>(rule.object(all, checkUnknown, false, given), options).andThen((read) => {
    const invalid = also?.(read);
    return invalid ? err(invalid) : ok(read);
  });
}

/** The options as a rule reads them. The error names the first fault by its path. */
export function parseOptions<TOptions extends object>(
  schema: rule.Rule,
  options: unknown,
): Result<TOptions, ConfigurationError> {
  const read = rule.readable(() => v.safeParse(schema, options, { abortEarly: true, abortPipeEarly: true }));
  if (typeof read !== 'string' && read.success) {
    // The rules have the names of the type.
    return ok(read.output as TOptions);
  }
  const [place, fault] = typeof read === 'string' ? ['', read] : rule.placeAndFault(read.issues[0]);
  const option = place.slice(1) || 'options';
  return err(new ConfigurationError(`${option} ${fault}`, option));
}

/** Exactly one of these options must be given. The error names the first one. */
export function exactlyOneOf<TOptions extends object>(
  options: TOptions,
  ...names: readonly [keyof TOptions & string, ...(readonly (keyof TOptions & string)[])]
): ConfigurationError | undefined {
  const listed = names.join(', ').replace(/, (?!.*,)/, ' and ');
  return given(options, names) === 1
    ? undefined
    : new ConfigurationError(`give exactly one of ${listed}`, names[0]);
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
