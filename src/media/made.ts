import { ConfigurationError } from '../core/errors.ts';
import { copyWithInherited, isRecord } from '../core/objects.ts';

/** What another function of this entry made, once read. Throws a ConfigurationError where that `member` of it is no text. */
export function readMade<TMade extends object>(name: string, made: TMade, member: string, by: string): TMade {
  const copy = copyOf(made);
  if (typeof copy?.[member] === 'string') {
    // Who made that member has made the others, too.
    return copy as TMade;
  }
  throw new ConfigurationError(`${name} must be what ${by} gives`, name);
}

/** A copy of an object, with what it inherits; `undefined` for what is none, or cannot be read. */
export function copyOf(options: unknown): Record<string, unknown> | undefined {
  try {
    return isRecord(options) ? copyWithInherited(options) : undefined;
  } catch {
    // A getter threw.
    return undefined;
  }
}
