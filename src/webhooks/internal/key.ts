/**
 * A digest of a JSON value, of 96 bits. It is not made by Web Crypto, which is asynchronous and would delay the parsing for each event;
 * the key needs no cryptographic strength.
 */
export function digest(value: unknown): string {
  let text = '';
  try {
    text = JSON.stringify(value);
  } catch {
    // Thousands of levels, which no platform sends, are all the same.
  }
  let [a, b, c] = [1, 2, 3];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x85ebca77) ^ a;
    c = Math.imul(c ^ code, 0xc2b2ae3d) ^ b;
  }
  return [a, b, c].map((part) => (part >>> 0).toString(36)).join('-');
}
