import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { type ConfigurationError, DeliveryError, type SignatureError } from '../core/errors.ts';
import { areTexts, wrong } from './signature.ts';
import { readSignedRequest, type SignedRequest } from './signedRequest.ts';
import { refuse } from './verifySignature.ts';

export type ParseSignedRequestFailure = SignatureError | DeliveryError | ConfigurationError;

/**
 * Reads a `signed_request`, which the platform sends in a form when a person removes the app or wants their data
 * deleted: see `createDeauthorizeHandler` and `createDataDeletionHandler`, which receive those. Several secrets are
 * tried, as for `verifySignature`: in login mode, give that of the app and that of its photo-sharing product.
 *
 * It can be replayed: nothing in it is valid only once.
 *
 * Fails with SignatureError: `missing` if there is none, `malformed` for another form or algorithm than HMAC-SHA256,
 * `mismatch` if none of the secrets signed it, or it has expired; with DeliveryError when it is signed, but names
 * no person. The comparison takes constant time.
 *
 * Source: platform guide, Data Deletion Request Callback.
 *
 * @example
 * const removed = await parseSignedRequest(rawBody, appSecret);
 * if (removed.isOk()) console.log(removed.value.user_id, removed.value.issued_at);
 */
export function parseSignedRequest(
  signedRequest: string,
  secrets: string | readonly string[],
): ResultAsync<SignedRequest, ParseSignedRequestFailure> {
  return new ResultAsync(parse(signedRequest, [secrets].flat()));
}

async function parse(
  signedRequest: string,
  secrets: readonly string[],
): Promise<Result<SignedRequest, ParseSignedRequestFailure>> {
  if (!areTexts(secrets)) return err(wrong('secrets'));
  const found = await readSignedRequest(signedRequest, secrets);
  if (typeof found !== 'string') return ok(found);
  if (found === 'unreadable') return err(new DeliveryError('the signed request names no person'));
  return refuse(found === 'expired' ? 'mismatch' : found);
}
