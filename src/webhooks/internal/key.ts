/**
 * 96 bits of a text. Not by Web Crypto, for which the reading of a delivery would have to wait once an event; the key
 * guards nothing.
 */
export function digest(text: string): string {
  return [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d]
    .map((prime) => {
      let hash = prime;
      for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
      return (hash >>> 0).toString(36);
    })
    .join('-');
}
