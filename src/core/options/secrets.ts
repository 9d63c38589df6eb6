/**
 * Adds properties that can be read by name only: logging, `JSON.stringify` and spreading leave them out.
 * They are getters, so that an inspection of hidden properties does not show them either. An `undefined`
 * one is not added.
 */
export function hide<TValue extends object, TSecrets extends object>(
  value: TValue,
  secrets: TSecrets,
): TValue & TSecrets {
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret !== undefined) Object.defineProperty(value, name, { get: () => secret });
  }
  return value as TValue & TSecrets;
}
