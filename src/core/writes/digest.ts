/**
 * A digest of a text, 128 bits of SHA-256: equal for equal texts only, and nothing of them can be read from it.
 *
 * Without Web Crypto, as in a page that was not loaded over HTTPS, all digests are equal: writes then count as
 * equal too, and a lost one is rather of unknown outcome than told a wrong id.
 */
export async function digest(text: string): Promise<string> {
  try {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return String.fromCharCode(...new Uint8Array(hash, 0, 16));
  } catch {
    return '';
  }
}
