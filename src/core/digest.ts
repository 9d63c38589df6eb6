/*
 * Digests of texts, in hexadecimal, at once: Web Crypto computes each on another thread, which takes ten times as long for
 * a short text. The build contains what this uses of the library, so only what digests many texts imports it: a request
 * signs by Web Crypto, in `http/proof.ts`.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { _SHA256, sha256 as hash } from '@noble/hashes/sha2.js';

import { toHex } from './hex.ts';

type Digest = (text: string) => string;

const encoder = new TextEncoder();

/** The SHA-256 of a text. */
export const sha256: Digest = digestBy(new _SHA256());

/** Signs texts with HMAC-SHA256, for several texts under a key. */
export function hmacSha256(key: string): Digest {
  return digestBy(hmac.create(hash, encoder.encode(key)));
}

/** What is used of a hash of the library. */
interface Hash<TSelf> {
  clone(): TSelf;
  _cloneInto(to: TSelf): unknown;
  update(bytes: Uint8Array): unknown;
  digestInto(out: Uint8Array): void;
}

function digestBy<THash extends Hash<THash>>(begun: THash): Digest {
  // Reused for each text: to create them takes longer than to compute a digest.
  const work = begun.clone();
  const bytes = new Uint8Array(1024);
  const out = new Uint8Array(32);
  return (text) => {
    begun._cloneInto(work);
    // A character of a text has three bytes at most.
    const isShort = text.length * 3 <= bytes.length;
    work.update(isShort ? bytes.subarray(0, encoder.encodeInto(text, bytes).written) : encoder.encode(text));
    work.digestInto(out);
    return toHex(out);
  };
}
