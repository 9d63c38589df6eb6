/* Digests of texts by Web Crypto, in hexadecimal. Web Crypto works on other threads, so several can be computed in parallel. */

const encoder = new TextEncoder();

export async function sha256(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

/** Signs texts with HMAC-SHA256. The key must not be empty, and is imported once, with the first text. */
export function hmacSha256(key: string): (text: string) => Promise<string> {
  let prepared: Promise<CryptoKey> | undefined;
  return async (text) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    prepared ??= crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
    return toHex(await crypto.subtle.sign('HMAC', await prepared, encoder.encode(text)));
  };
}

export function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
