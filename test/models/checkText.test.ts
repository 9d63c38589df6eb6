import { describe, expect, test } from 'vitest';

import { checkText, textLimits } from '../../src/models/index.ts';
import { fc } from '../support/property.ts';

describe('checkText', () => {
  test.each([
    ['#a#b', { characters: 4, bytes: 4, hashtags: 2 }],
    ['', { characters: 0, bytes: 0, hashtags: 0, mentions: 0, links: 0 }],
    ['# # #! #_', { hashtags: 1 }],
    ['#Straße #café #東京 #été_2026', { hashtags: 4 }],
    ['#cafe\u0301s', { hashtags: 1 }],
    ['it&#39;s &#x27;so&#x27; #1 #2026 #24h a#b é#b e\u0301#b', { hashtags: 1 }],
    ['##a #a #  (#b) „#c“ ＃東京 #हिन्दी #ไทย #עברית #한국어', { hashtags: 9 }],
    ['#️⃣ #1️⃣ *️⃣', { hashtags: 0 }],
    ['https://a.example/b#part HTTP://c.example/@ann?x=#y #d @ben', { hashtags: 1, mentions: 1, links: 2 }],
    ['rene\u0301@example.org @ben.c.d. @@eve', { mentions: 2 }],
    ['@ann @ben.c, (@dora)', { mentions: 3 }],
    ['me@example.org @', { mentions: 0 }],
    ['👩‍👩‍👧', { characters: 5, bytes: 18 }],
    ['https://a.example http://b.example https://', { links: 2 }],
  ])('%j', (text, counts) => {
    expect(checkText(text, 'pics.caption')).toMatchObject({ ...counts, over: [] });
  });

  test('says what is over its limit, and by how much', () => {
    const text = `${'#a'.repeat(31)}${' @b'.repeat(22)}${' '.repeat(2200)}`;
    expect(checkText(text, 'pics.caption').over).toEqual([
      { what: 'characters', count: 2328, limit: 2200, by: 128 },
      { what: 'hashtags', count: 31, limit: 30, by: 1 },
      { what: 'mentions', count: 22, limit: 20, by: 2 },
    ]);
    expect(checkText('é'.repeat(501), 'pics.message').over).toEqual([
      { what: 'bytes', count: 1002, limit: 1000, by: 2 },
    ]);
    expect(checkText('é'.repeat(501), 'page.message').over).toEqual([]);
    expect(checkText('http://a http://b', 'pics.comment').over).toMatchObject([{ what: 'links', by: 1 }]);
  });

  test('takes each text that textLimits has, up to its limit', () => {
    const all = Object.entries(textLimits).flatMap(([place, texts]) =>
      Object.entries(texts).map(([name, limits]) => [`${place}.${name}`, limits] as const),
    );
    expect(all.length).toBeGreaterThan(10);
    for (const [kind, limits] of all) {
      const { characters, bytes = characters } = limits as { characters?: number; bytes?: number };
      // The names are those of `textLimits`.
      const over = (length: number) => checkText('a'.repeat(length), kind as 'page.post').over;
      expect(over(bytes ?? 0)).toEqual([]);
      expect(over((bytes ?? 0) + 1)).toMatchObject([{ by: 1 }]);
    }
  });

  test('refuses what is no text, and kinds that there are not', () => {
    // What plain JavaScript can pass.
    const loose = checkText as (text: unknown, kind: unknown) => unknown;
    expect(() => loose(7, 'page.post')).toThrow('text must be a string');
    expect(() => loose('a', 'page')).toThrow('kind must be one of textLimits, such as pics.caption');
    expect(() => loose('a', undefined)).toThrow('kind must be one of');
    for (const kind of ['__proto__.name', 'page.__proto__', 'page.constructor', 'constructor.name'])
      expect(() => loose('a', kind)).toThrow('kind must be one of');
  });

  test('counts the parts of a text as it counts the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const [a, b, both] = [one, other, `${one} ${other}`].map((text) => checkText(text, 'pics.caption'));
        for (const what of ['hashtags', 'mentions'] as const)
          expect(both?.[what]).toBe((a?.[what] ?? 0) + (b?.[what] ?? 0));
        expect(both?.characters).toBe((a?.characters ?? 0) + 1 + (b?.characters ?? 0));
      }),
    );
  });
});
