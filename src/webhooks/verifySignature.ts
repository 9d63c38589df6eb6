import { err, type Err, ok, type Result, ResultAsync } from 'neverthrow';

import { ConfigurationError, SignatureError, type SignatureReason } from '../core/errors.ts';

/** A valid signature. */
export interface VerifiedSignature {
  /** Which of the secrets made the signature, counted from 0. */
  readonly secretIndex: number;
}

export type VerifySignatureFailure = SignatureError | ConfigurationError;

/**
 * Checks that a delivery was signed with one of the app's secrets: `header` is the value of
 * `X-Hub-Signature-256`, an HMAC-SHA256 of the raw body. The older SHA-1 header is never accepted.
 *
 * The body must be the bytes that were sent: the platform escapes `/` and all non-ASCII characters, so a body that was
 * parsed and serialized again has another signature. Several secrets are tried in order, for a rotation or for the two
 * secrets of a login-mode app.
 *
 * Fails with SignatureError: `missing` without a header, `malformed` for anything that is not `sha256=` and 64
 * hex digits, `mismatch` when it was made with none of the secrets. The comparison takes constant time.
 *
 * Source: platform guide, Webhooks, Validating Payloads.
 *
 * @example
 * const verified = await verifySignature(rawBody, request.headers.get('x-hub-signature-256'), appSecret);
 * if (verified.isErr()) console.error(verified.error.message);
 */
export function verifySignature(
  rawBody: RawBody,
  header: string | null | undefined,
  secrets: string | readonly string[],
): ResultAsync<VerifiedSignature, VerifySignatureFailure> {
  // Web Crypto refuses anything but strings and bytes.
  return new ResultAsync(verify(rawBody, header, [secrets].flat()).catch(() => err(wrong('rawBody'))));
}

async function verify(
  rawBody: RawBody,
  header: string | null | undefined,
  secrets: readonly string[],
): Promise<Result<VerifiedSignature, VerifySignatureFailure>> {
  if (!areTexts(secrets)) return err(wrong('secrets'));
  if (!isSignature(header)) return refuse(header ? 'malformed' : 'missing');
  const signature = Uint8Array.from({ length: 32 }, (_, at) => parseInt(header.substr(7 + 2 * at, 2), 16));
  const matches = await Promise.all(
    secrets.map(async (secret) => {
      const key = await crypto.subtle.importKey(
        'raw',
        toBytes(secret),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['verify'],
      );
      return crypto.subtle.verify('HMAC', key, signature, toBytes(rawBody));
    }),
  );
  const secretIndex = matches.indexOf(true);
  return secretIndex < 0 ? refuse('mismatch') : ok({ secretIndex });
}

/** The body of a request, unparsed. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | Uint8Array;

/** Whether it is a list of non-empty strings, and not empty itself. */
export function areTexts(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => typeof value === 'string' && value.trim() !== '');
}

/** Whether the value of a header could be a signature. */
export function isSignature(header: string | null | undefined): header is string {
  return /^sha256=[\dA-Fa-f]{64}$/.test(header as string);
}

export function wrong(option: string): ConfigurationError {
  return new ConfigurationError(`${option} is empty or of a wrong type`, option);
}

export function refuse(reason: SignatureReason): Err<never, SignatureError> {
  return err(new SignatureError(reason));
}

export function toBytes(body: RawBody): ArrayBuffer | Uint8Array<ArrayBuffer> {
  return typeof body === 'string'
    ? new TextEncoder().encode(body)
    : (body as ArrayBuffer | Uint8Array<ArrayBuffer>);
}
