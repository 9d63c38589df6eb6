import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError } from '../core/errors.ts';
import { nextCallId } from '../core/http/callId.ts';
import { isSignal } from '../core/options/clock.ts';
import { refuseUnknown } from '../core/options/unknown.ts';
import { copyOf } from './made.ts';
import type { MendOptions } from './mend.ts';
import { type MediaFailure, mediaKinds } from './types.ts';

/** Whether a value is right, what it must be, and whether there must be one. */
type Rule = readonly [isRight: (value: unknown) => boolean, words: string, isNeeded?: true];
type Rules = Readonly<Record<string, Rule>>;
/** Says what is wrong with a name that is no option. */
type Refuse = (name: string, known: readonly string[]) => string;

function wholeNumber(least: number, most: number): Rule {
  const isRight = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return [isRight, `be a whole number from ${least} to ${most}`];
}

const kinds: readonly unknown[] = mediaKinds;
const kind: Rule = [(value) => kinds.includes(value), `be one of ${mediaKinds.join(', ')}`, true];
const signal: Rule = [(value) => value instanceof AbortSignal && isSignal(value), 'be an AbortSignal'];
const flag: Rule = [(value) => typeof value === 'boolean', 'be a boolean'];
const fetchFunction: Rule = [(value) => typeof value === 'function', 'be a function'];

/** The rules of `inspectMedia`, `checkMedia` and `checkMediaUrl`. */
export const inspectRules = { signal, maxBytes: wholeNumber(65_536, 67_108_864) };
export const checkRules = { kind, ...inspectRules };
export const addressRules = { kind, fetch: fetchFunction, signal, deadlineMs: wholeNumber(1, 600_000) };

/**
 * Reads options once, and checks them: by hand, since rules of valibot would be a third of a bundle that checks pictures.
 * As everywhere, what is no option is refused, and `null` for one counts as not given.
 */
function readMediaOptions<TOptions extends object>(
  options: TOptions | undefined,
  rules: Rules,
  refuse: Refuse,
): Result<TOptions, ConfigurationError> {
  const fault = (option: string, words: string): Result<never, ConfigurationError> =>
    err(new ConfigurationError(`${option} ${words}`, option));
  const given = copyOf(options ?? {});
  if (given === undefined) return fault('options', 'must be an object');
  for (const name in given) {
    if (Object.hasOwn(rules, name)) given[name] ??= undefined;
    else if (given[name] !== undefined) return fault(name, refuse(name, Object.keys(rules)));
  }
  for (const [name, [isRight, words, isNeeded]] of Object.entries(rules)) {
    const value = given[name];
    if (value === undefined ? isNeeded : !isRight(value)) return fault(name, `must ${words}`);
  }
  // The rules have the names of the type.
  return ok(given as TOptions);
}

/** The options of `mend`, which throws. */
export function checkMendOptions(options: MendOptions): MendOptions {
  const read = readMediaOptions(options, { changes: flag }, refuseUnknown);
  if (read.isErr()) throw read.error;
  return read.value;
}

/**
 * A call of a function of this entry: what it is given is read once, and its failure says which call it ended, if one
 * began.
 */
export function mediaCall<TOptions extends object, TGiven, TValue>(
  operation: string,
  options: TOptions | undefined,
  rules: Rules,
  readGiven: () => Result<TGiven, ConfigurationError>,
  run: (given: TGiven, options: TOptions) => ResultAsync<TValue, MediaFailure>,
  refuse: Refuse,
): ResultAsync<TValue, MediaFailure> {
  const read = readMediaOptions(options, rules, refuse).andThen((checked) =>
    readGiven().map((given) => [given, checked] as const),
  );
  const of = { operation, ...(read.isOk() && { callId: nextCallId() }) };
  // Each failure is made for its call, so it may be changed.
  return read
    .asyncAndThen(([given, checked]) => run(given, checked))
    .mapErr((failure) => Object.assign(failure, of));
}
