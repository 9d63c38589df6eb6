/**
 * What is wrong with a member that has no rule, by its name, the options there are and what was given for them;
 * `undefined` where it is kept.
 */
export type RefuseUnknown = (
  name: string,
  known: readonly string[],
  given: Readonly<Record<string, unknown>>,
) => string | undefined;

/** Refuses any. The nearest option is named, or all of them. */
export function refuseUnknown(name: string, known: readonly string[]): string {
  return nearOf(name, known) ?? noneOf(known);
}

/** Refuses any where its few options say enough: nothing compares names, which takes code. */
export function noneOf(known: readonly string[]): string {
  return `is not an option; the options are ${known.join(', ') || 'none'}`;
}

/** Keeps what the platform may name, but for what is nearly an option that is not given. */
export const refuseMisspelt: RefuseUnknown = (name, known, given) =>
  nearOf(
    name,
    known.filter((one) => given[one] === undefined),
  );

/** That another option is meant, if one is. */
function nearOf(name: string, known: readonly string[]): string | undefined {
  const near = nearestOf(name, known);
  return near && `is not an option: ${near} is`;
}

const ofContexts = ['timeoutMs', 'deadlineMs', 'retry', 'lane'];

/** Refuses any option of a call, and says of those of contexts where they belong. */
export function refuseOfCall(name: string, known: readonly string[]): string {
  return nearestOf(name, known) === undefined && nearestOf(name, ofContexts) !== undefined
    ? 'is not an option of a call: withOptions gives it to a context'
    : refuseUnknown(name, known);
}

/**
 * The name that is meant by a misspelt one: it is equal but for case, `_`, `-` and a unit, or else one edit away. There
 * is none where several are, or where short words differ, such as `next` and `text`.
 */
export function nearestOf(name: string, known: readonly string[]): string | undefined {
  const word = wordOf(name);
  const equal = known.filter((one) => withoutUnit(wordOf(one)) === withoutUnit(word));
  const [near, ...others] = equal.length > 0 ? equal : known.filter((one) => isOneEdit(wordOf(one), word));
  return others.length > 0 ? undefined : near;
}

function wordOf(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

function withoutUnit(word: string): string {
  return word.replace(/(?<=.{4})(?:ms|seconds|bytes)$/, '');
}

/** Whether a letter is missing, or swapped with the next, or, in a word of six letters, another one. */
function isOneEdit(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < 4) return false;
  let at = 0;
  while (one[at] && one[at] === other[at]) at++;
  const [a, b, nextA, nextB] = [one.slice(at), other.slice(at), one.slice(at + 1), other.slice(at + 1)];
  return (
    nextA === b || a === nextB || `${a[1]}${a[0]}${a.slice(2)}` === b || (nextA === nextB && one.length > 5)
  );
}
