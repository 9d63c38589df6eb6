import { fc } from './property.ts';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/** Any character, as the unit of a string: like `unit: 'binary'`, which lists all million of them first. */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates }).map(
  (nth) => String.fromCodePoint(nth < firstSurrogate ? nth : nth + surrogates),
  (character) => {
    const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('not a character');
    if (point >= firstSurrogate && point < firstSurrogate + surrogates) throw new Error('a surrogate');
    return point < firstSurrogate ? point : point - surrogates;
  },
);
