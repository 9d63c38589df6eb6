import { fieldsOf } from '../objects.ts';
import type { CheckUnknown, Rule } from './read.ts';

/**
 * Refuses an unknown option that seems to mean a known one which is not given. Its name is equal but for case, `_`, `-`,
 * a unit and a plural; or one letter differs, or two neighbours are swapped; or it is another word for an option that may
 * be left out, and whose loss would publish something else, at once, twice, or for all to see. So is one that limits,
 * labels or adds to what the function does, and that it has no option for. Other unknown options are ignored, so that one
 * object can serve several calls.
 */
export const findMisspelling: CheckUnknown = (name, value, rules, given) => {
  const word = name.replace(/[_-]|^is(?=[_A-Z])/g, '').toLowerCase();
  const isPublished = /^publish(?:ed)?$/.test(word);
  if (value === undefined || (isPublished && value === true)) return undefined;
  const [words, options = [], limitOf] = synonyms.find(([each]) => each.test(word)) ?? [];
  // What is required is missed anyway.
  const known = options.filter(
    (one) => rules[one]?.type === 'optional' || refusalIn(rules[one]) !== undefined,
  );
  const near = Object.keys(rules).filter((one) => given[one] === undefined && isMeant(one, name));
  const isGiven = known.some((one) => given[one] !== undefined);
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
};

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
  const { refusal } = fieldsOf(rule);
  return typeof refusal === 'string' ? refusal : undefined;
}

/** Whether a name may be a misspelling of another one. */
export function isMeant(one: string, name: string): boolean {
  const forms = formsOf(name);
  return (
    formsOf(one).some((form) => forms.includes(form)) ||
    (Math.min(one.length, name.length) > 5 && isNear(one, name))
  );
}

/** A name in lower case, without its unit, and without its plural, but for short ones: `id` and `ids` are two. */
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
