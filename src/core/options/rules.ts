// What options may be: a rule for each. A function reads its options by `check` (`check.ts`): it reads objects and lists
// (`read.ts`), refuses what has no rule (`unknown.ts`), and makes the error last. The files `days.ts`, `fileSource.ts`,
// `time.ts` and `clock.ts` have the rules for one kind of value each, and what is done with it.
import * as v from 'valibot';

import { fieldsOf } from '../objects.ts';
import { isSignal } from './clock.ts';
import { readJson } from './json.ts';
import * as read from './read.ts';
import type { Fault, Rule } from './read.ts';
import { refuseMisspelt } from './unknown.ts';

export { copying, type Fault, faultOf, isWellFormed, notWellFormed, type Rule } from './read.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The rule for an object with a rule for each field. Other fields are refused. `also` checks combinations of fields. */
export function fields(
  rules: Readonly<Record<string, Rule>>,
  also?: (fields: Fields) => string | Fault | undefined,
): Rule<Fields> {
  const rule = read.copying((value) => read.readObject(value, rules));
  return also ? refine(rule, also) : rule;
}

/** The same for an object that {@link copyOfJson} has copied, whose fields are the platform's: it keeps its other fields. */
export function openFields(rules: Readonly<Record<string, Rule>>): Rule<Fields> {
  return read.copying((value) => read.readObject(value, rules, refuseMisspelt));
}

/** The rule of an option that is of this kind. */
export function as<TOutput>(is: read.OptionKind | undefined, rule: Rule<TOutput>): Rule<TOutput> {
  return { ...rule, is };
}

/** The rule for a list with one rule for all items. */
export function listOf<TItem>(rule: Rule<TItem>, least = 0, most = Infinity): Rule<readonly TItem[]> {
  const bounds = most < Infinity ? ` of ${least} to ${most}` : least > 0 ? ` of ${least} or more` : '';
  const list = read.copying((value) =>
    Array.isArray(value) && value.length >= least && value.length <= most
      ? read.readList(value, rule)
      : `must be a list${bounds}`,
  );
  return as(rule.is, list);
}

/** The rule with another check, which says what is wrong with a value that the rule has read, or with a part of it. */
export function refine<TOutput>(
  rule: Rule<TOutput>,
  faultIn: (value: TOutput) => string | Fault | undefined,
): Rule<TOutput> {
  return v.pipe(
    rule,
    read.reading((value: TOutput) => faultIn(value) ?? { copy: value }),
  );
}

/** The rule that a value satisfies a predicate. `what` says in the message what the value must be. */
export function satisfies<TOutput = unknown>(
  isGood: (value: unknown) => boolean,
  what: string,
): Rule<TOutput> {
  // The caller's predicate ensures the type.
  return read.copying((value) => (isGood(value) ? { copy: value as TOutput } : `must be ${what}`));
}

/** Any value, or none. */
export const any: Rule = v.optional(v.unknown());

/** Any string, even an empty one. */
export const string: Rule<string> = refine(v.string('must be a string'), (value) =>
  read.isWellFormed(value) ? undefined : read.notWellFormed,
);

/** Text that is not blank. */
export const text: Rule<string> = refine(v.string('must be a non-empty string'), (value) =>
  value.trim() === ''
    ? 'must be a non-empty string'
    : read.isWellFormed(value)
      ? undefined
      : read.notWellFormed,
);

/** An id that can stand in a path. Percent-encoding does not protect a path from `.` and `..`. */
export const id: Rule<string> = refine(text, (value) =>
  /^\.\.?$/.test(value) ? 'must be an id' : undefined,
);

/** The id or the secret of an app. One that was read from a file often has a line break, and nothing says why it fails. */
export const credentialOrNone: Rule<string> = refine(string, faultInCredential);

/** The same, not empty. */
export const credential: Rule<string> = refine(text, faultInCredential);

function faultInCredential(value: string): string | undefined {
  return value === value.trim() ? undefined : 'must not begin or end with a blank or a line break';
}

/** A username, without its `@` and the blanks around it. */
export const username: Rule<string> = v.pipe(
  text,
  read.reading((value: string) => {
    const copy = value.trim().replace(/^@/, '');
    return /^[\w.]+$/.test(copy) ? { copy } : 'must be a username: letters, digits, dots and underscores';
  }),
);

/** A token, or another secret: no spaces, no line breaks. The message never repeats it. */
export const token: Rule<string> = as(
  'how',
  refine(text, (value) => (/[^\x21-\x7e]/.test(value) ? 'must be visible ASCII without spaces' : undefined)),
);

/** How many entries to return. */
export const count: Rule<number> = wholeBetween(1);

/** A position in a list. */
export const index: Rule<number> = wholeBetween(0);

/** A whole number of which JavaScript keeps all digits. `otherwise` says what else the value may be. */
export function wholeBetween(least: number, most = Infinity, otherwise = ''): Rule<number> {
  return satisfies(
    (value) => isWhole(value, least, most),
    `a whole number ${boundsOf(least, most)}${otherwise}`,
  );
}

/** A control character. Not `\p{Cc}`, for which engines load tables of Unicode at each start. */
export const control = /[^ -~\u00a0-\uffff]/;

/** Scheme, host with port, and the rest of an address. */
const addressParts = /^(https?:\/\/)([^/?#]+?)(:\d*)?([/?#].*)?$/is;

/** What is wrong with an address that all parsers should read alike; some take a backslash for a slash. */
function faultInAddress(value: string): string | undefined {
  if (!read.isWellFormed(value)) return read.notWellFormed;
  const [, , host = ''] = addressParts.exec(value) ?? [];
  if (!/^https?:/i.test(value) || !URL.canParse(value) || host === '') return 'must be a web address';
  return /[\s\\]/.test(value) || control.test(value) || host.includes('@')
    ? 'must be a web address without blanks, backslashes, user name and password'
    : undefined;
}

/** An address with what is not ASCII encoded, as the platform demands; all else stays as it is, since it may be signed. */
function encodeAddress(value: string): string {
  return value.replace(addressParts, (_, scheme: string, host: string, port = '', rest = '') => {
    const name = /[^\x21-\x7e]/.test(host) ? new URL(scheme + host).hostname : host;
    return scheme + name + port + rest.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  });
}

/** An absolute web address. It is sent letter by letter, but for what is not ASCII. */
export const url: Rule<string> = v.pipe(refine(text, faultInAddress), v.transform(encodeAddress));

/** The address of a medium, which the platform fetches. */
export const mediaUrl: Rule<string> = as('address', url);

/** An address that the platform compares with another by its letters: it has no other form than the one given. */
export const exactUrl: Rule<string> = refine(refine(text, faultInAddress), (value) => {
  const encoded = encodeAddress(value);
  return encoded === value ? undefined : `must be ASCII, as it is registered: ${encoded}`;
});

/** The address of a medium that the platform fetches by https only. `what` is said of what is no address. */
export function httpsMediaUrl(what: string): Rule<string> {
  const checked = refine(
    satisfies<string>((value) => typeof value === 'string', what),
    (value) => {
      if (/^http:/i.test(value)) return 'must begin with https:';
      return /^https:/i.test(value) && URL.canParse(value) ? faultInAddress(value) : `must be ${what}`;
    },
  );
  return as('address', v.pipe(checked, v.transform(encodeAddress)));
}

export const flag: Rule<boolean> = satisfies((value) => typeof value === 'boolean', 'a boolean');

/** A function of the caller's. */
export const hook: Rule = as(
  'how',
  satisfies((value) => typeof value === 'function', 'a function'),
);

/** A clock of the caller's. */
export const clock: Rule = satisfies((value) => {
  const { now, sleep, monotonic = now } = fieldsOf(value);
  return [now, sleep, monotonic].every((one) => typeof one === 'function');
}, 'a clock');

/** Milliseconds to wait, `Infinity` included. */
export const duration: Rule<number> = as('how', between(0, Infinity));

/** How many entries to return, without an upper limit: `Infinity` means all. */
export const countOrAll: Rule<number> = satisfies(
  (value) => value === Infinity || isWhole(value, 1, Infinity),
  `a whole number ${boundsOf(1, Infinity)}`,
);

/** A list of names, such as fields or scopes. */
export const names = listOf(text, 1);

/** Names of the fields to return in a response. Tokens are refused, so that the response can be logged and stored. */
export const fieldNames = listOf(
  refine(text, (name) =>
    /token/i.test(name) ? 'must not name a token: the function pages returns tokens' : undefined,
  ),
  1,
);

/** The rule for an object that is sent as JSON. It is sent with all its fields where these have {@link openFields}. */
export function copyOfJson(rule: Rule): Rule {
  return v.pipe(
    read.copying((value) => readJson(value)),
    rule,
  );
}

/** A number within bounds. */
export function between(least: number, most: number): Rule<number> {
  return satisfies((value) => isBetween(value, least, most), `a number ${boundsOf(least, most)}`);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && isBetween(value, least, most);
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function boundsOf(least: number, most: number): string {
  return most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
}

/** One of these values. */
export function oneOf<const TValues extends readonly (string | number)[]>(
  ...values: TValues
): Rule<TValues[number]> {
  return satisfies((value) => values.some((one) => one === value), `one of ${values.join(', ')}`);
}

const optionals = new WeakMap<Rule, Rule>();

/** The same rule for an optional value, made once for each rule. */
export function optional<TOutput>(rule: Rule<TOutput>): Rule<TOutput | undefined> {
  const made = optionals.get(rule) ?? as(rule.is, v.optional(rule));
  optionals.set(rule, made);
  // It was made of this rule.
  return made as Rule<TOutput | undefined>;
}

/** The rule for an option of another mode, or another kind of content: `undefined` and `false` are accepted. */
export function onlyFor(home: string): Rule<undefined> {
  return refusing(false, `is for ${home} only`);
}

/** The rule for `published` of what cannot be kept unpublished. */
export const published = refusing(true, 'must be left out, or true: it is published at once');

/** The rule for an option without effect, which may have one value. */
function refusing(accepted: boolean, text: string): Rule<undefined> {
  const rule = read.copying((value) => (value === accepted ? { copy: undefined } : text));
  return as('elsewhere', v.optional(rule));
}

/** Rules that refuse these options because they belong to something else. */
export function refuseOptions<TName extends string>(
  options: Readonly<Record<TName, unknown>>,
  home: string,
): Record<TName, Rule> {
  // `fromEntries` loses the names.
  return Object.fromEntries(Object.keys(options).map((name) => [name, onlyFor(home)])) as Record<TName, Rule>;
}

// Not `instanceof`: a signal can come from another realm.
export const signal = optional(as('how', satisfies(isSignal, 'an AbortSignal that can be listened to')));

/** The rule for it where nothing is sent that it could end. */
export const noSignal = onlyFor('calls that are sent');

/** Whether a value is an absolute web address without credentials, which would be sent, and quoted by failures. */
export function isAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username + password === '';
}
