import { type Rule, text } from '../options/check.ts';

/** What only has to be readable. */
export function any(): undefined {
  return undefined;
}

/** A path, or an absolute address. Credentials have no place in it: a network failure quotes it. */
export const target: Rule = (value) => {
  const fault = text(value);
  if (fault !== undefined || !/^https?:\/\//i.test(value as string)) return fault;
  const url = URL.canParse(value as string) ? new URL(value as string) : undefined;
  return url?.username === '' && url.password === ''
    ? undefined
    : 'must be a path, or an http or https address without credentials';
};

export function headerRecord(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  try {
    return isPlain(value) && new Headers(value as Record<string, string>)
      ? undefined
      : 'must be an object of texts';
  } catch {
    return 'must hold valid header names and values';
  }
}

/** A body. A stream that was sent, or is being read, has nothing to send. */
export const unread: Rule = (value) =>
  (Object(value) as { readonly locked?: unknown }).locked === true
    ? 'must be a stream that nothing else reads or has read'
    : undefined;

/** Whether a body can be read only once. */
export function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
}

/** What can be looked into of a body: bytes are left alone. */
export function fieldsOf(body: unknown): unknown {
  if (body instanceof URLSearchParams || body instanceof FormData) return Object.fromEntries(body);
  return typeof body === 'string' ? body : undefined;
}

/** An object of parameters, or none. */
export function record(value: unknown): string | undefined {
  return value === undefined || isPlain(value) ? undefined : 'must be an object';
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
