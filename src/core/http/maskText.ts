export const mask = '[secret]';

/** A text in the form in which it is compared, and where in the original each of its signs begins. */
interface Reading {
  readonly text: string;
  readonly starts: ArrayLike<number>;
}

const escape =
  /(%[c-f][\da-f](?:%[89ab][\da-f]){1,3})|%([\da-f]{2})|\\{1,9}u([\da-f]{4})|&#x([\da-f]{1,4});|&#(\d{1,5});|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Makes what masks secrets in a text: as they are, and as they stand in an address, in JSON and in HTML,
 * encoded once or more often.
 *
 * No expression is made of a secret: both are brought into one form, and compared sign by sign. So the time is
 * linear in their lengths, whatever they are made of. What is shorter than four signs is not looked for: it
 * would turn up by chance.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  // Something follows a secret in a text, before which its last backslash is dropped.
  const patterns = secrets.map((secret) => read(`${secret}"`).map(({ text }) => text.slice(0, -1)));

  return (text) => {
    const marks = new Uint8Array(text.length + 1);
    read(text).forEach((reading, form, readings) => {
      if (reading === readings[form - 1]) return;
      for (const pattern of patterns) markAll(reading, pattern[form] ?? '', marks);
    });
    let shown = '';
    let end = 0;
    for (let start; (start = marks.indexOf(1, end)) >= 0; end = marks.indexOf(0, start)) {
      shown += text.slice(end, start) + mask;
    }
    return shown + text.slice(end);
  };
}

/** A text as it is, with its escapes resolved, and without the backslashes before signs, with which JSON escapes. */
function read(text: string): Reading[] {
  const asIs = { text: fold(text), starts: new Uint32Array(text.length + 1).map((_, index) => index) };
  let resolved: Reading = asIs;
  // What is resolved can be a part of an escape. No platform encodes more often.
  for (let depth = 0, last; depth < 6 && resolved !== last; depth++) {
    last = resolved;
    resolved = rewrite(
      resolved,
      escape,
      (_, encoded, byte, unit = byte, hex = unit, decimal = '', name = '') =>
        encoded
          ? (new URLSearchParams(encoded).keys().next().value ?? '')
          : fold(entities[name] ?? String.fromCharCode(hex ? parseInt(hex, 16) : Number(decimal))),
    );
  }
  return [asIs, resolved, rewrite(resolved, /\\(?=[^a-z\d])/g, () => '')];
}

/** Letters in lower case, blanks as in a form. */
function fold(text: string): string {
  return text.replace(/[A-Z ]+/g, (part) => part.toLowerCase().replaceAll(' ', '+'));
}

/** Puts other signs, which must not be more, in the place of each match. */
function rewrite(
  reading: Reading,
  pattern: RegExp,
  toSigns: (...match: (string | undefined)[]) => string,
): Reading {
  const starts = new Uint32Array(reading.starts.length);
  let count = 0;
  let end = 0;
  const keepUntil = (place: number): void => {
    for (; end < place; end++) starts[count++] = reading.starts[end] ?? 0;
  };
  const text = reading.text.replace(pattern, (...match) => {
    const signs = toSigns(...match);
    const place = match.at(-2) as number;
    keepUntil(place + signs.length);
    end = place + (match[0] as string).length;
    return signs;
  });
  if (end === 0) return reading;
  keepUntil(reading.text.length + 1);
  return { text, starts };
}

/** Marks where a secret stands, as Knuth, Morris and Pratt find it: no sign of the text is looked at twice. */
function markAll({ text, starts }: Reading, secret: string, marks: Uint8Array): void {
  const { length } = secret;
  if (length < 4 || length > text.length) return;
  const all = secret + text;
  // How long a beginning of the secret ends at each place.
  const matches = new Uint32Array(all.length);
  let marked = 0;
  for (let i = 1; i < all.length; i++) {
    let matched = i === length ? 0 : (matches[i - 1] ?? 0);
    while (matched === length || (matched > 0 && all[matched] !== all[i]))
      matched = matches[matched - 1] ?? 0;
    if (all[matched] === all[i]) matched++;
    matches[i] = matched;
    if (matched === length) {
      // Nothing is marked twice, where a secret overlaps itself.
      const end = starts[i + 1 - length] ?? 0;
      marks.fill(1, Math.max(marked, starts[i + 1 - 2 * length] ?? 0), end);
      marked = end;
    }
  }
}
