const mark: unique symbol = Symbol('digits');

/** An id that is a bare number on the wire, kept digit for digit. */
export interface Digits {
  readonly [mark]: string;
}

export function digits(id: string): Digits {
  return { [mark]: id };
}

/** The value of a JSON text; `undefined` if it is not valid. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without the members that are `undefined`. */
export function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** JSON as the platform writes it: `/` and non-ASCII characters are escaped, `undefined` members are left out. */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    if (mark in value) return String(value[mark]);
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${escaped(name)}:${toJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

function escaped(text: string): string {
  const json = JSON.stringify(text);
  if (!/[/\u007f-\uffff]/.test(json)) return json;
  return json
    .replaceAll('/', '\\/')
    .replaceAll(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
