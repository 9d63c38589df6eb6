import { ConfigurationError, type SignatureReason } from '../core/errors.ts';
import { noneOf } from '../core/options/unknown.ts';

/** The body of a request, unparsed. A string means its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | Uint8Array;

/**
 * The index of the secret that made a signature, which is an HMAC-SHA256; -1 if none did. It takes the same time wherever
 * signatures differ. Rejects for data that is neither text nor bytes.
 */
export async function indexOfSecret(
  data: RawBody,
  signature: ArrayBuffer,
  secrets: readonly string[],
): Promise<number> {
  const matches = await Promise.all(
    secrets.map(async (secret) => {
      const key = await crypto.subtle.importKey(
        'raw',
        toBytes(secret),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['verify'],
      );
      return crypto.subtle.verify('HMAC', key, signature, toBytes(data));
    }),
  );
  return matches.indexOf(true);
}

/** The signature in the value of `X-Hub-Signature-256`; `undefined` where there is none. */
export function readSignature(header: string | null | undefined): ArrayBuffer | undefined {
  const hex = String(header);
  if (!/^sha256=[\dA-Fa-f]{64}$/.test(hex)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, at) => parseInt(hex.substr(7 + 2 * at, 2), 16)).buffer;
}

/** The error for a member that is no option, or else for the first invalid option: `options` says of each what is wrong. */
export function firstInvalid(
  given: object,
  options: Readonly<Record<string, ConfigurationError | boolean | undefined>>,
): ConfigurationError | undefined {
  const known = Object.keys(options);
  for (const [name, value] of Object.entries(Object(given))) {
    if (value !== undefined && !known.includes(name)) return invalidOption(name, noneOf(known));
  }
  for (const name of known) {
    const isGood = options[name] ?? true;
    if (isGood !== true) return isGood || invalidOption(name);
  }
  return undefined;
}

/** Whether an option is a function, or absent. */
export function isHook(value: unknown): boolean {
  return value === undefined || typeof value === 'function';
}

/** Whether it is a number above 0. */
export function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** Whether it is a non-empty list of non-empty strings. */
export function areTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string' && value.trim() !== '');
}

/**
 * The error for secrets, or a verify token, that can match nothing. A blank or a line break at an end is of the file or the
 * terminal that it was copied from: every delivery would be refused, and nothing would say why.
 */
export function invalidSecret(option: string, values: readonly unknown[]): ConfigurationError | undefined {
  if (!areTexts(values)) return invalidOption(option);
  return !values.some((value) => /^\s|\s$/.test(String(value)))
    ? undefined
    : invalidOption(option, 'has a blank or a line break at an end');
}

export function invalidOption(option: string, what = 'is empty or of a wrong type'): ConfigurationError {
  return new ConfigurationError(`${option} ${what}`, option);
}

/** The bytes of a body, for functions of the runtime: they take any view, which compilers before 5.7 cannot say. */
export function toBytes(body: RawBody): ArrayBuffer {
  const bytes: ArrayBuffer | Uint8Array = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  // A view is not an ArrayBuffer, but is accepted wherever one is.
  return bytes as ArrayBuffer;
}

/** A request of the platform for its challenge, its address, or its query. */
export type Handshake = Request | URL | URLSearchParams | string;

/** The challenge of a handshake; or the reason why there is none, such as `mismatch` for another verify token. */
type Challenge =
  | { readonly challenge: string; readonly reason?: undefined }
  | { readonly challenge?: undefined; readonly reason: SignatureReason };

export function readChallenge(query: URLSearchParams, verifyToken: string): Challenge {
  const values = ['mode', 'verify_token', 'challenge'].map((name) => query.getAll(`hub.${name}`));
  const [mode, token = '', challenge = ''] = values.flat();
  if (values.some(({ length }) => length > 1)) return { reason: 'malformed' };
  if (values.some(([value]) => !value)) return { reason: 'missing' };
  if (mode !== 'subscribe') return { reason: 'malformed' };
  return isSame(token, verifyToken) ? { challenge } : { reason: 'mismatch' };
}

/** The query of an address; a text without a question mark is a query. */
export function queryOf(address: string): URLSearchParams {
  return new URLSearchParams(address.replace(/^[^?]*\?|#.*/g, ''));
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
