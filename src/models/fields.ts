import {
  converted,
  type Entries,
  entriesOf,
  followed,
  isObject,
  objectOf,
  type ObjectOf,
  type Raw,
  type Schema,
  schemaOf,
} from '../core/schema.ts';

export type { Raw };

/*
 * The building blocks of models. Ids and the frame of a list are required. No other field can fail a call: a value with
 * an undocumented type is converted where that is safe, or else the field is absent, and `raw` has the value.
 */

/** Reads an id. The platform sends some as numbers; the SDK returns only non-empty strings. */
export const idSchema: Schema<string> = schemaOf('string', (value) => {
  const id = toId(value);
  return id === undefined ? id : { value: id };
});

/** A field that may be absent, and is absent if `read` returns `undefined`. */
export function field<TOutput>(read: (value: unknown) => TOutput): Schema<TOutput | undefined> {
  return (value) => ({ value: value === undefined ? value : read(value) });
}

/** A field that may be absent, and is absent if its value does not fit the schema. */
export function part<TOutput>(schema: Schema<TOutput>): Schema<TOutput | undefined> {
  return field((value) => schema(value).value);
}

/** A string; a number or a boolean becomes a string. */
export const text: Schema<string | undefined> = field(toText);

/** A number, or a string that holds one. */
export const number: Schema<number | undefined> = field(toNumber);

/** `true` or `false`, also as a string. */
export const flag: Schema<boolean | undefined> = field((value) =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
);

/** An id that may be absent. */
export const optionalId: Schema<string | undefined> = part(idSchema);

/** An object with any fields. */
export const object: Schema<Raw | undefined> = field((value) => (isObject(value) ? value : undefined));

/** A list of strings. Other values are left out. */
export const texts: Schema<readonly string[] | undefined> = part(arrayOf(text));

/** A string that is not empty, or a number as a string. */
export function toId(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** The object of a response, which may be wrapped into a list of one: `{ "data": [{ … }] }`. */
export function unwrapData(body: unknown): unknown {
  const data = isObject(body) ? body['data'] : undefined;
  return Array.isArray(data) ? data[0] : body;
}

/** A string, a number or a boolean. */
export function toPlain(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
}

function toText(value: unknown): string | undefined {
  return toPlain(value)?.toString();
}

export function toNumber(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  // Beyond that, digits would be lost.
  return typeof read === 'number' && Math.abs(read) <= Number.MAX_SAFE_INTEGER ? read : undefined;
}

/** The output of {@link node}: the named fields, typed, and the whole object. */
export type Node<TEntries extends Entries> = ObjectOf<TEntries> & {
  readonly raw: Raw;
};

/** Like {@link objectOf}. `raw` is the object itself. */
export function node<TEntries extends Entries>(entries: TEntries): Schema<Node<TEntries>> {
  // What could be read was an object.
  return followed(objectOf(entries), (value, sent) => ({ value: withRaw(value, sent as Raw) }));
}

/** Adds `raw`. It is not enumerable, or a logged or serialized entry would contain every field twice. */
export function withRaw<TValue extends object>(value: TValue, raw: Raw): TValue & { readonly raw: Raw } {
  // `defineProperty` does not add to the type.
  return Object.defineProperty(value, 'raw', { value: raw }) as TValue & { readonly raw: Raw };
}

/** Reads a list. An entry that is `null` is left out, as are those of a {@link part} that do not fit. */
export function arrayOf<TOutput>(item: Schema<TOutput>): Schema<readonly NonNullable<TOutput>[]> {
  return converted(entriesOf(item), (entries) => entries.filter((entry) => entry != null));
}

/** A list within an object, as far as it came with it. */
export interface InnerList<TItem> {
  readonly data: readonly TItem[];
  /** Not enumerable. Whether the platform has more of its entries than came with the object. */
  readonly hasMore: boolean;
}

/** Reads the list within an object, such as `{ "data": [{ … }] }` of participants. Entries that do not fit are left out. */
export function dataOf<TOutput>(
  item: Schema<TOutput>,
): Schema<(InnerList<NonNullable<TOutput>> & { readonly raw: Raw }) | undefined> {
  return part(converted(node({ data: arrayOf(part(item)) }), (list) => withMore(list, list.raw['paging'])));
}

/** Adds `hasMore` to a list, or to a page of one: whether its `paging` leads on. Not enumerable, as that of whole lists. */
export function withMore<TValue extends object>(
  value: TValue,
  paging: unknown,
): TValue & { readonly hasMore: boolean } {
  const hasMore = isObject(paging) && typeof paging['next'] === 'string' && paging['next'] !== '';
  // `defineProperty` does not add to the type.
  return Object.defineProperty(value, 'hasMore', { value: hasMore }) as TValue & {
    readonly hasMore: boolean;
  };
}
