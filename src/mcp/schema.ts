/** What a tool takes, as far as JSON Schema is needed for it. */
export type Schema =
  | { readonly type: 'string'; readonly description?: string; readonly enum?: readonly string[] }
  | {
      readonly type: 'integer';
      readonly description?: string;
      readonly minimum: number;
      readonly maximum: number;
    }
  | {
      readonly type: 'array';
      readonly description?: string;
      readonly items: Schema;
      readonly maxItems: number;
    }
  | ObjectSchema;

export interface ObjectSchema {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** An object with these members and no others. */
export function objectSchema(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Says what is wrong with a value, or nothing. */
export function faultIn(schema: Schema, value: unknown, path = 'arguments'): string | undefined {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string' || value === '')
        return `${path} must be a text, in quotes if it is an id`;
      return schema.enum === undefined || schema.enum.includes(value)
        ? undefined
        : `${path} must be one of ${schema.enum.join(', ')}`;
    case 'integer':
      return Number.isInteger(value) && Number(value) >= schema.minimum && Number(value) <= schema.maximum
        ? undefined
        : `${path} must be a whole number from ${schema.minimum} to ${schema.maximum}`;
    case 'array':
      if (!Array.isArray(value) || value.length > schema.maxItems)
        return `${path} must be a list of at most ${schema.maxItems}`;
      return firstOf(value, (item, at) => faultIn(schema.items, item, `${path}[${at}]`));
    case 'object':
      return faultInObject(schema, value, path);
  }
}

function faultInObject(
  { properties, required = [] }: ObjectSchema,
  value: unknown,
  path: string,
): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} must be an object`;
  const lacking = required.find((name) => !Object.hasOwn(value, name));
  if (lacking !== undefined) return `${path}.${lacking} is missing`;
  return firstOf(Object.entries(value), ([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema === undefined
      ? `${path} has no ${name}: ${Object.keys(properties).join(', ')}`
      : faultIn(schema, member, `${path}.${name}`);
  });
}

function firstOf<T>(
  items: readonly T[],
  faultOf: (item: T, at: number) => string | undefined,
): string | undefined {
  for (const [at, item] of items.entries()) {
    const fault = faultOf(item, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
