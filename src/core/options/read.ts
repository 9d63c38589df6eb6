import * as v from 'valibot';

import { fieldsOf, isRecord } from '../objects.ts';
import { type RefuseUnknown, refuseUnknown } from './unknown.ts';

/**
 * The schema of an option. Its messages say what is wrong with a value, in words that can follow the name of the option,
 * and never quote the value. What the caller can change is copied.
 */
export type Rule<TOutput = unknown> = v.GenericSchema<unknown, TOutput> & {
  readonly is?: OptionKind | undefined;
};

/**
 * What an option is, if it is not content that counts as it is: `how` to call, such as a token, a wait or a callback; a
 * `file` or its path; the `address` of a medium, whose query may change; a `time`, of which whole seconds count; or
 * refused here, since it belongs `elsewhere`.
 */
export type OptionKind = 'how' | 'file' | 'address' | 'time' | 'elsewhere';

type Rules = Readonly<Record<string, Rule>>;

const rulesOfCopies = new WeakMap<object, Rules>();

/** The rules by which an object was read, of which this is the copy. Where nothing was read, there are none. */
export function rulesOf(copy: object): Rules {
  return rulesOfCopies.get(copy) ?? {};
}

/** What is wrong with options. The message is made of it last. */
export interface Fault {
  /** From the outside in. */
  readonly path: readonly (string | number)[];
  /** In words that can follow a name. */
  readonly text: string;
}

/** What was read of a value: a copy, if nothing is wrong with it. */
export type Read<TCopy> = { readonly copy: TCopy } | Fault;

/** That a value, or the part of it at a path, is not what it must be. */
export function faultOf(text: string, ...path: Fault['path']): Fault {
  return { path, text };
}

/** Whether a text has no half of a character, as one that was cut within an emoji: people would read U+FFFD. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDFFF]/u.test(text);
}

export const notWellFormed = 'must be well-formed: it has half of a surrogate pair';

/** The text of such a fault, which {@link readable} returns in place of a value. */
const unreadable = 'cannot be read';

/**
 * Reads an object by a rule for each field. The fields are read once, in the order of the rules, and then checked, so
 * that the first fault decides; `null` counts as not given, but where the rule is `v.nullable`. `refuse` says what is
 * wrong with any other member, inherited ones too, whatever its value, `undefined` excepted.
 */
export function readObject(
  from: unknown,
  rules: Rules,
  refuse: RefuseUnknown = refuseUnknown,
): Read<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  const copy: Record<string, unknown> = {};
  let at: string | undefined;
  try {
    if (!isRecord(from)) return faultOf('must be an object');
    // Own names: a library may have added members to all objects.
    const names = Object.keys(rules);
    for (at of names) {
      const value = touched(from[at]);
      if (value !== undefined && (value !== null || rules[at]?.type === 'nullable')) given[at] = value;
    }
    at = undefined;
    for (at in from) {
      if (names.includes(at)) continue;
      const value = givenBeside(from, at);
      if (value === undefined) continue;
      const known = names.filter((name) => rules[name]?.is !== 'elsewhere');
      const text = refuse(at, known, given);
      if (text !== undefined) return faultOf(text, at);
      copy[at] = value;
    }
    for (at of names) {
      const value = given[at];
      // It is a name of the rules.
      const rule = rules[at] as Rule;
      // What follows an optional rule in a pipe may refuse that it is left out.
      if (value === undefined && rule.type === 'optional' && !('pipe' in rule)) continue;
      const read = readPart(at, () => parse(rule, value));
      if ('text' in read) return read;
      if (read.copy !== undefined) copy[at] = read.copy;
    }
    rulesOfCopies.set(copy, rules);
    return { copy };
  } catch {
    return faultOf(unreadable, ...(at === undefined ? [] : [at]));
  }
}

/**
 * What is given by a name that has no rule; `undefined` if nothing is. A getter, which is not called, counts as given, and
 * so does what is inherited, but for what every object inherits.
 */
function givenBeside(from: object, name: string): unknown {
  const own = Object.getOwnPropertyDescriptor(from, name);
  return own ? (own.get ? name : own.value) : name in {} ? undefined : name;
}

/** Reads a list by a rule for its items, each of which is read once. */
export function readList<TItem>(from: readonly unknown[], rule: Rule<TItem>): Read<readonly TItem[]> {
  const copy: TItem[] = [];
  for (let at = 0; at < from.length; at++) {
    const read = readPart(at, () => parse(rule, touched(from[at])));
    if ('text' in read) return read;
    copy.push(read.copy);
  }
  return { copy };
}

/** What is read of a part of a value, with its place in the path of a fault. What throws when it is read is refused. */
export function readPart<TCopy>(key: string | number, read: () => Read<TCopy>): Read<TCopy> {
  const part = readOrFault(read);
  return 'copy' in part ? part : { ...part, path: [key, ...part.path] };
}

/** What `read` returns, a text as the fault that it tells. What throws when it is read is refused. */
export function readOrFault<TCopy>(read: () => Read<TCopy> | string): Read<TCopy> {
  const made = readable(read);
  return typeof made === 'string' ? faultOf(made) : made;
}

/** Returns the value, or throws if it cannot be used, such as a revoked proxy. */
function touched(value: unknown): unknown {
  if (typeof value === 'object' || typeof value === 'function') Object.getPrototypeOf(fieldsOf(value));
  return value;
}

const firstFault = { abortEarly: true, abortPipeEarly: true };

/** A value as its rule reads it. */
export function parse<TOutput>(rule: Rule<TOutput>, value: unknown): Read<TOutput> {
  const { success, output, issues } = v.safeParse(rule, value, firstFault);
  if (success) return { copy: output };
  const [{ path = [], message }] = issues;
  const keys = path.map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return { path: keys, text: message };
}

/** Shared, since to make a schema takes time at each start. */
const anything = v.unknown();

/** The rule of a function that copies or converts a value, or says what is wrong with it, or with a part of it. */
export function copying<TCopy>(
  copy: (value: unknown) => { readonly copy: TCopy } | string | Fault,
): Rule<TCopy> {
  return v.pipe(anything, reading(copy));
}

/** What a function makes of a value, as a step of a rule. What throws when it is read is refused. */
export function reading<TInput, TCopy>(copy: (value: TInput) => { readonly copy: TCopy } | string | Fault) {
  return v.rawTransform<TInput, TCopy>(({ dataset: { value }, addIssue, NEVER }) => {
    const read = readOrFault(() => copy(value));
    if ('copy' in read) return read.copy;
    const { path, text } = read;
    const [first, ...rest] = path.map((key): v.UnknownPathItem => ({
      type: 'unknown',
      origin: 'value',
      input: undefined,
      key,
      value: undefined,
    }));
    addIssue({ message: text, path: first && [first, ...rest] });
    return NEVER;
  });
}

/** What `read` returns. A value that throws when it is read is refused instead. */
export function readable<T>(read: () => T): T | typeof unreadable {
  try {
    return read();
  } catch {
    return unreadable;
  }
}
