import { parseExact, toDate } from './readEntry.ts';
import { indexOfSecret } from './signature.ts';

/** A person who removed the app, or wants their data deleted, as the platform reports them. */
export interface SignedRequest {
  /** The person, by the id for this app. In login mode, look for it among all ids of an account that you know. */
  readonly user_id: string;
  readonly issued_at: Date | undefined;
  readonly expires_at: Date | undefined;
  /** All of its fields except `oauth_token` and `code`. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Why there is none. */
export type NoSignedRequest = 'missing' | 'malformed' | 'mismatch' | 'expired' | 'unreadable';

/** A signature of 32 bytes in canonical form, and the signed text: base64 of either alphabet. */
const form = /^([\w+/-]{42}[AEIMQUYcgkosw048])=?\.([\w+/-]+={0,2})$/;

/** Checks the signature of a signed request and reads it, or returns why it cannot. */
export async function readSignedRequest(
  text: unknown,
  secrets: readonly string[],
): Promise<SignedRequest | NoSignedRequest> {
  if (text === '' || text === undefined || text === null) return 'missing';
  const [, signature, data] = form.exec(typeof text === 'string' ? text : '') ?? [];
  if (signature === undefined || data === undefined) return 'malformed';
  if ((await indexOfSecret(data, decode(signature).buffer, secrets)) < 0) return 'mismatch';
  try {
    const content = parseExact(new TextDecoder('utf-8', { fatal: true }).decode(decode(data)));
    const { oauth_token: _, code: __, ...raw }: Readonly<Record<string, unknown>> = Object(content);
    const { algorithm, expires, issued_at, user_id } = raw;
    if (!/^hmac-sha256$/i.test(String(algorithm))) return 'malformed';
    const expires_at = toDate(expires);
    if (expires_at && expires_at.getTime() <= Date.now()) return 'expired';
    if (typeof user_id === 'string' && user_id)
      return { user_id, issued_at: toDate(issued_at), expires_at, raw };
  } catch {
    // Reported like a request that names no person.
  }
  return 'unreadable';
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}
