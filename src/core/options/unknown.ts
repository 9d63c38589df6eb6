import { fieldsOf } from '../objects.ts';
import type { CheckUnknown, Rule } from './read.ts';
import type { Word } from './words.ts';

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
  const [pattern, options = [], limits] = wordsOf(rules).find(([one]) => one.test(word)) ?? [];
  // What is required is missed anyway.
  const known = options.filter(
    (one) => rules[one]?.type === 'optional' || refusalIn(rules[one]) !== undefined,
  );
  const near = Object.keys(rules).filter((one) => given[one] === undefined && isMeant(one, name));
  const isGiven = known.some((one) => given[one] !== undefined);
  const meant = isGiven ? near : [...known, ...near];
  const option = meant.find((one) => refusalIn(rules[one]) === undefined);
  // Without retries, or without a limit of time, is something, too.
  const isFalse = value === false && !isPublished && !/^(?:retry|timeout)/.test(word);
  // A draft that is none is published; but what is not hidden is shown.
  if (option !== undefined && !(limits && isFalse && !pattern?.test(option.toLowerCase()))) {
    return `is not an option: ${option}${limits && option === 'published' ? ': false' : ''} is`;
  }
  if (isGiven || isFalse) return undefined;
  const other = meant.find((one) => refusalIn(rules[one]));
  if (other !== undefined) return `is not an option, and ${other} ${refusalIn(rules[other])}`;
  const asksNothing = value === '' || (Array.isArray(value) && value.length === 0);
  if (!limits || asksNothing) return undefined;
  return limits === true ? 'is not an option, and none has its effect' : limits;
};

/** The words that rules have. */
function wordsOf(rules: Readonly<Record<string, Rule>>): readonly Word[] {
  // Only `withWords` adds them.
  return Object.values(rules).flatMap((rule) => (fieldsOf(rule)['words'] ?? []) as readonly Word[]);
}

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
