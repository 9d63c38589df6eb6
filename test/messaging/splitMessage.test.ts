import { describe, expect, test } from 'vitest';

import { splitMessage } from '../../src/messaging/splitMessage.ts';
import { textLimits } from '../../src/models/textLimits.ts';
import { sendMessage as sendAsPage } from '../../src/page/inbox.ts';
import { sendMessage as sendAsPics } from '../../src/pics/inbox.ts';
import { refusal, stubFetch } from '../core/stub.ts';
import { pageContext, picsContext, token } from '../support/context.ts';
import { fc } from '../support/property.ts';

const graphemesOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);
const words = (text: string): string => text.replace(/\s+/g, '');
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe('a text in parts', () => {
  test('is one part where it is short enough, and none where it is blank', () => {
    for (const platform of ['page', 'pics'] as const) {
      expect(splitMessage('Open until nine.\n\nSee you', platform)).toEqual(['Open until nine.\n\nSee you']);
      for (const blank of ['', ' ', '\n\t\u00a0']) expect(splitMessage(blank, platform)).toEqual([]);
      expect(splitMessage('x'.repeat(1000), platform)).toHaveLength(1);
    }
    expect(splitMessage('x'.repeat(2000), 'page')).toHaveLength(1);
  });

  test('is cut between words, and keeps blanks elsewhere', () => {
    const [first, second] = ['a'.repeat(1200), `${'b'.repeat(900)} b  b\n\nb`];
    expect(splitMessage(` ${first} \n ${second}\n`, 'page')).toEqual([first, second]);
    const sentence = 'Wir haben täglich ab neun geöffnet. ';
    for (const part of splitMessage(sentence.repeat(200), 'pics')) {
      expect(part).toMatch(/^\S(?:.*\S)?$/);
      expect(`${part} `).toMatch(/(?:täglich|Wir|haben|ab|neun|geöffnet\.) $/);
    }
  });

  test('is cut within a word that is too long, but not within what people take for a character', () => {
    const family = '👩‍👩‍👧‍👦';
    for (const [sign, platform, most] of [
      [family, 'page', Math.floor(2000 / family.length)],
      [family, 'pics', Math.floor(1000 / bytesOf(family))],
      ['e\u0301', 'pics', 333],
      ['🇩🇪', 'pics', 125],
    ] as const) {
      const parts = splitMessage(sign.repeat(most * 2 + 1), platform);
      expect(parts).toEqual([sign.repeat(most), sign.repeat(most), sign]);
    }
  });

  test('finds the words of a language that has no blanks between them', () => {
    const [first = '', second = ''] = splitMessage('東京タワー'.repeat(100), 'pics');
    // 333 characters would have room.
    expect([first.length, second.slice(0, 5)]).toEqual([330, '東京タワー']);
  });

  test('has parts even where one character is too long', () => {
    const [first, ...rest] = splitMessage(`a${'\u0301'.repeat(1200)}`, 'pics');
    expect(first).toBe(`a${'\u0301'.repeat(499)}`);
    expect(rest.join('')).toBe('\u0301'.repeat(701));
  });

  test('loses nothing but blanks, is never torn, and is never too long', () => {
    const sign = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('a', 'ß', '漢', 'ก', 'e\u0301', '👩‍👩‍👧', '🇩🇪', '.', '-', '한') },
      { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '  ', '\u00a0', '\t') },
    );
    const long = fc.array(sign, { minLength: 100, maxLength: 3000 }).map((signs) => signs.join(''));
    fc.assert(
      fc.property(long, fc.constantFrom('page' as const, 'pics' as const), (text, platform) => {
        const parts = splitMessage(text, platform);
        expect(words(parts.join(''))).toBe(words(text));
        // Nothing but blanks lies between two parts, so what is in them are whole characters.
        expect(parts.flatMap((part) => graphemesOf(words(part)))).toEqual(
          text.split(/\s+/).flatMap((word) => graphemesOf(word)),
        );
        for (const part of parts) {
          expect(part.trim()).toBe(part);
          expect(part).not.toBe('');
          expect(platform === 'page' ? part.length : bytesOf(part)).toBeLessThanOrEqual(
            platform === 'page' ? textLimits.page.message.characters : textLimits.pics.message.bytes,
          );
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is taken by sendMessage, and would not be with one more character', async () => {
    const fetch = stubFetch(refusal(100));
    const onPage = (text: string) =>
      sendAsPage(pageContext({ fetch }), { pageId: '42', pageToken: token, recipientId: '7', text });
    const onPics = (text: string) => sendAsPics(picsContext({ fetch }), { token, recipientId: '7', text });
    for (const [platform, send] of [
      ['page', onPage],
      ['pics', onPics],
    ] as const) {
      const [part = ''] = splitMessage('ä'.repeat(3000), platform);
      expect(await send(part)).toMatchObject({ error: { name: 'ApiError' } });
      expect(await send(`${part}ä`)).toMatchObject({ error: { name: 'ConfigurationError', option: 'text' } });
    }
  });

  test.each([undefined, 7, '\uD83D', `${'x'.repeat(3000)}\uDE00`])(
    'is not made of what is none: %#',
    (text) => {
      expect(() => splitMessage(text as string, 'page')).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option: 'text' }),
      );
    },
  );

  test('is for one of two platforms', () => {
    expect(() => splitMessage('x', 'Page' as 'page')).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option: 'platform' }),
    );
  });
});
