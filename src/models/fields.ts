import * as v from 'valibot';

import type { Params } from '../core/http/types.ts';
import type { FieldOptions } from '../core/lists/list.ts';
import { fieldsOf, isObject, withHidden } from '../core/objects.ts';

export { isObject };

/*
 * The building blocks of models: schemas of valibot. Ids and the frame of a list are required. No other field can fail a
 * call: a value with an undocumented type is converted where that is safe, or else the field is absent, and `raw` has
 * the value. At the end, what responses to writes say. Models import them as `s`, as valibot is imported as `v`.
 */

/** Reads a value of a response. */
export type Schema<TOutput> = v.GenericSchema<unknown, TOutput>;

/** An object as the platform sent it. */
export type Raw = Readonly<Record<string, unknown>>;

/** An object of the platform. */
export interface GraphObject {
  /** The object as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

/** An object of the platform that has an id. */
export interface GraphNode extends GraphObject {
  readonly id: string;
}

/** The message of an issue. Unlike valibot's own messages, it never quotes the value. */
function message({ expected }: { readonly expected: string | null }): string {
  return `Invalid type: Expected ${expected}`;
}

/** Shared, since to make a schema takes time at each start. */
const anything: Schema<unknown> = v.unknown();

/** Any text, even an empty one. */
export const string: Schema<string> = v.string(message);

/** An id. The platform sends some as numbers; the SDK returns only non-empty strings. */
export const idSchema: Schema<string> = v.pipe(anything, v.transform(toId), v.string(message));

/** A field that may be absent, and is absent if `read` returns `undefined`. */
export function field<TOutput>(read: (value: unknown) => TOutput): Schema<TOutput | undefined> {
  return v.optional(v.pipe(anything, v.transform(read)));
}

/** A field that may be absent, and is absent if its value does not fit the schema. */
export function part<TOutput>(schema: Schema<TOutput>): Schema<TOutput | undefined> {
  return v.fallback(v.optional(schema), undefined);
}

/** A string; a number or a boolean becomes a string. */
export const text: Schema<string | undefined> = field((value) => toPlain(value)?.toString());

/** A number, or a string that holds one. */
export const number: Schema<number | undefined> = field(toNumber);

/** `true` or `false`, also as a string. */
export const flag: Schema<boolean | undefined> = field((value) =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
);

/** An id that may be absent. */
export const optionalId: Schema<string | undefined> = field((value) => {
  const id = toId(value);
  // Test leads name the ad 0: they have none.
  return id === '0' ? undefined : id;
});

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

export function toPlain(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined;
}

export function toNumber(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  // A larger number would lose digits.
  return typeof read === 'number' && Math.abs(read) <= Number.MAX_SAFE_INTEGER ? read : undefined;
}

/** A number of bytes, which may arrive as a string; `NaN` if it holds none. */
export function toBytes(value: unknown): number | undefined {
  const bytes = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof bytes === 'number' ? bytes : undefined;
}

type Entries = Readonly<Record<string, Schema<unknown>>>;

type ObjectOf<TEntries extends Entries> = {
  [TName in keyof TEntries]: v.InferOutput<TEntries[TName]>;
} & Record<string, unknown>;

/** The output of {@link node}: the named fields, typed, and the whole object. */
export type Node<TEntries extends Entries> = ObjectOf<TEntries> & { readonly raw: Raw };

/** Reads an object of the platform. Fields without a schema are kept. A field that is `null` counts as absent. */
export function objectOf<TEntries extends Entries>(entries: TEntries): Schema<ObjectOf<TEntries>> {
  return objectTo(entries, (fields) => fields);
}

/**
 * Reads an object: each field by its entry, if it has one. A field that this reads as `undefined` is absent. The fields
 * are in the order in which they were sent. `finish` makes the model of them, which are a copy.
 */
export function objectTo<TEntries extends Entries, TOutput>(
  entries: TEntries,
  finish: (fields: ObjectOf<TEntries>, raw: Raw) => TOutput,
): Schema<TOutput> {
  // The fields have the types of their entries, since all of them fit.
  return objectBy(entries, (fields, sent) => finish((fields ?? { ...sent }) as ObjectOf<TEntries>, sent));
}

/** The same, where `finish` gets no fields if all of them are as they were sent. */
function objectBy<TEntries extends Entries, TOutput>(
  entries: TEntries,
  finish: (fields: Raw | undefined, sent: Raw) => TOutput,
): Schema<TOutput> {
  // Made when it is first used: most models of an app are never read, and each start would pay for them.
  let kept: ReturnType<typeof readersOf> | undefined;
  const read = v.pipe(
    anything,
    v.rawTransform(({ dataset: { value: sent }, config, addIssue, NEVER }) => {
      if (!isObject(sent)) {
        addIssue({ expected: 'Object', received: typeof sent, message });
        return NEVER;
      }
      const { readers, needed } = (kept ??= readersOf(entries));
      // To change a copy takes a fraction of the time in which one is made field by field.
      let fields: Record<string, unknown> | undefined;
      let hasGaps = false;
      for (const name in sent) {
        const value = sent[name];
        const reader = readers.get(name);
        let found = isAbsent(name, value) ? undefined : value;
        if (reader !== undefined && found !== undefined) {
          const result = run(reader, value, config);
          if (result.issues) {
            addIssue(issueAt(sent, name, result.issues[0]));
            return NEVER;
          }
          found = result.value;
        }
        if (found === value) continue;
        (fields ??= { ...sent })[name] = found;
        hasGaps ||= found === undefined;
      }
      for (const [name, entry] of needed) {
        if (isSent(sent, name)) continue;
        if (entry.type !== 'optional') {
          addIssue(issueAt(sent, name));
          return NEVER;
        }
        (fields ??= { ...sent })[name] = run(entry, undefined, config).value;
      }
      return finish(fields && hasGaps ? filled(fields) : fields, sent);
    }),
  );
  return Object.assign(read, { entries });
}

/** The fields that are not `undefined`. Not by entries, which takes five times as long. */
function filled(fields: Raw): Raw {
  const all: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) all[name] = fields[name];
  return all;
}

/** What reads each field that was sent, and those that are not simply absent if they are not. */
function readersOf(entries: Entries) {
  const all = Object.entries(entries);
  return {
    readers: new Map(all.map(([name, entry]) => [name, present(entry)])),
    needed: all.filter(([, entry]) => entry.type !== 'optional' || fieldsOf(entry)['default'] !== undefined),
  };
}

/** What reads a value: a schema, or a step of one. */
type Reader = Pick<Schema<unknown>, '~run'>;

/** Runs a schema. */
function run(reader: Reader, value: unknown, config: object) {
  // The settings are the same for any kind of issue.
  return reader['~run']({ value }, config as v.Config<v.BaseIssue<unknown>>);
}

/**
 * What reads a field that was sent: of one that may be absent, what it wraps; and where that only converts a value, the
 * conversion, which spares three steps of each field.
 */
function present(entry: Schema<unknown>): Reader {
  const { type, wrapped, pipe, fallback } = fieldsOf(entry);
  if (type === 'optional' && pipe === undefined) {
    // What `optional` wraps is a schema, and its reader is run as one.
    const reader = present(wrapped as Schema<unknown>) as Schema<unknown>;
    return 'fallback' in entry ? v.fallback(reader, fallback) : reader;
  }
  if ('fallback' in entry) return entry;
  const [first, step, ...more]: readonly unknown[] = Array.isArray(pipe) ? pipe : [];
  // A check looks at what came before, which a conversion does not.
  const isConversion = first === anything && more.length === 0 && fieldsOf(step)['kind'] === 'transformation';
  // A step of a pipe is run as a schema is.
  return isConversion ? (step as Reader) : entry;
}

/** A field that is `null` counts as absent. A key must not become the prototype. */
function isAbsent(name: string, value: unknown): boolean {
  return value === undefined || value === null || name === '__proto__';
}

function isSent(sent: Raw, name: string): boolean {
  return Object.hasOwn(sent, name) && !isAbsent(name, sent[name]);
}

/** The fields to request: the chosen ones and one that is always among them, or all that an object's schema reads. */
export function fieldsFor(schema: Schema<unknown>, chosen?: readonly string[], always?: string): string {
  const names = chosen ?? Object.keys(fieldsOf(fieldsOf(schema)['entries']));
  return (always === undefined ? names : [...new Set([...names, always])]).join(',');
}

/** A list to request, with the chosen fields of its entries, or else all that their schema reads. */
export function entriesAt<TItem>(
  path: string,
  item: Schema<TItem>,
  { fields }: FieldOptions,
  query?: Params,
) {
  return { path, query: { fields: fieldsFor(item, fields), ...query }, item };
}

/** What is wrong with a field, as a fault of its object; without an issue, that it is missing. */
function issueAt(input: Raw, key: string, issue?: v.BaseIssue<unknown>): v.RawTransformIssueInfo<unknown> {
  return {
    // Those of a check are in its message.
    expected: issue ? (issue.expected ?? undefined) : `"${key}"`,
    received: issue?.received ?? 'undefined',
    message: issue?.message ?? message,
    path: [{ type: 'object', origin: 'value', input, key, value: input[key] }, ...(issue?.path ?? [])],
  };
}

export function fieldOf<TOutput>(name: string, schema: Schema<TOutput>): Schema<TOutput> {
  // The output of a schema that is a type parameter cannot be inferred.
  return objectTo({ [name]: schema }, (found) => found[name] as TOutput);
}

/** Like {@link objectOf}. `raw` is the object itself. */
export function node<TEntries extends Entries>(entries: TEntries): Schema<Node<TEntries>> {
  return objectTo(entries, withRaw);
}

/**
 * Like {@link objectOf}, for a field that may be absent, and is absent if its value does not fit. It needs no `raw`, which would
 * take as long as to read it: that of the object around it has the field as it was sent. If nothing in it had to be converted,
 * that is this field.
 */
export function optionalObject<TEntries extends Entries>(
  entries: TEntries,
): Schema<ObjectOf<TEntries> | undefined> {
  // The fields have the types of their entries, as in `objectTo`.
  return part(objectBy(entries, (fields, sent) => (fields ?? sent) as ObjectOf<TEntries>));
}

/** Like {@link node}, but with these fields only, `undefined` where absent, and with an enumerable `raw`. */
export function record<TEntries extends Entries>(
  entries: TEntries,
): Schema<Named<TEntries> & { readonly raw: Raw }> {
  return objectTo(entries, (fields, raw) => ({ ...named(entries, fields), raw }));
}

type Named<TEntries extends Entries> = {
  readonly [TName in keyof TEntries]: v.InferOutput<TEntries[TName]>;
};

/** The fields of these entries, `undefined` where absent. */
export function named<TEntries extends Entries>(entries: TEntries, fields: Raw): Named<TEntries> {
  // `fromEntries` loses the names. The entries have read the fields.
  return Object.fromEntries(Object.keys(entries).map((name) => [name, fields[name]])) as Named<TEntries>;
}

/** Adds `raw`. It is not enumerable; otherwise a logged or serialized entry would contain every field twice. */
export function withRaw<TValue extends object, TRaw>(value: TValue, raw: TRaw) {
  // `defineProperty` does not add to the type. By name, since most objects of a list have one.
  return Object.defineProperty(value, 'raw', { value: raw }) as TValue & { readonly raw: TRaw };
}

/** Reads a list. An entry that is `null` is left out, as are those of a {@link part} that do not fit. */
export function arrayOf<TOutput>(item: Schema<TOutput>): Schema<readonly NonNullable<TOutput>[]> {
  // For a part, `null` is one more value that does not fit.
  const entry = 'fallback' in item ? present(item) : v.nullable(item);
  return v.pipe(
    // What reads a schema is run as one, and has its output.
    v.array(entry as Schema<TOutput | null>, message),
    v.transform((entries) => entries.filter((one) => one !== null && one !== undefined)),
  );
}

/** The same for a field that may be absent, without the entries that do not fit. */
export function listOf<TOutput>(item: Schema<TOutput>): Schema<readonly NonNullable<TOutput>[] | undefined> {
  return part(arrayOf(part(item)));
}

export function firstOf<TOutput>(entry: Schema<TOutput>): Schema<TOutput> {
  return v.pipe(
    v.array(anything, message),
    v.transform((entries) => entries.slice(0, 1)),
    v.tuple([entry], message),
    v.transform(([first]) => first),
  );
}

/** A list within an object: the entries that the platform sent with the object. */
export interface InnerList<TItem> {
  readonly data: readonly TItem[];
  /** Whether the platform has more entries than these. Not enumerable. */
  readonly hasMore: boolean;
}

/** Reads the list within an object, such as `{ "data": [{ … }] }` of participants. Entries that do not fit are left out. */
export function dataOf<TOutput>(
  item: Schema<TOutput>,
): Schema<(InnerList<NonNullable<TOutput>> & { readonly raw: Raw }) | undefined> {
  return part(
    v.pipe(
      node({ data: arrayOf(part(item)) }),
      v.transform((list) => {
        const { paging } = list.raw;
        const read = withMore(list, paging);
        // Of the address of the next page, only that there is one is of use.
        if (isObject(paging))
          for (const name of ['next', 'previous']) if (name in paging) Reflect.deleteProperty(paging, name);
        return read;
      }),
    ),
  );
}

/** Adds `hasMore` to a list, or to a page of one: whether its `paging` has a next page. Not enumerable. */
export function withMore<TValue extends object>(value: TValue, paging: unknown) {
  const hasMore = isObject(paging) && typeof paging['next'] === 'string' && paging['next'] !== '';
  return withHidden(value, { hasMore });
}

/** An object that a write created. */
export interface Created {
  readonly id: string;
}

/** Reads the id of an object that a write created. Other fields are kept. */
export const createdSchema: Schema<Created> = objectOf({ id: idSchema });

/** How a lookup gets the id from the response to a write, and makes such a response from an id. */
export const asCreated = {
  idOf: ({ id }: Created): string | undefined => id,
  toValue: (id: string): Created => ({ id }),
};

/** The platform's confirmation. */
export interface Acknowledgement {
  readonly success: true;
}

/** Reads `{ "success": true }`, which some endpoints send as a string. Other fields are kept. */
export const acknowledgementSchema: Schema<Acknowledgement> = objectOf({
  success: v.pipe(
    anything,
    v.check((value) => value === true || value === 'true', 'expected true'),
    v.transform(() => true as const),
  ),
});

/** Like {@link acknowledgementSchema}, but returns `true`. `false` is handled earlier, as a refusal. */
export const successSchema: Schema<true> = v.pipe(
  acknowledgementSchema,
  v.transform(() => true as const),
);
