import type { Result } from 'neverthrow';

/** The value of a Result. An example ends at its first failure; an app handles it. */
export function orThrow<TValue>(result: Result<TValue, Error>): TValue {
  if (result.isErr()) throw result.error;
  return result.value;
}
