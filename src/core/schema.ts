import {
  type BaseIssue,
  type GenericSchema,
  getGlobalConfig,
  type InferOutput,
  type LooseObjectSchema,
  type ObjectEntries,
} from 'valibot';

/*
 * The schemas that every bundle has. They are schemas of valibot, to use with all of it, but made without its pipes,
 * transforms and objects, of which a call would use a small part.
 */

/** What a response must look like, and what it is converted to. */
export type Schema<TOutput> = GenericSchema<unknown, TOutput>;

/** An object as the platform sent it. */
export type Raw = Readonly<Record<string, unknown>>;

/**
 * A schema that reads a value with `read`, which returns `undefined` for one that does not fit. `expected` says in an
 * issue what would.
 */
export function schemaOf<TOutput>(
  expected: string,
  read: (
    value: unknown,
    config: Parameters<Schema<TOutput>['~run']>[1],
  ) => ReturnType<Schema<TOutput>['~run']> | undefined,
): Schema<TOutput> {
  const run: Schema<TOutput>['~run'] = ({ value }, config) =>
    read(value, config) ?? { typed: false, value, issues: [issueOf(expected, value)] };
  const standard = {
    version: 1,
    vendor: 'valibot',
    validate: (value: unknown) => run({ value }, getGlobalConfig()),
  };
  return {
    kind: 'schema',
    type: 'custom',
    reference: schemaOf,
    expects: expected,
    async: false,
    '~run': run,
    // As valibot's own: a dataset is a result of Standard Schema, for JSON, whose keys are strings.
    '~standard': standard as Schema<TOutput>['~standard'],
  };
}

function issueOf(expected: string, input: unknown): BaseIssue<unknown> {
  const message = `Invalid type: Expected ${expected}`;
  return { kind: 'schema', type: 'custom', input, expected, received: typeof input, message };
}

/** Reads what fits `schema`, and converts it. */
export function converted<TRead, TOutput>(
  schema: Schema<TRead>,
  convert: (value: TRead) => TOutput,
): Schema<TOutput> {
  return schemaOf(schema.expects, (value, config) => {
    const read = schema['~run']({ value }, config);
    return read.issues
      ? { typed: false, value, issues: read.issues }
      : { typed: true, value: convert(read.value) };
  });
}

/** Reads with `schema` what `prepare` makes of a value. */
export function prepared<TOutput>(
  prepare: (value: unknown) => unknown,
  schema: Schema<TOutput>,
): Schema<TOutput> {
  return schemaOf(schema.expects, (value, config) => schema['~run']({ value: prepare(value) }, config));
}

/** What {@link objectOf} reads. */
export type ObjectOf<TEntries extends ObjectEntries> = InferOutput<LooseObjectSchema<TEntries, undefined>>;

/**
 * Reads an object of the platform, as valibot's `looseObject` does: fields without a schema are kept. A field that is
 * `null` counts as absent.
 */
export function objectOf<TEntries extends ObjectEntries>(entries: TEntries): Schema<ObjectOf<TEntries>> {
  return schemaOf<ObjectOf<TEntries>>('Object', (sent, config) => {
    if (!isObject(sent)) return undefined;
    const read: Record<string, unknown> = {};
    const issues: BaseIssue<unknown>[] = [];
    for (const [key, schema] of Object.entries(entries)) {
      const { value, issues: own = [] } = schema['~run']({ value: sent[key] ?? undefined }, config);
      if (value !== undefined) read[key] = value;
      const at = { type: 'object', origin: 'value', input: sent, key, value: sent[key] } as const;
      for (const issue of own) issues.push({ ...issue, path: [at, ...(issue.path ?? [])] });
    }
    for (const [key, value] of Object.entries(sent)) {
      // Names that every object has are in `entries`, too: `__proto__` would be a prototype.
      if (value !== null && !(key in entries)) read[key] = value;
    }
    const [first, ...more] = issues;
    return first === undefined
      ? // It has the entries, since there is no issue with one.
        { typed: true, value: read as ObjectOf<TEntries> }
      : { typed: false, value: read, issues: [first, ...more] };
  });
}

/** Any object, as it arrived. */
export const anObject: Schema<Raw> = schemaOf('Object', (value) =>
  isObject(value) ? { typed: true, value } : undefined,
);

export function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
