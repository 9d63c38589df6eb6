import * as v from 'valibot';

/** An object as the platform sent it. */
export type Raw = Readonly<Record<string, unknown>>;

/** The output of {@link node}: the named fields, typed, and the whole object. */
export type Node<TEntries extends v.ObjectEntries> = v.InferOutput<
  v.LooseObjectSchema<TEntries, undefined>
> & {
  readonly raw: Raw;
};

/**
 * Reads an object of the platform. A field that is `null` counts as absent. Fields without a schema are kept. `raw` is
 * the object itself.
 */
export function node<TEntries extends v.ObjectEntries>(
  entries: TEntries,
): v.GenericSchema<unknown, Node<TEntries>> {
  const schema: v.GenericSchema<unknown, object> = v.looseObject(entries);
  return Object.defineProperties(
    {},
    {
      // Including its getters, which then use the `~run` below.
      ...Object.getOwnPropertyDescriptors(schema),
      '~run': {
        enumerable: true,
        value: (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) => {
          const raw = dataset.value as Raw;
          const read = schema['~run']({ ...dataset, value: withoutNulls(raw) }, config);
          if (read.typed) withRaw(read.value, raw);
          return read;
        },
      },
    },
  ) as v.GenericSchema<unknown, Node<TEntries>>;
}

/** Adds `raw`. It is not enumerable, since a logged or serialized entry would contain every field twice. */
export function withRaw<TValue extends object>(value: TValue, raw: Raw): TValue & { readonly raw: Raw } {
  return Object.defineProperty(value, 'raw', { value: raw }) as TValue & { readonly raw: Raw };
}

/** Reads a list. An entry that is `null` is left out. */
export function listOf<TOutput>(
  item: v.GenericSchema<unknown, TOutput>,
): v.GenericSchema<unknown, readonly TOutput[]> {
  return v.pipe(
    v.array(v.nullable(item)),
    v.transform((entries) => entries.filter((entry) => entry !== null) as TOutput[]),
  );
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
