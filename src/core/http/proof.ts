import { errAsync, ResultAsync } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';

/**
 * The proof that a request with `token` comes from the owner of `secret`: the lower-case hex
 * HMAC-SHA256 of the token, keyed by the app secret. Sent as `appsecret_proof`.
 *
 * Needed only beside the low-level functions: every other function adds it by itself.
 *
 * Fails with ConfigurationError when `token` or `secret` is empty.
 *
 * @example
 * const proof = await appSecretProof(token, secret);
 * if (proof.isOk()) console.log(proof.value.length);
 */
export function appSecretProof(token: string, secret: string): ResultAsync<string, ConfigurationError> {
  for (const [option, value] of Object.entries({ token, secret })) {
    if (typeof value !== 'string' || value === '') {
      return errAsync(new ConfigurationError(`${option} must be a non-empty string`, option));
    }
  }
  return ResultAsync.fromPromise(
    sign(token, secret),
    () => new ConfigurationError('this runtime has no Web Crypto to sign with'),
  );
}

/** The hex HMAC-SHA256 of `text`. Both are non-empty. */
export async function sign(text: string, secret: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytes.encode(text));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
