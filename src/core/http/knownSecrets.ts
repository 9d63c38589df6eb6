import { mayBeEscaped, readings } from './readings.ts';

export const mask = '[secret]';

/** A search for secrets in one reading of a text. */
interface Search {
  readonly read: (text: string) => string;
  /** The secrets in that reading, folded. */
  readonly forms: readonly string[];
}

/**
 * Creates a function that masks secrets in a text: as they are, and as they are encoded in addresses, in JSON and in
 * HTML, once or repeatedly. A text with an encoded secret is shown decoded. A truncated secret is masked from 12
 * characters on.
 *
 * Secrets are not turned into regular expressions: both are normalized, and compared in that form. A text is read once
 * for all secrets, whatever they contain.
 */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const searchesOf = (most: number): readonly Search[] =>
    inRounds(secrets).flatMap((round) =>
      readings.slice(0, most).map((read) => ({
        read,
        // A secret that ends with a backslash loses it in this reading if something follows, as in a text.
        forms: round.map((secret) => fold(read(`${secret}"`)).slice(0, -1)).filter(isLong),
      })),
    );
  const isEscaped = secrets.some((secret) => mayBeEscaped.test(secret));
  let beginnings: readonly string[] | undefined;
  let inPlain: readonly Search[] | undefined;
  let inAll: readonly Search[] | undefined;
  return (text) => {
    const hasReadings = isEscaped || mayBeEscaped.test(text);
    if (!hasReadings) {
      // Most texts hold no secret, and need no search then.
      beginnings ??= secrets.filter(isLong).map((secret) => fold(secret).slice(0, leastShown));
      const folded = fold(text);
      if (!beginnings.some((beginning) => folded.includes(beginning))) return text;
    }
    let hasTruncated = false;
    const searches = hasReadings ? (inAll ??= searchesOf(3)) : (inPlain ??= searchesOf(1));
    const shown = maskBy(searches, text, () => {
      hasTruncated = true;
    });
    // The most decoded reading first: the beginning of a secret may be plain, and the rest encoded.
    return hasTruncated ? maskBy(searches.toReversed(), shown) : shown;
  };
}

/** Shorter secrets are not searched for: they would occur by chance. */
function isLong({ length }: string): boolean {
  return length > 3;
}

/** How many characters of a truncated secret are masked at least. */
const leastShown = 12;

/** Secrets, those first of which others are a part. */
function inRounds(secrets: readonly string[]): readonly (readonly string[])[] {
  const rounds: string[][] = [];
  for (const secret of [...new Set(secrets)].sort((a, b) => b.length - a.length)) {
    const last = rounds.findLastIndex((round) => round.some((longer) => longer.includes(secret)));
    (rounds[last + 1] ??= []).push(secret);
  }
  return rounds;
}

/**
 * Masks what the searches find, one after another. With `onTruncated`, masks whole secrets, and calls it for truncated
 * ones; without it, masks truncated ones too.
 */
function maskBy(searches: readonly Search[], text: string, onTruncated?: () => void): string {
  return searches.reduce((shown, { read, forms }) => {
    const readable = read(shown);
    const masked = maskIn(readable, forms, onTruncated);
    return masked === readable ? shown : masked;
  }, text);
}

function maskIn(text: string, forms: readonly string[], onTruncated: (() => void) | undefined): string {
  let masked = '';
  let shownTo = 0;
  for (const [start, end] of findIn(fold(text), forms, onTruncated).sort(([a], [b]) => a - b)) {
    if (start >= shownTo) masked += text.slice(shownTo, start) + mask;
    shownTo = Math.max(shownTo, end);
  }
  return masked + text.slice(shownTo);
}

type Place = readonly [start: number, end: number];

function findIn(folded: string, forms: readonly string[], onTruncated: (() => void) | undefined): Place[] {
  const found: Place[] = [];
  for (const form of forms) {
    // The app's token begins with the app's id, which is not a secret.
    const head = form.slice(0, leastShown + (/^\d{1,20}\|/.exec(form)?.[0].length ?? 0));
    // The first 200 characters of a long secret count as the secret: comparing so few keeps the search linear.
    const least = onTruncated ? Math.min(form.length, 200) : 0;
    for (let at = 0; (at = folded.indexOf(head, at)) >= 0;) {
      const start = at;
      at += head.length;
      while (at - start < form.length && folded[at] === form[at - start]) at++;
      if (at - start >= least) found.push([start, at]);
      else {
        onTruncated?.();
        at = start + 1;
      }
    }
  }
  return found;
}

/** Lower-cased, and with spaces as a form encodes them. No character becomes two. */
function fold(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll(' ', '+');
}
