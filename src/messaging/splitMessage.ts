import { ConfigurationError } from '../core/errors.ts';
import { isWellFormed } from '../core/options/rules.ts';
import { textLimits } from '../models/textLimits.ts';

/**
 * Splits a text into parts that `sendMessage` takes one by one: of at most 2000 characters for a Page, and of 1000 bytes
 * of UTF-8 for a photo-sharing account. It is cut between words; a word that is longer than a part, between what people
 * take for characters, so that no emoji and no accent is torn. Blanks and line breaks are left out where it is cut, and
 * kept everywhere else. A blank text has no parts.
 *
 * A part of a Page is counted in UTF-16 code units, of which there are at least as many as characters.
 *
 * Throws a ConfigurationError for what is no text, or has half of a surrogate pair.
 *
 * @example
 * const parts = splitMessage('We are open until nine. '.repeat(100), 'page');
 * console.log(parts.length);
 */
export function splitMessage(text: string, platform: 'page' | 'pics'): readonly string[] {
  if (typeof text !== 'string' || !isWellFormed(text))
    throw new ConfigurationError('text must be a string without half of a surrogate pair', 'text');
  if (platform !== 'page' && platform !== 'pics')
    throw new ConfigurationError("platform must be 'page' or 'pics'", 'platform');
  const encoder = new TextEncoder();
  const [most, sizeOf] =
    platform === 'page'
      ? [textLimits.page.message.characters, (part: string) => part.length]
      : [textLimits.pics.message.bytes, (part: string) => encoder.encode(part).length];
  const parts: string[] = [];
  let part = '';
  let size = 0;

  /** Adds to the part, or begins another one with it. Returns false for what is too long for any. */
  function add(piece: string): boolean {
    const added = sizeOf(piece);
    if (size + added <= most) {
      part += piece;
      size += added;
      return true;
    }
    const begun = piece.trimStart();
    if (sizeOf(begun) > most) return false;
    end();
    part = begun;
    size = sizeOf(begun);
    return true;
  }

  function end(): void {
    const ended = part.trimEnd();
    if (ended !== '') parts.push(ended);
  }

  function addAll(pieces: Iterable<string>, [split, ...finer]: readonly Split[]): void {
    for (const piece of pieces) {
      if (!add(piece) && split !== undefined) addAll(split(piece), finer);
    }
  }

  // Blanks belong to the word after them. Words without blanks between them, as in Japanese, are told apart by their
  // characters. Few graphemes are longer than a part.
  addAll(text.trim().match(/\s*\S+/g) ?? [], [
    segments('word'),
    segments('grapheme'),
    (long) => Array.from(long),
  ]);
  end();
  return parts;
}

type Split = (text: string) => Iterable<string>;

function segments(granularity: 'word' | 'grapheme'): Split {
  return (text) =>
    Array.from(new Intl.Segmenter('en', { granularity }).segment(text), ({ segment }) => segment);
}
