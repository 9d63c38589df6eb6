/** The fields of any value, of unknown types. `null` and `undefined` have none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a value holds what it holds in its members: an object, whatever made it, or a module, but no `Map`, `Date`, promise
 * or list, whose members are none of what was meant.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return /Object|Module/.test({}.toString.call(value));
}

/** A copy of an object with what it inherits: its members are read by name later, which would find that, too. */
export function copyWithInherited(from: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // The copy of a member `__proto__` is a member, as it was.
  const copy: Record<string, unknown> = { ...from };
  for (const name in from) if (!(name in copy)) copy[name] = from[name];
  return copy;
}

/** Removes the fields that are `undefined`. Only those are deleted, since `delete` makes an object slower. */
export function withoutGaps<TValue extends Record<string, unknown>>(value: TValue): TValue {
  for (const name in value) if (value[name] === undefined) delete value[name];
  return value;
}

/** Adds fields that are not enumerable: logging, `JSON.stringify` and spreading leave them out. */
export function withHidden<TValue extends object, TMore extends object>(
  value: TValue,
  more: TMore,
): TValue & Readonly<TMore> {
  for (const name in more) Object.defineProperty(value, name, { value: more[name] });
  // `defineProperty` does not add to the type.
  return value as TValue & Readonly<TMore>;
}

/** A string, if it is one and not blank. */
export function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && /\S/.test(value) ? value : undefined;
}
