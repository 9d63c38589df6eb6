import { ConfigurationError } from '../errors.ts';

/**
 * What is made of what a caller gave, for functions that throw. Where it cannot be read, as a revoked proxy or a getter that
 * throws, that is the caller's error, too.
 */
export function fromCaller<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    throw new ConfigurationError(`${name} cannot be read`, name);
  }
}
