import * as v from 'valibot';

import { fieldsOf, optional, satisfies } from '../options/check.ts';

/** A synchronous schema of any library that follows Standard Schema, such as valibot, zod and arktype. */
export interface StandardSchema<TOutput = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<TOutput> | Promise<Validated<TOutput>>;
    readonly types?: { readonly input: unknown; readonly output: TOutput } | undefined;
  };
}

type Validated<TOutput> =
  | { readonly value: TOutput; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** The rule for a schema that may be left out. */
export const schemaRule = optional(satisfies(isSchema, 'a synchronous Standard Schema'));

/** Whether a value is a schema. An asynchronous one of valibot is not: it has the member `async: true`. */
function isSchema(value: unknown): boolean {
  const { validate } = fieldsOf(fieldsOf(value)['~standard']);
  return typeof validate === 'function' && fieldsOf(value)['async'] !== true;
}

/**
 * Reads a value by the schema of a caller, which may throw. The messages of its issues are not repeated, since those of
 * some libraries quote the value.
 */
export function readBy<TOutput>(
  schema: StandardSchema<TOutput>,
  onRead?: (value: unknown, output: TOutput) => void,
): v.GenericSchema<unknown, TOutput> {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, TOutput>(({ dataset, addIssue, NEVER }) => {
      let message = 'the schema throws';
      let path: v.IssuePathItem[] = [];
      try {
        const read = schema['~standard'].validate(dataset.value);
        if (read instanceof Promise) {
          // What it comes to changes nothing.
          read.catch(() => undefined);
          message = 'the schema is asynchronous';
        } else if (read.issues === undefined) {
          onRead?.(dataset.value, read.value);
          return read.value;
        } else {
          const [issue] = read.issues;
          message = expectedBy(issue);
          path = pathOf(dataset.value, issue?.path);
        }
      } catch {
        // `message` already says so.
      }
      const [first, ...rest] = path;
      addIssue({ message, path: first && [first, ...rest] });
      return NEVER;
    }),
  );
}

/** An issue of valibot has what was expected in a member of its own. The name of a missing key is in quotes. */
function expectedBy(issue: unknown): string {
  const { expected } = fieldsOf(issue);
  if (typeof expected !== 'string') return 'it does not fit the schema';
  return `expected ${expected.startsWith('"') ? 'a value' : expected}`;
}

/** A path in the format of issues of valibot. */
function pathOf(
  input: unknown,
  keys: readonly (PropertyKey | { readonly key: PropertyKey })[] = [],
): v.IssuePathItem[] {
  return keys.map((item) => {
    const key = typeof item === 'object' ? item.key : item;
    return { type: 'unknown', origin: 'value', input, key, value: undefined };
  });
}
