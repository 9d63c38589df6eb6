import { ConfigurationError } from '../core/errors.ts';
import { unicode } from '../core/unicode.ts';
import { textLimits } from './textLimits.ts';

type Limits = typeof textLimits;

/** A text that has limits: `page.message`, `pics.caption` and so on, as `textLimits` names them. */
export type TextKind = {
  readonly [Place in keyof Limits]: `${Place}.${keyof Limits[Place] & string}`;
}[keyof Limits];

/** What the platform counts in a text, and what of it is too much. */
export interface TextCheck {
  /** Code points: an emoji can be several. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
  readonly hashtags: number;
  readonly mentions: number;
  readonly links: number;
  /** What is over its limit, in the order of `textLimits`; empty if nothing is. */
  readonly over: readonly TextExcess[];
}

export interface TextExcess {
  readonly what: 'characters' | 'bytes' | 'hashtags' | 'mentions' | 'links';
  /** How many there are. */
  readonly count: number;
  /** How many there may be. */
  readonly limit: number;
  /** How many are too many. */
  readonly by: number;
}

/**
 * Counts what the platform counts in a text, and compares it with `textLimits`, before anything is sent.
 *
 * A hashtag is a `#` (or `＃`) with letters, digits or `_` after it, and not digits alone. It stands at the beginning, after
 * a blank or punctuation, or directly after another one: `#a#b` are two. A mention is an `@` with a username after it, and
 * none within an address of e-mail. A link begins with `http://` or `https://` and ends at a blank: nothing in it is a
 * hashtag or a mention. `&#39;` is no hashtag either. Where hashtags begin and end is not documented, so a text at its very
 * limit may be counted otherwise by the platform, which decides.
 *
 * Throws a ConfigurationError for what is no text, or a kind that there is not.
 *
 * @example
 * const { characters, hashtags, over } = checkText('Open until nine. #harbour #coffee', 'pics.caption');
 * console.log(characters, hashtags); // 33 2
 * for (const { what, count, limit, by } of over) console.log(`${count} ${what} of ${limit}: ${by} too many`);
 */
export function checkText(text: string, kind: TextKind): TextCheck {
  if (typeof text !== 'string') throw new ConfigurationError('text must be a string', 'text');
  const limits = textLimitsOf(kind);
  // What looks like a hashtag or a mention in a link is a part of the link.
  const rest = text.replace(/https?:\/\/\S+/gi, ' ');
  const counts = {
    characters: Array.from(text).length,
    bytes: new TextEncoder().encode(text).length,
    hashtags: (rest.match(unicode(hashtags)) ?? []).reduce(
      (sum, some) => sum + countOf(some, /[#\uff03]/g),
      0,
    ),
    mentions: countOf(rest, unicode(String.raw`(?<![\p{L}\p{M}\p{N}_.])@[\w.]*\w`)),
    links: countOf(text, /https?:\/\/[^\s/]/gi),
  };
  const over = limits.flatMap(([what, limit]) => {
    const count = counts[what];
    return count > limit ? [{ what, count, limit, by: count - limit }] : [];
  });
  return { ...counts, over };
}

/** The limits of a text, as pairs. */
export function textLimitsOf(kind: TextKind): readonly (readonly [what: TextExcess['what'], most: number])[] {
  const texts: Readonly<Record<string, Readonly<Record<string, object>>>> = textLimits;
  const [place = '', name] = typeof kind === 'string' ? kind.split('.') : [];
  const [, limits] = Object.entries(texts[place] ?? {}).find(([own]) => own === name) ?? [];
  if (!limits) throw new ConfigurationError('kind must be one of textLimits, such as pics.caption', 'kind');
  // `textLimits` has numbers by the names of what is counted, and nothing else.
  return Object.entries(limits) as [TextExcess['what'], number][];
}

/**
 * One or several in a row. Behind a letter or digit there is none, and behind `&` it is a character in HTML; what begins
 * with a mark is the emoji of a key.
 */
const hashtags = String.raw`(?<![\p{L}\p{M}\p{N}_&])(?:[#\uff03](?!\p{M})(?=[\p{M}\p{N}]*[\p{L}_])[\p{L}\p{M}\p{N}_]+)+`;

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
