/** Whether a value is a list within bounds, without holes. */
export function isList(value: unknown, least: number, most: number): value is readonly unknown[] {
  return (
    Array.isArray(value) &&
    value.length >= least &&
    value.length <= most &&
    !Array.from(value).includes(undefined)
  );
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Readonly<Record<string, unknown>>;
}
