import { errAsync, ResultAsync } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';
import { toHex } from '../hex.ts';

/**
 * The proof that a request with `token` comes from the owner of `secret`: the lower-case hex
 * HMAC-SHA256 of the token, keyed by the app secret. Sent as `appsecret_proof`.
 *
 * Only needed for low-level calls without the option `token`: all others add it themselves.
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

/** The hex HMAC-SHA256 of `text`. Both arguments must be non-empty. */
export function sign(text: string, secret: string): Promise<string> {
  return signBy(secret)(text);
}

const encoder = new TextEncoder();

/** Signs by Web Crypto, which a bundle need not contain. The key is imported once, with the first text: that takes longer than to sign. */
function signBy(secret: string): (text: string) => Promise<string> {
  let key: Promise<CryptoKey> | undefined;
  return async (text) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    key ??= crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
    return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await key, encoder.encode(text))));
  };
}

/** The maximum number of cached proofs, 1.5 MB of them. The oldest is removed first. */
const capacity = 10_000;

/** Returns the proof of a token under a secret, computed once. The cache holds hashes and proofs, but no tokens. */
export function createProofCache(secret: string): (token: string) => string | Promise<string> {
  const proofs = new Map<number, string>();
  const seed = Math.random() * 2 ** 32;
  const signWith = signBy(secret);

  return (token) => {
    const key = hashOf(token, seed);
    return proofs.get(key) ?? signAndKeep(key, token);
  };

  async function signAndKeep(key: number, token: string): Promise<string> {
    const proof = await signWith(token);
    proofs.set(key, proof);
    const [oldest = key] = proofs.keys();
    if (proofs.size > capacity) proofs.delete(oldest);
    return proof;
  }
}

/**
 * A 53-bit hash, from which the text cannot be recovered. The probability that any two of 10,000 tokens collide is below
 * 10^-8, and nobody can construct a collision, since the seed is random. A cryptographic digest would take as long as
 * the proof.
 */
export function hashOf(text: string, seed: number): number {
  let a = seed;
  let b = ~seed;
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x9e3779b1);
    b = Math.imul(b ^ a ^ (b >>> 15), 0x85ebca6b);
  }
  return (a >>> 0) * 2 ** 21 + (b >>> 11);
}
