/** The fields of any value, of unknown types. `null` and `undefined` have none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Removes the fields that are `undefined`. Only those are deleted, since `delete` makes an object slower. */
export function withoutGaps<TValue extends Record<string, unknown>>(value: TValue): TValue {
  for (const name in value) if (value[name] === undefined) delete value[name];
  return value;
}

/** A string, if it is one and not blank. */
export function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && /\S/.test(value) ? value : undefined;
}
