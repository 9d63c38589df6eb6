export const mask = '[secret]';

const escape =
  /((?:%[\da-f]{2}){1,96})|(?<!\\)\\{1,99}u([\da-f]{4})|&#(x?[\da-f]{1,5});|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** How a text is read in turn: as it is, without its escapes, and without the backslashes with which JSON escapes signs. */
const readings = [(text: string) => text, (text: string) => withoutEscapes(text), withoutBackslashes];

/**
 * Makes what masks secrets in a text: as they are, and as they stand in an address, in JSON and in HTML,
 * encoded once or more often. A text in which one stands encoded is shown decoded.
 *
 * No expression is made of a secret: both are brought into one form, and compared in it. The time is linear in
 * their lengths, whatever they are made of. What is shorter than four signs is not looked for: it would turn up by
 * chance.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  // Something follows a secret in a text, before which its last backslash is dropped.
  const known = secrets.flatMap((secret) =>
    readings.map((read) => ({ read, secret: fold(read(`${secret}"`)).slice(0, -1) })),
  );

  return (text) =>
    known.reduce((shown, { read, secret }) => {
      const readable = read(shown);
      const masked = maskOne(readable, secret);
      return masked === readable ? shown : masked;
    }, text);
}

function maskOne(text: string, secret: string): string {
  // What begins like a long secret is one, be it cut: a search for so few signs is linear.
  const head = secret.slice(0, 200);
  if (head.length < 4) return text;
  const folded = fold(text);
  let masked = '';
  let end = 0;
  for (let at; (at = folded.indexOf(head, end)) >= 0;) {
    masked += text.slice(end, at) + mask;
    end = at + head.length;
    while (end < at + secret.length && folded[end] === secret[end - at]) end++;
  }
  return masked + text.slice(end);
}

/** Without cases, and with blanks as a form has them. No sign becomes two. */
function fold(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll(' ', '+');
}

function withoutEscapes(text: string, depth = 6): string {
  const resolved = text.replace(escape, (_, encoded, unit, number = `x${unit}`, name = '') =>
    encoded
      ? [...new URLSearchParams(encoded).keys()].join('')
      : (entities[name.toLowerCase()] ?? String.fromCharCode(Number(`0${number}`))),
  );
  // What is resolved can be a part of an escape. No platform encodes more often.
  return resolved === text || depth === 0 ? resolved : withoutEscapes(resolved, depth - 1);
}

function withoutBackslashes(text: string): string {
  return withoutEscapes(text).replace(/\\{1,999}(?=[^a-z\d])/gi, '');
}
