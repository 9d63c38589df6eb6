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
  return readOptions(options, rules, checkUnknown, given)
    .mapErr((fault) => {
      const [option = '', ...within] = fault.path;
      // What is missing may be there under the name that it has elsewhere.
      const isMissing = within.length === 0 && option in given && given[option] === undefined;
      const hint = isMissing && others.length > 0 ? ` (not an option: ${others.join(', ')})` : '';
      return toError({ ...fault, text: fault.text + hint });
    })
    .andThen((read) => checkAlso(read, also));
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
): Result<TOptions, ConfigurationError> {
  return readOptions(options, rules, rule.findMisspelling, {})
    .mapErr(toError)
    .andThen((read) => checkAlso(read, also));
}

function checkAlso<TOptions>(
  read: TOptions,
  also: ((options: TOptions) => ConfigurationError | undefined) | undefined,
): Result<TOptions, ConfigurationError> {
  const invalid = also?.(read);
  return invalid ? err(invalid) : ok(read);
}

/** Reads the options into `given`, and then each by its own rule: a schema of all would be made for each call. */
function readOptions<TOptions extends object>(
  options: TOptions,
  rulesOf: (given: TOptions) => Rules<TOptions>,
  checkUnknown: rule.CheckUnknown,
  given: Record<string, unknown>,
): Result<TOptions, rule.Fault> {
  // The options are read into it before a rule looks at them.
  const rules: Readonly<Record<string, rule.Rule>> = { ...rulesOf(given as TOptions), signal: rule.signal };
  const path: string[] = [];
  const text = rule.readable(() =>
    rule.readFields(options, rules, checkUnknown, given, (key) =>
      path.splice(0, 1, ...(key === undefined ? [] : [key])),
    ),
  );
  if (text !== undefined) return err({ path, text });
  const read: Record<string, unknown> = {};
  for (const name in rules) {
    const one = rules[name];
    const value = given[name];
    // What follows an optional rule in a pipe may refuse that it is left out.
    if (one === undefined || (value === undefined && one.type === 'optional' && !('pipe' in one))) continue;
    const parsed = parse(one, value);
    if (parsed.isErr()) return err({ ...parsed.error, path: [name, ...parsed.error.path] });
    if (parsed.value !== undefined) read[name] = parsed.value;
  }
  // The rules have the names of the type.
  return ok(read as TOptions);
}

/** A value as a rule reads it, or its first fault. */
function parse(schema: rule.Rule, value: unknown): Result<unknown, rule.Fault> {
  const read = rule.readable(() => v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true }));
  if (typeof read === 'string') return err({ path: [], text: read });
  return read.success ? ok(read.output) : err(rule.toFault(read.issues[0]));
}

/** The options as a rule reads them. The error names the first fault by its path. */
export function parseOptions<TOptions extends object>(
  schema: rule.Rule,
  options: unknown,
): Result<TOptions, ConfigurationError> {
  // The rules have the names of the type.
  return parse(schema, options).mapErr(toError) as Result<TOptions, ConfigurationError>;
}

const faults = new WeakMap<ConfigurationError, rule.Fault>();

/** The error of a fault. */
function toError(fault: rule.Fault): ConfigurationError {
  const option = rule.nameOf(fault.path) || 'options';
  const error = new ConfigurationError(`${option} ${fault.text}`, option);
  faults.set(error, fault);
  return error;
}

/** The fault that an error was made of, if it was. */
export function faultOf(error: ConfigurationError): rule.Fault | undefined {
  return faults.get(error);
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
