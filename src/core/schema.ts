import {
  type BaseIssue,
  type GenericSchema,
  getGlobalConfig,
  type InferOutput,
  type LooseObjectSchema,
  type ObjectEntries,
  type OutputDataset,
} from 'valibot';

/*
 * What the schemas of responses are made of. They are schemas of valibot, to use with all of it, but made without its
 * objects, lists, pipes and transforms, of which they would use a small part.
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
      for (const issue of own) issues.push(within(sent, key, issue));
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

/** Reads a list. An entry that is `null` stays. */
export function entriesOf<TOutput>(entry: Schema<TOutput>): Schema<readonly (TOutput | null)[]> {
  return schemaOf<readonly (TOutput | null)[]>('Array', (sent, config) => {
    if (!Array.isArray(sent)) return undefined;
    const value: (TOutput | null)[] = [];
    for (const [at, one] of sent.entries()) {
      const read: OutputDataset<TOutput | null, BaseIssue<unknown>> = one === null
        ? { typed: true, value: one }
        : entry['~run']({ value: one }, config);
      // One entry that does not fit says enough.
      if (read.issues) return { typed: false, value: sent, issues: [within(sent, at, read.issues[0])] };
      value.push(read.value);
    }
    return { typed: true, value };
  });
}

/** Reads the first entry of a list. */
export function firstOf<TOutput>(entry: Schema<TOutput>): Schema<TOutput> {
  return schemaOf('Array', (sent, config) => {
    if (!Array.isArray(sent)) return undefined;
    const read = entry['~run']({ value: sent[0] }, config);
    return read.issues ? { typed: false, value: sent, issues: [within(sent, 0, read.issues[0])] } : read;
  });
}

/** An issue with what has a key, told of the whole. */
function within(whole: object, key: string | number, issue: BaseIssue<unknown>): BaseIssue<unknown> {
  const at = {
    type: 'unknown',
    origin: 'value',
    input: whole,
    key,
    value: Reflect.get(whole, key),
  } as const;
  return { ...issue, path: [at, ...(issue.path ?? [])] };
}

/** Reads what fits `schema` and the predicate. */
export function kept<TOutput>(
  schema: Schema<TOutput>,
  isKept: (value: TOutput) => boolean,
  expected = schema.expects,
): Schema<TOutput> {
  return schemaOf(expected, (value, config) => {
    const read = schema['~run']({ value }, config);
    return read.issues || isKept(read.value) ? read : undefined;
  });
}

/** Any value, as it arrived. */
export const anything: Schema<unknown> = schemaOf('unknown', (value) => ({ typed: true, value }));

/** Any text, even an empty one. */
export const string: Schema<string> = schemaOf('string', (value) =>
  typeof value === 'string' ? { typed: true, value } : undefined,
);

/** Any object, as it arrived. */
export const anObject: Schema<Raw> = schemaOf('Object', (value) =>
  isObject(value) ? { typed: true, value } : undefined,
);

export function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
