import * as v from 'valibot';

import { fieldsOf, isObject, withoutGaps } from '../objects.ts';

/**
 * The schema of an option. Its messages say what is wrong with a value, in words that can follow the name of the option,
 * and never quote the value. What the caller can change is copied.
 */
export type Rule<TOutput = unknown> = v.GenericSchema<unknown, TOutput>;

/** What is wrong: where, from the outside in, and in words that can follow a name. The message is made of it last. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The fault that an issue of valibot tells. */
export function toFault({ path, message }: v.BaseIssue<unknown>): Fault {
  const keys = (path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return { path: keys, text: message };
}

/** A path as it is written: `photos[0].photoUrl`. */
export function nameOf([first = '', ...rest]: Fault['path']): string {
  return rest.reduce<string>(
    (name, key) => name + (typeof key === 'number' ? `[${key}]` : `.${key}`),
    String(first),
  );
}

/** The rule for an object with a rule for each field. `also` checks combinations of fields. */
export function fields(
  rules: Readonly<Record<string, Rule>>,
  also?: (fields: Readonly<Record<string, unknown>>) => string | Fault | undefined,
): Rule {
  const rule = object(rules, findMisspelling);
  return also ? refine(rule, (value) => also(fieldsOf(value))) : rule;
}

/** The same for an object that {@link copyOfJson} has copied: it keeps fields without a rule. */
export function openFields(rules: Readonly<Record<string, Rule>>): Rule {
  return object(rules, findMisspelling, true);
}

/** Says what is wrong with a field without a rule, if anything. `missing`: those with a rule that the object lacks. */
export type CheckUnknown = (
  name: string,
  missing: readonly string[],
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
) => string | undefined;

/**
 * The rule for an object: its fields are read once, in the order of the rules, and then checked. Fields
 * without a rule are left out unless `isOpen`, or refused if `checkUnknown` says what is wrong with them.
 */
export function object(
  rules: Readonly<Record<string, Rule>>,
  checkUnknown: CheckUnknown,
  isOpen = false,
): Rule {
  return v.pipe(
    v.unknown(),
    copied((from, at) => {
      const read = {};
      const fault = readFields(from, rules, checkUnknown, read, at, isOpen);
      return fault ?? { copy: read };
    }),
    // The copy has no other fields. Every bundle has this kind of object, for responses.
    v.looseObject(rules),
    v.transform(withoutGaps),
  );
}

/** Reads the fields of an object into `read`. Says what is wrong with it, or with the field that `at` was called with. */
export function readFields(
  from: unknown,
  rules: Readonly<Record<string, Rule>>,
  checkUnknown: CheckUnknown,
  read: Record<string, unknown>,
  at: (key?: string) => void,
  isOpen = false,
): string | undefined {
  if (!isObject(from)) return 'must be an object';
  const names = Object.keys(rules);
  for (const name of names) {
    at(name);
    const value = touched(from[name]);
    read[name] = rules[name]?.type === 'nullable' ? value : (value ?? undefined);
  }
  at();
  const others = Object.keys(from).filter((name) => !Object.hasOwn(rules, name));
  if (others.length === 0) return undefined;
  const missing = names.filter((name) => read[name] === undefined);
  for (const name of others) {
    at(name);
    // The getter of what is no option is not called: it counts as given.
    const field = Object.getOwnPropertyDescriptor(from, name) ?? {};
    const value: unknown = 'get' in field ? 'of a getter' : (field.value ?? undefined);
    const fault = checkUnknown(name, missing, value, rules);
    if (fault !== undefined) return fault;
    if (isOpen) read[name] = from[name];
  }
  return undefined;
}

/**
 * Copies a value before it is checked, or says what is wrong with it as a whole, or with the part that `at` was called
 * with last. What throws when it is read, such as a revoked proxy, is refused.
 */
function copied<TCopy>(
  copy: (value: unknown, at: (key?: string | number) => void) => { readonly copy: TCopy } | string | Fault,
) {
  return v.rawTransform<unknown, TCopy>(({ dataset: { value }, addIssue, NEVER }) => {
    let key: string | number | undefined;
    const made = readable(() => copy(value, (at) => (key = at)));
    if (typeof made !== 'string' && 'copy' in made) return made.copy;
    const at = key === undefined ? [] : [key];
    addIssue(toIssue(typeof made === 'string' ? { path: at, text: made } : made));
    return NEVER;
  });
}

/** A fault as valibot takes it. */
function toIssue({ path, text: message }: Fault) {
  const [first, ...rest] = path.map((key): v.UnknownPathItem => ({
    type: 'unknown',
    origin: 'value',
    input: undefined,
    key,
    value: undefined,
  }));
  const whole: [v.UnknownPathItem, ...v.UnknownPathItem[]] | undefined = first && [first, ...rest];
  return { message, path: whole };
}

/** Returns the value, or throws if it cannot be used, such as a revoked proxy. */
function touched(value: unknown): unknown {
  Object.getPrototypeOf(fieldsOf(value));
  return value;
}

/**
 * A copy of an object that has one of several kinds, for `v.lazy` to choose its rule by: each of the fields with these
 * names is read once, and no other one.
 */
export function readOnce(names: readonly string[]) {
  return copied((from, at) => {
    if (!isObject(from)) return 'must be an object';
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(from)) {
      at(name);
      const other = names.includes(name) ? undefined : Object.getOwnPropertyDescriptor(from, name);
      if (other) Object.defineProperty(copy, name, other);
    }
    for (const name of names) {
      at(name);
      const value = touched(from[name]);
      if (value !== undefined) copy[name] = value;
    }
    at();
    return { copy };
  });
}

/** The rule of a function that copies or converts a value, or says what is wrong with it. */
export function copying<TCopy>(
  copy: (value: unknown) => { readonly copy: TCopy } | string | Fault,
): Rule<TCopy> {
  return v.pipe(v.unknown(), copied(copy));
}

/** The rule for a list with one rule for all items. */
export function listOf<TItem>(rule: Rule<TItem>, least = 0, most = Infinity): Rule<readonly TItem[]> {
  const bounds = most < Infinity ? ` of ${least} to ${most}` : least > 0 ? ` of ${least} or more` : '';
  return v.pipe(
    v.unknown(),
    copied((value, at) => {
      if (!Array.isArray(value) || value.length < least || value.length > most)
        return `must be a list${bounds}`;
      // By its index, since each item may be read only once.
      const copy = Array.from({ length: value.length }, (_, index): unknown => {
        at(index);
        return touched(value[index]);
      });
      return { copy };
    }),
    v.array(rule),
  );
}

/**
 * Refuses an unknown option that seems to mean a known one which is not given. Its name is equal but for case, `_`, `-`,
 * a unit and a plural; or one letter differs, or two neighbours are swapped; or it is another word for an option whose
 * loss would publish something else, at once, twice, or for all to see. So is one that limits, labels or adds to what the
 * function does, and that it has no option for. Other unknown options are ignored, so that one object can serve several
 * calls.
 */
export function findMisspelling(
  name: string,
  missing: readonly string[],
  value: unknown,
  rules: Readonly<Record<string, Rule>>,
): string | undefined {
  const word = name.replace(/[_-]|^is(?=[_A-Z])/g, '').toLowerCase();
  const isPublished = /^publish(?:ed)?$/.test(word);
  if (value === undefined || (isPublished && value === true)) return undefined;
  const [words, options = [], limitOf] = synonyms.find(([each]) => each.test(word)) ?? [];
  const known = options.filter((one) => one in rules);
  const near = missing.filter(
    (one) => isSame(one, name) || (Math.min(one.length, name.length) > 5 && isNear(one, name)),
  );
  const isGiven = known.some((one) => !missing.includes(one));
  const meant = isGiven ? near : [...known, ...near];
  const option = meant.find((one) => refusalIn(rules[one]) === undefined);
  const isFalse = value === false && !isPublished;
  // A draft that is none is published; but what is not hidden is shown.
  if (option !== undefined && !(limitOf && isFalse && !words?.test(option.toLowerCase()))) {
    return `is not an option: ${option}${limitOf && option === 'published' ? ': false' : ''} is`;
  }
  if (isGiven || isFalse) return undefined;
  const other = meant.find((one) => refusalIn(rules[one]));
  if (other !== undefined) return `is not an option, and ${other} ${refusalIn(rules[other])}`;
  const asksNothing = value === '' || (Array.isArray(value) && value.length === 0);
  return !asksNothing && limitOf?.some((one) => one in rules)
    ? 'is not an option, and none has its effect'
    : undefined;
}

/** Options by which it shows what a function does: it publishes or changes a text; it lists; it begins a login. */
const [writes, lists, logins] = [['idempotencyKey', 'message', 'caption', 'altText'], ['limit'], ['scopes']];

/**
 * Words that functions and callers use for the text, the images, the time and the key of what is published, and the
 * options that they may mean, best first. Those after them limit what is done, or add to it, for functions that have one
 * of the options named last: they never ignore them. In lower case, without `is_`.
 */
const synonyms: readonly (readonly [
  words: RegExp,
  options: readonly string[],
  limitOf?: readonly string[],
])[] = [
  [/^(?:message|text|caption|description)$/, ['message', 'text', 'caption', 'description']],
  // Not `picture`: profiles have one, and may be spread into the options.
  [/^(?:photo|image)(?:url)?$/, ['attachmentUrl', 'photoUrl', 'photo', 'imageUrl', 'attachment']],
  [/^url$/, ['photoUrl', 'videoUrl', 'imageUrl', 'attachmentUrl', 'photo', 'video', 'link']],
  [/^(?:(?:photo|image|media)(?:url)?s|media)$/, ['photos', 'imageUrls', 'items', 'images']],
  [/^alt(?:text)?$/, ['altText'], writes],
  [/^(?:idempotency)?key$/, ['idempotencyKey']],
  [/^draft$/, ['draft', 'published', 'scheduledAt'], writes],
  [/^(?:un)?publish(?:ed)?$/, ['published', 'draft', 'scheduledAt'], writes],
  [/^(?:schedule|(?:publish|post|send)(?:at|on|time|date)|when$|at$)/, ['scheduledAt'], writes],
  [/^(?:(?:un)?hid(?:e|den)|private|privacy|visibility)$/, ['hidden', 'published'], writes],
  [/^(?:is)?(?:ai(?:generated|label|made)|madewithai)$/, ['isAiGenerated'], writes],
  [/^polls?$/, ['poll'], writes],
  [/^commentprompt$/, ['commentPrompt'], writes],
  [
    /^(?:(?:feed)?targeting|audience|expir(?:es?at|ation)|backdatedtime|paidpartnership|sponsorids|collaborators|(?:user|product)tags|(?:location|place|persona)id|calltoaction|quickrepl(?:y|ies)|thumbnail|thumboffset(?:ms)?|cover(?:url)?|trial|sharetofeed|humanagent|replyto)$/,
    [],
    writes,
  ],
  [/^(?:since|until|posted(?:after|before)|mediatype)$/, [], lists],
  [
    /^(?:auth(?:type|nonce)|(?:force)?re(?:auth(?:enticate|orize)?|request)|prompt)$/,
    ['authType', 'forceReauth'],
    logins,
  ],
];

/** Why a rule refuses its option whatever it is: it belongs to something else, or, where this is empty, has one value. */
function refusalIn(rule: Rule | undefined): string | undefined {
  // The getter of a lazy rule takes the value that is checked.
  const chosen: unknown = rule?.type === 'lazy' ? (rule as v.LazySchema<Rule>).getter({}) : rule;
  const { refusal } = fieldsOf(chosen);
  return typeof refusal === 'string' ? refusal : undefined;
}

/** Whether two names differ only in what makes no difference; the plural of short ones does: `id` and `ids`. */
function isSame(one: string, other: string): boolean {
  const forms = formsOf(other);
  return formsOf(one).some((form) => forms.includes(form));
}

/** A name in lower case, without its unit, and without its plural. */
function formsOf(name: string): readonly string[] {
  const word = name.replace(/[_-]/g, '').toLowerCase();
  return [word, word.replace(/(?<=.{4})(?:ms|seconds|bytes)$/, ''), word.replace(/(?<=.{3})s$/, '')];
}

/** Whether two words differ by one letter at most, which is missing, changed, or swapped with the next. */
export function isNear(one: string, other: string): boolean {
  let at = 0;
  while (one[at] && one[at] === other[at]) at++;
  const [a, b, nextA, nextB] = [one.slice(at), other.slice(at), one.slice(at + 1), other.slice(at + 1)];
  return (
    nextA === nextB ||
    nextA === b ||
    a === nextB ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}

/** What `read` returns. A value that throws when it is read is refused instead. */
export function readable<T>(read: () => T): T | 'cannot be read' {
  try {
    return read();
  } catch {
    return 'cannot be read';
  }
}

/** The rule with another check, which says what is wrong with a value that the rule has read, or with a part of it. */
export function refine<TOutput>(
  rule: Rule<TOutput>,
  faultIn: (value: TOutput) => string | Fault | undefined,
): Rule<TOutput> {
  return v.pipe(
    rule,
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? faultIn(dataset.value) : undefined;
      if (fault === undefined) return;
      addIssue(toIssue(typeof fault === 'string' ? { path: [], text: fault } : fault));
    }),
  );
}

/** The rule that a value satisfies a predicate. `what` says in the message what the value must be. */
export function satisfies<TOutput = unknown>(
  isGood: (value: unknown) => boolean,
  what: string,
): Rule<TOutput> {
  // The caller's predicate ensures the type. `v.custom` would be one more kind of schema in every bundle.
  return v.pipe(v.unknown(), v.check(isGood, `must be ${what}`)) as Rule<TOutput>;
}

/** Whether a text has no half of a character, as one that was cut within an emoji: people would read U+FFFD. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDFFF]/u.test(text);
}

export const notWellFormed = 'must be well-formed: it has half of a surrogate pair';

const wellFormed = v.check<string, string>(isWellFormed, notWellFormed);

/** Any string, even an empty one. */
export const string: Rule<string> = v.pipe(v.string('must be a string'), wellFormed);

/** Text that is not blank. */
export const text: Rule<string> = v.pipe(
  v.string('must be a non-empty string'),
  v.check((value) => value.trim() !== '', 'must be a non-empty string'),
  wellFormed,
);

/** An id that can stand in a path. Percent-encoding does not protect a path from `.` and `..`. */
export const id: Rule<string> = v.pipe(
  text,
  v.check((value) => !/^\.\.?$/.test(value), 'must be an id'),
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
  v.transform((value) => value.trim().replace(/^@/, '')),
  v.check((value) => /^[\w.]+$/.test(value), 'must be a username: letters, digits, dots and underscores'),
);

/** A token, or another secret: no spaces, no line breaks. The message never repeats it. */
export const token: Rule<string> = v.pipe(
  text,
  v.check((value) => !/[^\x21-\x7e]/.test(value), 'must be visible ASCII without spaces'),
);

/** How many entries to return. */
export const count: Rule<number> = wholeFrom(1);

/** A position in a list. */
export const index: Rule<number> = wholeFrom(0);

/** A whole number of which JavaScript keeps all digits. */
function wholeFrom(least: number): Rule<number> {
  return satisfies(
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
    `a whole number of at least ${least}`,
  );
}

/** Scheme, host with port, and the rest of an address. */
const addressParts = /^(https?:\/\/)([^/?#]+?)(:\d*)?([/?#].*)?$/is;

/** What is wrong with an address that all parsers should read alike; some take a backslash for a slash. */
function faultInAddress(value: string): string | undefined {
  const [, , host = ''] = addressParts.exec(value) ?? [];
  if (!/^https?:/i.test(value) || !URL.canParse(value) || host === '') return 'must be a web address';
  return /[\s\p{Cc}\\]/u.test(value) || host.includes('@')
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

/** An address that the platform compares with another by its letters: it has no other form than the one given. */
export const exactUrl: Rule<string> = refine(refine(text, faultInAddress), (value) => {
  const encoded = encodeAddress(value);
  return encoded === value ? undefined : `must be ASCII, as it is registered: ${encoded}`;
});

/** An address that the platform takes by https only. `what` is said of what is no address. */
export function httpsUrl(what: string): Rule<string> {
  const checked = refine(
    satisfies<string>((value) => typeof value === 'string', what),
    (value) => {
      if (/^http:/i.test(value)) return 'must begin with https:';
      return /^https:/i.test(value) && URL.canParse(value) ? faultInAddress(value) : `must be ${what}`;
    },
  );
  return v.pipe(checked, v.transform(encodeAddress));
}

export const flag: Rule<boolean> = satisfies((value) => typeof value === 'boolean', 'a boolean');

/** A function of the caller's. */
export const hook: Rule = satisfies((value) => typeof value === 'function', 'a function');

/** A clock of the caller's. */
export const clock: Rule = satisfies((value) => {
  const { now, sleep, monotonic = now } = fieldsOf(value);
  return [now, sleep, monotonic].every((one) => typeof one === 'function');
}, 'a clock');

/** Milliseconds to wait, `Infinity` included. */
export const duration: Rule<number> = satisfies(
  (value) => typeof value === 'number' && value >= 0,
  'a number of milliseconds, at least 0',
);

/** How many entries to return, without an upper limit: `Infinity` means all. */
export const countOrAll: Rule<number> = satisfies(
  (value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) > 0),
  'a whole number of at least 1',
);

/** A list of names, such as fields or scopes. */
export const names = listOf(text, 1);

/** Names of the fields to return in a response. Tokens are refused, so that the response can be logged and stored. */
export const fieldNames = listOf(
  v.pipe(
    text,
    v.check((name) => !/token/i.test(name), 'must not name a token: the function pages returns tokens'),
  ),
  1,
);

/** A value as its JSON, or what is wrong with it. It throws for some values that JSON cannot hold. */
export function toJson(value: unknown): { readonly copy: string } | string {
  const copy: string | undefined = JSON.stringify(value);
  if (copy === undefined) return 'must be a value that JSON can hold';
  // Halves of surrogate pairs are escaped, and nothing else that begins like one.
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(copy) ? notWellFormed : { copy };
}

/** An object that is sent as JSON, with all its fields. */
export const jsonObject = copyOfJson(openFields({}));

/** The rule for an object that is sent as JSON. It is sent with all its fields where these have {@link openFields}. */
export function copyOfJson(rule: Rule): Rule {
  return v.pipe(
    v.unknown(),
    copied((value): { copy: unknown } | string => {
      const made = toJson(value ?? null);
      return typeof made === 'string' ? made : { copy: JSON.parse(made.copy) };
    }),
    rule,
  );
}

/** A number within bounds. */
export function between(least: number, most: number): Rule<number> {
  const bounds = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  return satisfies(
    (value) => typeof value === 'number' && value >= least && value <= most,
    `a number ${bounds}`,
  );
}

/** One of these values. */
export function oneOf<const TValues extends readonly (string | number)[]>(
  ...values: TValues
): Rule<TValues[number]> {
  return satisfies((value) => values.some((one) => one === value), `one of ${values.join(', ')}`);
}

/** The same rule for an optional value. */
export function optional<TOutput>(rule: Rule<TOutput>): Rule<TOutput | undefined> {
  return v.optional(rule);
}

/**
 * The rule for an option that belongs to something else: only `undefined` and `false` are accepted. `instead` can say
 * what this has.
 */
export function onlyFor(home: string, instead = ''): Rule<undefined> {
  const refusal = `is for ${home} only${instead}`;
  // `false` passes where the function never reads the option.
  const rule = refine(v.unknown(), (value) => (value === undefined || value === false ? undefined : refusal));
  // `false` is sent nowhere.
  return Object.assign(rule as Rule<undefined>, { refusal });
}

/** The rule for `published` of what cannot be kept unpublished. */
export const published: Rule<unknown> = oneValue();

function oneValue(): Rule {
  const rule = optional(satisfies((value) => value === true, 'left out, or true: it is published at once'));
  return Object.assign(rule, { refusal: '' });
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
export const signal = optional(
  satisfies((value) => {
    const { aborted, addEventListener, removeEventListener } = fieldsOf(value);
    return (
      typeof aborted === 'boolean' &&
      typeof addEventListener === 'function' &&
      typeof removeEventListener === 'function'
    );
  }, 'an AbortSignal'),
);

/** Whether a value is an absolute address with this `scheme`. */
export function isAddress(value: unknown, scheme: RegExp): boolean {
  return typeof value === 'string' && scheme.test(value) && URL.canParse(value);
}
