import { ConfigurationError } from '../core/errors.ts';
import { isRecord } from '../core/objects.ts';
import { fromCaller } from '../core/options/given.ts';
import { refuseUnknown } from '../core/options/unknown.ts';
import { isObject, wordsIn } from './values.ts';

/** Whether a value is valid, the rule for it, and whether it must be given. */
type Check = readonly [isValid: (value: unknown) => boolean, rule: string, isNeeded?: boolean];
export type Checks = Readonly<Record<string, Check>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isList = (value: unknown, isValid: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isValid);

const types: Checks = {
  any: [() => true, ''],
  text: [isText, 'must be a text'],
  number: [Number.isFinite, 'must be a number'],
  whole: [Number.isInteger, 'must be a whole number'],
  count: [(value) => typeof value === 'number' && value >= 0, 'must be a number of at least 0'],
  chance: [(value) => typeof value === 'number' && value >= 0 && value <= 1, 'must be a number from 0 to 1'],
  flag: [(value) => typeof value === 'boolean', 'must be true or false'],
  true: [(value) => value === true, 'must be true'],
  texts: [(value) => isList(value, isText), 'must be a list of texts'],
  object: [isObject, 'must be an object'],
  objects: [(value) => isList(value, isObject), 'must be a list of objects'],
  named: [(value) => isObject(value) && Object.values(value).every(isText), 'must be an object of texts'],
  function: [(value) => typeof value === 'function', 'must be a function'],
};

/** Checks by the names of members, each with `!` if it must be given, and its type unless that is `text`: `id! at:number`. */
export function checksOf(members: string): Checks {
  const checks = wordsIn(members).map((word): [string, Check] => {
    const [, name = '', mark, type = 'text'] = /^(\w+)(!?)(?::(\w+))?$/.exec(word) ?? [];
    const [isValid, rule] = types[type] ?? [() => false, `has no type ${type}`];
    return [name, [isValid, rule, mark === '!']];
  });
  return Object.fromEntries(checks);
}

/** The error of an option that cannot work. */
export function badOption(option: string, message: string): ConfigurationError {
  return new ConfigurationError(message, option);
}

/** Refuses a name that is not known, so that no test passes because of a typo. */
export function checkName(option: string, what: string, name: string, known: readonly string[]): void {
  const given: unknown = name;
  const shown = typeof given === 'string' ? given : `that is a ${typeof given}`;
  if (!known.includes(name)) throw badOption(option, `there is no ${what} ${shown}: ${known.join(', ')}`);
}

/** Refuses members that are not known. Those that are `undefined` count as left out. */
export function checkMembers(given: object, known: readonly string[], within = ''): void {
  // What is inherited, too.
  for (const odd in given) {
    const value: unknown = Reflect.get(given, odd);
    if (value !== undefined && !known.includes(odd))
      throw badOption(within + odd, `${within}${odd} ${refuseUnknown(odd, known)}`);
  }
}

/** Refuses unknown members and wrong values, at a path such as `quotas.app.`. */
export function checked<T>(what: string, given: T, checks: Checks, within = ''): T {
  const path = within.replace(/\.$/, '') || 'options';
  return fromCaller(path, () => {
    if (!isRecord(given)) throw badOption(path, `${what} must be an object`);
    checkMembers(given, Object.keys(checks), within);
    for (const [name, [isValid, rule, isNeeded = false]] of Object.entries(checks)) {
      const value = given[name];
      if (value === undefined ? isNeeded : !isValid(value))
        throw badOption(within + name, `the ${name} of ${what} ${rule}`);
    }
    return given;
  });
}

/** A tool that was made elsewhere, once it is seen to be one: it has the method. */
export function checkTool(name: string, tool: object, method: string, by: string): void {
  const found: unknown = fromCaller(name, () => Object(tool)[method]);
  if (typeof found !== 'function') throw badOption(name, `${name} must be ${by}`);
}
