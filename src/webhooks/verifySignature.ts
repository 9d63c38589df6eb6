import { err, type Err, ok, type Result, ResultAsync } from 'neverthrow';

import { type ConfigurationError, SignatureError, type SignatureReason } from '../core/errors.ts';
import { areTexts, type RawBody, readSignature, indexOfSecret, wrong } from './signature.ts';

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
 * parsed and serialized again no longer matches. Several secrets are tried in order, for a rotation or for the two
 * secrets of a login-mode app.
 *
 * Fails with SignatureError: `missing` without a header, `malformed` for anything that is not `sha256=` and 64 hex
 * digits, `mismatch` when none of the secrets matches. The comparison takes constant time.
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
  data: RawBody,
  header: string | null | undefined,
  secrets: readonly string[],
): Promise<Result<VerifiedSignature, VerifySignatureFailure>> {
  if (!areTexts(secrets)) return err(wrong('secrets'));
  const signature = readSignature(header);
  if (!signature) return refuse(header ? 'malformed' : 'missing');
  const secretIndex = await indexOfSecret(data, signature, secrets);
  return secretIndex < 0 ? refuse('mismatch') : ok({ secretIndex });
}

export function refuse(reason: SignatureReason): Err<never, SignatureError> {
  return err(new SignatureError(reason));
}
