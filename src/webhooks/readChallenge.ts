import type { SignatureReason } from '../core/errors.ts';

/** A request of the platform for its challenge, its address, or its query. */
export type Handshake = Request | URL | URLSearchParams | string;

interface Challenge {
  readonly challenge: string;
  readonly reason?: undefined;
}

interface NoChallenge {
  readonly challenge?: undefined;
  /** Why there is none; `mismatch`: another verify token. */
  readonly reason: SignatureReason;
}

/** The challenge of a handshake, if it has the verify token. */
export function readChallenge(from: Handshake, verifyToken: string): Challenge | NoChallenge {
  const query = queryOf(from);
  const values = ['mode', 'verify_token', 'challenge'].map((name) => query.getAll(`hub.${name}`));
  const [mode, token = '', challenge = ''] = values.flat();
  if (values.some(({ length }) => length > 1)) return { reason: 'malformed' };
  if (values.some(([value]) => !value)) return { reason: 'missing' };
  if (mode !== 'subscribe') return { reason: 'malformed' };
  return isSame(token, verifyToken) ? { challenge } : { reason: 'mismatch' };
}

function queryOf(from: Handshake): URLSearchParams {
  try {
    // A string without a question mark is a query.
    const { url = from }: { readonly url?: unknown } = Object(from);
    return new URLSearchParams(String(url).replace(/^[^?]*\?|#.*/g, ''));
  } catch {
    return new URLSearchParams();
  }
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
