import type { Params } from '../http/types.ts';

/**
 * Parameters of a low-level request. Lists are sent with commas, objects as JSON, a `Date` as its ISO 8601 text, a
 * `URL` as its address, a bigint with all its digits; `null` and `undefined` are not sent, nor within a list.
 */
export type RequestParams = Readonly<Record<string, unknown>>;

/** Values as they travel in a query or a form. Throws for what cannot travel. */
export function toParams(values: RequestParams): Params {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? value : toText(value)]),
  );
}

function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('not a value');
  if (typeof value !== 'object' || value === null)
    return String(value as string | number | boolean | bigint | null);
  if (Array.isArray(value)) {
    const parts = value.filter((part) => part !== undefined && part !== null);
    const texts = parts.map((part: unknown) =>
      typeof part !== 'object' || isTextual(part) ? toText(part) : part,
    );
    return texts.every((part) => typeof part !== 'object') ? texts.join(',') : JSON.stringify(parts);
  }
  return isTextual(value) ? value.toJSON() : JSON.stringify(value);
}

/** A `Date`, a `URL`, or what else JSON holds as a text. */
function isTextual(value: unknown): value is { toJSON(): string } {
  const { toJSON } = Object(value) as { readonly toJSON?: unknown };
  if (typeof value !== 'object' || typeof toJSON !== 'function') return false;
  const text: unknown = toJSON.call(value);
  if (text === null) throw new TypeError('an invalid date');
  return typeof text === 'string';
}
