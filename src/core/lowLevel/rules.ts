import type { Context } from '../context.ts';
import { ConfigurationError } from '../errors.ts';
import { isAbsolute, isSameOrigin } from '../http/addresses.ts';
import type { GraphRequest, Params } from '../http/types.ts';
import { fieldsOf } from '../objects.ts';
import { checkOptions } from '../options/check.ts';
import { notJson, readJson } from '../options/json.ts';
import { type Read, readPart } from '../options/read.ts';
import * as rule from '../options/rules.ts';

/** A path, or an absolute address. Credentials in it are refused, since network failures quote it. */
export const target = rule.refine(rule.text, (value) =>
  !isAbsolute(value) || rule.isAddress(value)
    ? undefined
    : 'must be a path, or an http or https address without credentials',
);

/** Checks the address of a request, which is an argument, not an option. */
export function checkTarget(url: string): ConfigurationError | undefined {
  const checked = checkOptions({ url }, { url: target });
  return checked.isErr() ? checked.error : undefined;
}

/** Checks that the token of a low-level call goes to the graph, and is the only one. */
export function checkToken(
  context: Context,
  url: string,
  token: string | undefined,
  others: readonly (Readonly<Record<string, unknown>> | undefined)[],
): ConfigurationError | undefined {
  if (token === undefined) return undefined;
  if (!isGraph(context, url)) {
    return new ConfigurationError('a token goes to the graph alone: url is at another address', 'url');
  }
  return [takeOut(url).taken, ...others].some((one) => one?.['access_token'] ?? one?.['appsecret_proof'])
    ? new ConfigurationError('give token, or access_token and appsecret_proof, not both', 'token')
    : undefined;
}

/**
 * Whether a parameter `method` contradicts the method of a request. The platform follows the parameter: an apparent
 * read or DELETE would do something else, and would be sent again after a lost response, as a POST never is.
 */
export function hasOtherMethod(method: string, url: string, ...params: readonly unknown[]): boolean {
  return (
    method !== 'POST' &&
    [queryOf(url), ...params].some((one) =>
      Object.entries(fieldsOf(one)).some(
        ([name, value]) =>
          spells(name, 'method') &&
          [value].flat().some((each) => typeof each === 'string' && each.toUpperCase() !== method),
      ),
    )
  );
}

/** The parameters of an address. A later `?` may begin more of them. */
function queryOf(url: string): Readonly<Record<string, readonly string[]>> {
  const [, ...search] = url.replace(/#.*/s, '').split('?');
  const params = new URLSearchParams(search.join('&'));
  return Object.fromEntries([...params.keys()].map((name) => [name, params.getAll(name)]));
}

/** Whether a name may be read as that of a parameter, whatever its case: a list has its places in it, as `batch[0][method]`. */
function spells(name: string, parameter: string): boolean {
  return new RegExp(`^\\W*${parameter}\\W*(?:\\[|$)`, 'i').test(name);
}

/** Which member of a request holds a batch, however its name is spelled: the query of its path, or its parameters. */
export function holderOfBatch({
  path,
  ...params
}: Readonly<Record<'path', string> & Record<'params' | 'data', unknown>>): string | undefined {
  return Object.entries({ path: queryOf(path), ...params }).find(([, one]) =>
    Object.keys(fieldsOf(one)).some((name) => spells(name, 'batch')),
  )?.[0];
}

/** Checks that a request of the graph has the method that it says. */
export function checkMethod(
  context: Context,
  method: string,
  url: string,
  ...params: readonly unknown[]
): ConfigurationError | undefined {
  return isGraph(context, url) && hasOtherMethod(method, url, ...params)
    ? new ConfigurationError(`params must not give a ${method} another method: call it by that one`, 'params')
    : undefined;
}

/** Headers. */
export const headerRecord: rule.Rule = rule.copying((value) => {
  if (!isPlain(value)) return 'must be an object of texts';
  const copy = { ...value };
  const other = Object.keys(copy).find((name) => typeof copy[name] !== 'string');
  if (other !== undefined) return rule.faultOf('must be a text', other);
  try {
    // It throws for values that are not headers.
    new Headers(copy as Record<string, string>);
    return { copy };
  } catch {
    return 'must hold valid header names and values';
  }
});

/** Parameters, as the strings that are sent. */
export const params: rule.Rule = rule.copying(readParams);

function readParams(values: unknown): Read<Params> {
  if (!isPlain(values)) return rule.faultOf('must be an object');
  const copy: Record<string, string | null | undefined> = {};
  for (const name of Object.keys(values)) {
    if (!rule.isWellFormed(name)) return rule.faultOf(rule.notWellFormed);
    const read = readPart(name, () =>
      name === '__proto__' ? rule.faultOf(notJson) : readParam(values[name]),
    );
    if ('text' in read) return read;
    copy[name] = read.copy;
  }
  return { copy };
}

/** A value as it is sent in a query or a form. */
function readParam(value: unknown): Read<string | null | undefined> {
  if (value === undefined || value === null) return { copy: value };
  if (!Array.isArray(value)) {
    const read = readText(value);
    return 'text' in read ? read : { copy: textOf(read.copy) };
  }
  const parts: unknown[] = [];
  for (const [at, part] of value.entries()) {
    if (part === undefined || part === null) continue;
    const read = readPart(at, () => readText(part));
    if ('text' in read) return read;
    parts.push(read.copy);
  }
  return { copy: parts.some((part) => typeof part === 'object') ? JSON.stringify(parts) : parts.join(',') };
}

/** A bigint is a text of all its digits. */
function readText(value: unknown): Read<unknown> {
  return typeof value === 'bigint' ? { copy: String(value) } : readJson(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value to send as JSON, as its text. */
export const jsonText: rule.Rule = rule.copying((value) => {
  const read = readJson(value);
  return 'text' in read ? read : { copy: JSON.stringify(read.copy) };
});

/** A body, copied if the caller can change it. A stream that was read, or is being read, has nothing to send. */
export const body: rule.Rule = rule.copying<unknown>((value) => {
  if (isPlain(value)) return readParams(value);
  if (typeof value === 'string' && !rule.isWellFormed(value)) return rule.notWellFormed;
  if (value instanceof URLSearchParams) return { copy: new URLSearchParams(value) };
  if (value instanceof FormData) return { copy: copyOf(value) };
  if (value instanceof ArrayBuffer) return { copy: value.slice() };
  if (ArrayBuffer.isView(value)) {
    return { copy: new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice() };
  }
  if (isStream(value) && !isUnread(value)) return 'must be a stream that nothing else reads or has read';
  return typeof value === 'string' || value instanceof Blob || isStream(value)
    ? { copy: value }
    : 'must be an object of parameters, or a body that fetch takes';
});

function copyOf(form: FormData): FormData {
  const copy = new FormData();
  for (const [name, value] of form) copy.append(name, value);
  return copy;
}

/** Whether `fetch` would take a stream. */
function isUnread(stream: unknown): boolean {
  try {
    // It throws for what is not a stream.
    const init = { method: 'POST', body: stream as BodyInit, duplex: 'half' };
    return new Request('https://host.invalid', init) instanceof Request;
  } catch {
    return false;
  }
}

/** Whether a body can be read only once. */
export function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
}

/** The part of a body that can be inspected: bytes are left alone. */
export function partsOf(body: unknown): unknown {
  if (body instanceof URLSearchParams || body instanceof FormData) {
    return Array.from(body, ([name, value]) => ({ [name]: value }));
  }
  return typeof body === 'string' ? body : undefined;
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The low-level query as it is sent: its token goes where the context says, if the request goes to the graph. */
export function placed(
  context: Context,
  url: string,
  query: Params | undefined,
  headers?: Readonly<Record<string, string>>,
): Pick<GraphRequest<unknown>, 'query' | 'headers'> {
  const { access_token: token, ...rest } = query ?? {};
  return context.tokenTransport === 'header' && typeof token === 'string' && isGraph(context, url)
    ? {
        query: rest,
        headers: { authorization: `Bearer ${token}`, ...lowerCased(headers) },
      }
    : // A header for a token replaces one that is given.
      { query, headers: headers && lowerCased(headers) };
}

/** Headers by lower-case names. */
export function lowerCased(headers: GraphRequest<unknown>['headers']): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

function isGraph({ platform }: Context, url: string): boolean {
  return (
    !isAbsolute(url) || [platform.graphUrl, platform.picsGraphUrl].some((home) => isSameOrigin(url, home))
  );
}

/** Splits an address into its path and the token, proof and limit in it, which each page is requested with. */
export function takeOut(url: string): { readonly path: string; readonly taken: Params } {
  const [address = '', ...search] = url.replace(/#.*/s, '').split('?');
  const pairs = search.join('?').split('&');
  const isTaken = (pair: string): boolean => /^(?:access_token|appsecret_proof|limit)=/.test(pair);
  const rest = pairs.filter((pair) => pair !== '' && !isTaken(pair)).join('&');
  return {
    path: rest === '' ? address : `${address}?${rest}`,
    taken: Object.fromEntries(new URLSearchParams(pairs.filter(isTaken).join('&'))),
  };
}

/**
 * Parameters of a low-level request. Lists are sent with commas, objects as JSON, a `Date` as its ISO 8601 text, a
 * `URL` as its address, a bigint with all its digits; `null` and `undefined` are not sent, not even within a list. What JSON
 * would drop or change is refused, such as a `Map`, `NaN`, or a whole number above 2^53.
 */
export type RequestParams = Readonly<Record<string, unknown>>;

/** Parameters that their rule has read. */
export function toParams(read: RequestParams): Params {
  // It has made texts of them.
  return read as Params;
}

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
export const schemaRule = rule.optional(rule.satisfies(isSchema, 'a synchronous Standard Schema'));

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
): rule.Rule<TOutput> {
  return rule.copying((value) => {
    try {
      const read = schema['~standard'].validate(value);
      if ('then' in read) {
        // A promise, maybe of a library's own. What it comes to changes nothing.
        Promise.resolve(read).catch(() => undefined);
        return 'the schema is asynchronous';
      }
      if (read.issues !== undefined) {
        const [issue] = read.issues;
        const keys = issue?.path?.map((item) => String(typeof item === 'object' ? item.key : item));
        return rule.faultOf(expectedBy(issue), ...(keys ?? []));
      }
      if (!('value' in read)) return 'the schema gives neither a value nor issues';
      onRead?.(value, read.value);
      return { copy: read.value };
    } catch {
      return 'the schema throws';
    }
  });
}

/** An issue of valibot has what was expected in a member of its own. The name of a missing key is in quotes. */
function expectedBy(issue: unknown): string {
  const { expected } = fieldsOf(issue);
  if (typeof expected !== 'string') return 'it does not fit the schema';
  return `expected ${expected.startsWith('"') ? 'a value' : expected}`;
}
