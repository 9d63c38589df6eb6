import { createHmac } from 'node:crypto';

import { beforeAll } from 'vitest';

/**
 * Web Crypto signs in another thread: to go there and back takes longer than to sign, and as long as the computer is busy,
 * while the clocks of tests go on. What tests proofs or memory signs by Web Crypto, and so does each process of its own.
 */
export function signHere(): void {
  const { subtle } = crypto;
  if (Object.hasOwn(subtle, 'sign')) return;
  const importKey = subtle.importKey.bind(subtle) as (...given: unknown[]) => Promise<CryptoKey>;
  const keys = new Map<string, Promise<CryptoKey>>();
  const sign = subtle.sign.bind(subtle);
  const secrets = new WeakMap<CryptoKey, Uint8Array>();
  Object.assign(subtle, {
    importKey: async (...given: unknown[]) => {
      const [format, secret] = given;
      // Each context of a test imports the same secret anew.
      const id = JSON.stringify(given);
      const imported = keys.get(id) ?? importKey(...given);
      keys.set(id, imported);
      const key = await imported;
      if (format === 'raw' && key.algorithm.name === 'HMAC' && secret instanceof Uint8Array)
        secrets.set(key, secret);
      return key;
    },
    sign: async (...[algorithm, key, text]: Parameters<SubtleCrypto['sign']>) => {
      const secret = secrets.get(key);
      if (secret === undefined) return sign(algorithm, key, text);
      // An HMAC has one, and what has one here is a text as bytes.
      const { hash } = key.algorithm as HmacKeyAlgorithm;
      const hmac = createHmac(hash.name, secret).update(text as Uint8Array);
      return new Uint8Array(hmac.digest()).buffer;
    },
  });
}

/** Lets the tests of a file sign by Web Crypto. A loop of calls that never leaves the thread frees no memory. */
export function signByWebCrypto(): void {
  beforeAll(() => {
    for (const name of ['importKey', 'sign']) Reflect.deleteProperty(crypto.subtle, name);
  });
}
