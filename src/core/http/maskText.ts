export const mask = '[secret]';

const escape =
  /((?:%[\da-f]{2}){1,96})|(?<!\\)\\{1,99}u([\da-f]{4})|&#(x?[\da-f]{1,5});|&(amp|lt|gt|quot|apos);/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** How a text is read in turn: as it is, without its escapes, and without the backslashes with which JSON escapes signs. */
const readings = [(text: string) => text, (text: string) => withoutEscapes(text), withoutBackslashes];

/** A secret in one reading, and how many signs of its beginning already are one. */
interface Known {
  readonly secret: string;
  readonly least: number;
}

/** One search through a text. */
interface Search {
  readonly read: (text: string) => string;
  /** All that is looked for. */
  readonly forms: string;
  /** The same, by the number of the first four signs. */
  readonly known: ReadonlyMap<number, readonly Known[]>;
}

/**
 * Makes what masks secrets in a text: as they are, and as they stand in an address, in JSON and in HTML,
 * encoded once or more often. A text in which one stands encoded is shown decoded. What breaks off within a secret is
 * masked from 12 signs on.
 *
 * No expression is made of a secret: both are brought into one form, and compared in it. A text is read for all
 * secrets at once, in a time that is linear in its length, whatever they are made of. What is shorter than four signs
 * is not looked for: it would turn up by chance.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  // A secret may be a part of another, which is masked before.
  const rounds: string[][] = [];
  for (const secret of [...new Set(secrets)].sort((a, b) => b.length - a.length)) {
    if (secret.length < 4) break;
    const last = rounds.findLastIndex((round) => round.some((longer) => longer.includes(secret)));
    (rounds[last + 1] ??= []).push(secret);
  }
  const searches = rounds.flatMap(searchesFor);

  return (text) => {
    let hasCut = false;
    const shown = maskBy(searches, text, () => {
      hasCut = true;
    });
    // The most decoded reading first: a beginning may stand as it is, and the rest encoded.
    return hasCut ? maskBy(searches.toReversed(), shown) : shown;
  };
}

function searchesFor(secrets: readonly string[]): Search[] {
  return readings.map((read) => {
    const known = new Map<number, Known[]>();
    // Something follows a secret in a text, before which its last backslash is dropped.
    const forms = secrets.map((secret) => fold(read(`${secret}"`)).slice(0, -1));
    for (const secret of forms) {
      if (secret.length < 4) continue;
      let head = 0;
      for (let at = 0; at < 4; at++) head = withNext(head, secret, at);
      // The app's token begins with the app's id, which is none.
      const open = /^\d{1,20}\|/.exec(secret)?.[0].length ?? 0;
      known.set(head, [...(known.get(head) ?? []), { secret, least: Math.min(secret.length, open + 12) }]);
    }
    return { read, forms: forms.join('\n'), known };
  });
}

/** Masks what the searches find: whole secrets where there is an `onCut`, which beginnings are told to; else these. */
function maskBy(searches: readonly Search[], text: string, onCut?: () => void): string {
  let shown = text;
  let done = '';
  for (const { read, forms, known } of searches) {
    const readable = read(shown);
    const search = `${forms}\n${readable}`;
    const masked = search === done ? readable : maskIn(readable, known, onCut);
    done = search;
    if (masked !== readable) shown = masked;
  }
  return shown;
}

function maskIn(text: string, known: Search['known'], onCut: (() => void) | undefined): string {
  const folded = fold(text);
  let masked = '';
  let end = 0;
  let head = 0;
  for (let at = 0; at < folded.length; at++) {
    head = withNext(head, folded, at);
    const start = at - 3;
    const found = start < end ? undefined : known.get(head);
    if (found === undefined) continue;
    for (const { secret, least } of found) {
      let length = 0;
      while (length < secret.length && folded[start + length] === secret[length]) length++;
      // What begins like a long secret is one: a search for so few signs is linear.
      const isFound = length >= (onCut ? Math.min(secret.length, 200) : least);
      if (!isFound && length >= least) onCut?.();
      if (!isFound || start + length <= end) continue;
      if (start >= end) masked += text.slice(end, start) + mask;
      end = start + length;
    }
  }
  return masked + text.slice(end);
}

/** A number for the four signs that end at a place, from that for the place before. */
function withNext(head: number, text: string, at: number): number {
  return ((head << 8) ^ text.charCodeAt(at)) & 0x3fffffff;
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
