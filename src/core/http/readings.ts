/** Characters as they are escaped in addresses, in JSON and in HTML: `%41`, `\u0041`, `\x41`, `&#65;`, `&amp;`. */
const escape =
  /((?:%[\da-f]{2}){1,96})|(?<!\\)\\{1,99}(?:u([\da-f]{4})|(x[\da-f]{2}))|&#(x?[\da-f]{1,5});|&(amp|lt|gt|quot|apos);/gi;
/** Without one of these characters, all readings of a text are the same. */
export const mayBeEscaped = /[%&\\]/;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The readings of a text, in turn: as it is, unescaped, and without the backslashes with which JSON escapes characters.
 */
export const readings = [(text: string) => text, (text: string) => withoutEscapes(text), withoutBackslashes];

function withoutEscapes(text: string, depth = 6): string {
  const resolved = text.replace(escape, (_, encoded, unit, hex = `x${unit}`, number = hex, name = '') =>
    encoded
      ? [...new URLSearchParams(encoded).keys()].join('')
      : (entities[name.toLowerCase()] ?? String.fromCharCode(Number(`0${number}`))),
  );
  // The result of decoding can be part of another escape. No platform encodes more often than this.
  return resolved === text || depth === 0 ? resolved : withoutEscapes(resolved, depth - 1);
}

export function withoutBackslashes(text: string): string {
  return withoutEscapes(text).replace(/\\{1,999}(?=[^a-z\d])/gi, '');
}
