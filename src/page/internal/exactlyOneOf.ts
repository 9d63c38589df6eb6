import { ConfigurationError } from '../../core/errors.ts';

/** Two options of which a call needs one, and no more. */
export function exactlyOneOf<TOptions extends object>(
  options: TOptions,
  first: keyof TOptions & string,
  second: keyof TOptions & string,
): ConfigurationError | undefined {
  return (options[first] === undefined) === (options[second] === undefined)
    ? new ConfigurationError(`give exactly one of ${first} and ${second}`, first)
    : undefined;
}
