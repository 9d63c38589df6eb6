import { describe, expect, test } from 'vitest';

import type { ListedEntry } from '../../../src/core/writes/lookups.ts';
import { type Evidence, isShownAs, matchEntry, reduceText } from '../../../src/core/writes/memory.ts';
import { fc } from '../../support/property.ts';

const entry = (createdAt: number, more: Partial<ListedEntry> = {}): ListedEntry => ({
  id: 'e',
  createdAt,
  text: 'hello',
  ...more,
});

function match(entries: readonly ListedEntry[], more: Partial<Evidence> = {}) {
  const { entry: found, open } = matchEntry({
    entries,
    span: { from: 100_000, until: 200_000 },
    text: 'hello',
    ownerOf: () => undefined,
    isDoubtful: () => false,
    ...more,
  });
  return { id: found?.id, open: open.map(({ id }) => id) };
}

describe('an entry is the own one', () => {
  test.each([
    ['alone', [entry(100_000)]],
    [
      'beside an older and a newer one',
      [entry(99_999, { id: 'o' }), entry(101_000), entry(200_001, { id: 'n' })],
    ],
    ['shown twice', [entry(101_000), entry(101_000)]],
    ['with other white space and signs', [entry(101_000, { text: ' Hello!\u00A0'.toLowerCase() })]],
  ])('%s', (_, entries) => {
    expect(match(entries)).toEqual({ id: 'e', open: ['e'] });
  });

  test('beside one with other words, which may be it as well', () => {
    const entries = [entry(101_000), entry(102_000, { id: 'x', text: 'bye' })];
    expect(match(entries)).toEqual({ id: 'e', open: ['e', 'x'] });
  });

  test('that carries its id, whatever it says and however many others there are', () => {
    const own = entry(Number.NaN, { id: 'self', text: 'edited', isOwn: true });
    expect(match([entry(101_000), entry(102_000, { id: 'x' }), own])).toMatchObject({ id: 'self' });
  });

  test('that is recorded for it', () => {
    const ownerOf = ({ id }: ListedEntry) => (id === 'x' ? 'self' : undefined);
    expect(match([entry(101_000), entry(1, { id: 'x', text: 'edited' })], { ownerOf })).toMatchObject({
      id: 'x',
    });
  });

  test('without a text, if it is the only one where one must be', () => {
    const hidden = { text: undefined, isCertain: true };
    expect(match([entry(101_000, { text: '' })], hidden)).toMatchObject({ id: 'e' });
    expect(match([entry(101_000, { text: undefined })], hidden)).toMatchObject({ id: 'e' });
    expect(match([entry(101_000, { text: '' })], { text: undefined })).toEqual({
      id: undefined,
      open: ['e'],
    });
    expect(match([entry(101_000, { text: 'a caption' })], hidden)).toEqual({ id: undefined, open: ['e'] });
    const two = [entry(101_000, { text: '' }), entry(102_000, { id: 'x', text: 'a caption' })];
    expect(match(two, hidden)).toEqual({ id: undefined, open: ['e', 'x'] });
  });
});

describe('an entry is not taken', () => {
  test.each<[string, readonly ListedEntry[], Partial<Evidence>, readonly string[]]>([
    ['that another write made', [entry(101_000)], { ownerOf: () => 'other' }, []],
    ['that another one may have made', [entry(101_000)], { isDoubtful: () => true }, ['e']],
    ['that is too old', [entry(99_999)], {}, []],
    ['without a readable time', [entry(Number.NaN)], {}, ['e']],
    ['with other words', [entry(101_000, { text: 'bye' })], {}, ['e']],
    ['whose text is not shown', [entry(101_000, { text: undefined })], {}, ['e']],
    ['that has its like', [entry(101_000), entry(102_000, { id: 'x' })], {}, ['e', 'x']],
    [
      'that carries its id, and is recorded for another',
      [entry(101_000, { isOwn: true })],
      { ownerOf: () => 'other' },
      [],
    ],
  ])('%s', (_, entries, more, open) => {
    expect(match(entries, more)).toEqual({ id: undefined, open });
  });
});

describe('a text', () => {
  test.each([
    ['One\r\ntwo', 'One\ntwo'],
    ['Caf\u00E9', 'Cafe\u0301'],
    ['Open\u00A0until nine', 'Open until nine.'],
    ['\u{1F389}', '\u{1F389}\uFE0F '],
  ])('%j is that of %j', (sent, shown) => {
    expect(reduceText(sent)).toBe(reduceText(shown));
  });

  test('of signs alone is not that of nothing', () => {
    expect(reduceText('\u{1F389}')).not.toBe('');
    expect(reduceText('\u{1F389}')).not.toBe(reduceText('\u{1F600}'));
  });

  test('is reduced once for all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(reduceText(reduceText(text))).toBe(reduceText(text));
      }),
    );
  });
});

describe('mentions', () => {
  test.each([
    ['Thanks, @[12200000000001495]!', 'Thanks, !'],
    ['@[123] and @[456:1:Ann] came', ' and  came'],
    ['Thanks, @[123]!', 'Thanks, @[123]!'],
  ])('are left out, as the platform strips them: %j is %j', (sent, shown) => {
    expect(reduceText(sent)).toBe(reduceText(shown));
    expect(match([entry(101_000, { text: shown })], { text: sent })).toMatchObject({ id: 'e' });
  });

  test.each([
    ['Thanks, @[123]!', 'Thanks, Caf\u00E9 Harbour & Sons!'],
    ['With @[123] and @[456] today', 'With Ann Lee and today'],
    ['@[123] was with us', 'Ann Lee was with us'],
  ])('are found where a name stands in their place: %j is %j', (sent, shown) => {
    expect(match([entry(101_000, { text: shown })], { text: sent })).toMatchObject({ id: 'e' });
  });

  test.each([
    // Too few words of its own, more than a name, other words, and words of the text twice.
    ['Hi @[123]', 'Hi everybody'],
    ['Thanks, @[123]!', `Thanks, ${'and again '.repeat(10)}`],
    ['Thanks, @[123], for coming', 'Thanks, Ann Lee, for leaving'],
    ['Come on @[123] on', 'Come on'],
  ])('show no name in such a text: %j, %j', (sent, shown) => {
    expect(match([entry(101_000, { text: shown })], { text: sent })).toEqual({ id: undefined, open: ['e'] });
  });

  test.each([
    ['@[123]', ''],
    ['@[123]', '@[456]'],
    ['@[123] ', '123456'],
  ])('that are all of a text make no other one equal to it: %j, %j', (sent, shown) => {
    expect(match([entry(101_000, { text: shown })], { text: sent })).toEqual({ id: undefined, open: ['e'] });
  });
});

test("an entry without an id is nobody's, and may be the only one with the text", () => {
  expect(match([entry(101_000, { id: '' })])).toEqual({ id: undefined, open: [''] });
  expect(match([entry(101_000, { id: '', isOwn: true })])).toEqual({ id: undefined, open: [''] });
});

test('each word between mentions is shown once for each time that it was written', () => {
  const text = 'aaaaa @[1] bcd @[2] bcd';

  expect(isShownAs(text, 'aaaaa Ada bcd Bo bcd')).toBe(true);
  expect(isShownAs(text, 'aaaaa Ada Byron bcd')).toBe(false);
});
