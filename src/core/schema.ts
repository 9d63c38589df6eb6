/*
 * What responses are read by. A schema is a function, which is little code; `pagepics/models` makes schemas of valibot
 * of those that it exports.
 */

/** Reads a value of a response: what it is converted to, or what was expected instead. */
export type Schema<TOutput> = (value: unknown) => Reading<TOutput>;

export type Reading<TOutput> = { readonly value: TOutput; readonly expected?: undefined } | Misfit;

/** A value that does not fit. */
export interface Misfit {
  readonly value?: undefined;
  /** What would fit. */
  readonly expected: string;
  /** Where it is within the value that was read; absent if it is that value itself. */
  readonly path?: readonly (string | number)[] | undefined;
  readonly input: unknown;
}

/** What a schema converts to. */
export type OutputOf<TSchema> = TSchema extends Schema<infer TOutput> ? TOutput : never;

/** An object as the platform sent it. */
export type Raw = Readonly<Record<string, unknown>>;

/** Schemas of the fields of an object. */
export type Entries = Readonly<Record<string, Schema<unknown>>>;

/**
 * A schema that reads a value with `read`, which returns `undefined` for one that does not fit. `expected` says what
 * would.
 */
export function schemaOf<TOutput>(
  expected: string,
  read: (value: unknown) => Reading<TOutput> | undefined,
): Schema<TOutput> {
  return (input) => read(input) ?? { expected, input };
}

/** Reads what fits `schema`, and converts it. */
export function converted<TRead, TOutput>(
  schema: Schema<TRead>,
  convert: (value: TRead) => TOutput,
): Schema<TOutput> {
  return followed(schema, (value) => ({ value: convert(value) }));
}

/** Reads what fits `schema`, and then its output with `next`. */
export function followed<TRead, TOutput>(
  schema: Schema<TRead>,
  next: (value: TRead, sent: unknown) => Reading<TOutput>,
): Schema<TOutput> {
  return (sent) => {
    const read = schema(sent);
    return read.expected === undefined ? next(read.value, sent) : read;
  };
}

/** Reads with `schema` what `prepare` makes of a value. */
export function prepared<TOutput>(
  prepare: (value: unknown) => unknown,
  schema: Schema<TOutput>,
): Schema<TOutput> {
  return (value) => schema(prepare(value));
}

/** What {@link objectOf} reads. */
export type ObjectOf<TEntries extends Entries> = {
  [TName in keyof TEntries]: OutputOf<TEntries[TName]>;
} & Record<string, unknown>;

/**
 * Reads an object of the platform. Fields without a schema are kept. A field that is `null` counts as absent. One
 * field that does not fit says enough.
 */
export function objectOf<TEntries extends Entries>(entries: TEntries): Schema<ObjectOf<TEntries>> {
  return schemaOf('Object', (sent) => {
    if (!isObject(sent)) return undefined;
    const value: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(entries)) {
      const read = schema(sent[key] ?? undefined);
      if (read.expected !== undefined) return within(key, read);
      if (read.value !== undefined) value[key] = read.value;
    }
    for (const [key, other] of Object.entries(sent)) {
      // Names that every object has are in `entries`, too: `__proto__` would be a prototype.
      if (other !== null && !(key in entries)) value[key] = other;
    }
    // It has the entries, since all of them fit.
    return { value: value as ObjectOf<TEntries> };
  });
}

/** Reads a list. An entry that is `null` stays. One entry that does not fit says enough. */
export function entriesOf<TOutput>(entry: Schema<TOutput>): Schema<readonly (TOutput | null)[]> {
  return schemaOf('Array', (sent) => {
    if (!Array.isArray(sent)) return undefined;
    const value: (TOutput | null)[] = [];
    for (const [at, one] of sent.entries()) {
      const read: Reading<TOutput | null> = one === null ? { value: one } : entry(one);
      if (read.expected !== undefined) return within(at, read);
      value.push(read.value);
    }
    return { value };
  });
}

/** Reads the first entry of a list. */
export function firstOf<TOutput>(entry: Schema<TOutput>): Schema<TOutput> {
  return schemaOf('Array', (sent) => {
    if (!Array.isArray(sent)) return undefined;
    const read = entry(sent[0]);
    return read.expected === undefined ? read : within(0, read);
  });
}

/** What does not fit, told of the whole that has it under a key. */
function within(key: string | number, misfit: Misfit): Misfit {
  return { ...misfit, path: [key, ...(misfit.path ?? [])] };
}

/** Reads what fits `schema` and the predicate. */
export function kept<TOutput>(
  schema: Schema<TOutput>,
  isKept: (value: TOutput) => boolean,
  expected: string,
): Schema<TOutput> {
  return followed(schema, (value, input) => (isKept(value) ? { value } : { expected, input }));
}

/** Any value, as it arrived. */
export const anything: Schema<unknown> = (value) => ({ value });

/** Any text, even an empty one. */
export const string: Schema<string> = schemaOf('string', (value) =>
  typeof value === 'string' ? { value } : undefined,
);

/** Any object, as it arrived. */
export const anObject: Schema<Raw> = schemaOf('Object', (value) => (isObject(value) ? { value } : undefined));

export function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
