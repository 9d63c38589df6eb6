/**
 * Adds properties that can be read by name only: logging, `JSON.stringify` and spreading leave them out.
 * An `undefined` one is not added.
 */
export function hide<TValue extends object, TSecrets extends object>(
  value: TValue,
  secrets: TSecrets,
): TValue & TSecrets {
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret !== undefined) Object.defineProperty(value, name, { value: secret });
  }
  return value as TValue & TSecrets;
}
