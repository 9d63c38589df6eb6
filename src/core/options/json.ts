import { fieldsOf, isRecord } from '../objects.ts';
import { faultOf, isWellFormed, notWellFormed, type Read, readPart } from './read.ts';

export const notJson = 'must be a value that JSON can hold';

/**
 * A value as JSON sends it, as a copy. What JSON would leave out or change without a word is refused by its path, such as a
 * `Map`, a function, `NaN`, or `undefined` in a list; a member that is `undefined` is not given.
 */
export function readJson(given: unknown, around: readonly unknown[] = []): Read<unknown> {
  const { toJSON } = fieldsOf(given);
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given) : given;
  if (typeof value === 'string') return isWellFormed(value) ? { copy: value } : faultOf(notWellFormed);
  // A larger number has lost digits. An invalid date makes `null` of itself.
  const isKept =
    typeof value === 'number' ? Number.isSafeInteger(Math.trunc(value)) : value === null && given === null;
  if (typeof value === 'boolean' || isKept) return { copy: value };
  const isList = Array.isArray(value);
  if ((!isList && !isRecord(value)) || around.includes(value)) return faultOf(notJson);
  const copy: Record<string, unknown> = {};
  // The gaps of a list count as `undefined`.
  const from = fieldsOf(isList ? Array.from(value) : value);
  for (const at in from) {
    // What a library has added to all lists or objects is no content of this one.
    const isOwn = Object.hasOwn(from, at);
    if (!isOwn && (isList || at in {})) continue;
    if (!isWellFormed(at)) return faultOf(notWellFormed);
    const part = readPart<unknown>(isList ? Number(at) : at, () => {
      // JSON leaves out what is inherited, and its readers may take this name for what an object inherits from.
      if (!isOwn || at === '__proto__') return faultOf(notJson);
      const one = from[at];
      return one === undefined && !isList ? { copy: one } : readJson(one, [...around, value]);
    });
    if ('text' in part) return part;
    if (part.copy !== undefined) copy[at] = part.copy;
  }
  return { copy: isList ? Object.values(copy) : copy };
}
