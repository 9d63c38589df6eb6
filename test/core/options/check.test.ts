import { describe, expect, test } from 'vitest';

import {
  check,
  count,
  exactlyOneOf,
  flag,
  id,
  isAddress,
  names,
  optional,
  text,
  token,
  url,
} from '../../../src/core/options/check.ts';

const nothing = [undefined, null, 0, 1, true, {}, [], Symbol('x'), () => 'x'];

describe.each([
  ['text', text, ['a', ' a ', '0'], ['', ' ', '\n\t', ...nothing]],
  [
    'id',
    id,
    ['42', '42_1', 'me', '../me', '...', 'a/b', '😀'],
    ['', ' ', '.', '..', '\uD800', 'a\uDC00b', ...nothing],
  ],
  ['token', token, ['EAAB', 'a|b', '!~'], ['', ' ', 'a b', 'a\nb', 'a\r', 'ä', 'a\u0000', ...nothing]],
  [
    'count',
    count,
    [1, 25, Number.MAX_SAFE_INTEGER],
    [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '5', undefined, null, 5n],
  ],
  [
    'url',
    url,
    ['https://a.test', 'http://a.test/b?c'],
    ['', 'a', '//a.test', 'ftp://a.test', 'javascript:1', 'https://', 'https://[', ...nothing],
  ],
  ['flag', flag, [true, false], ['true', 0, 1, null, undefined]],
  ['names', names, [['a'], ['a', 'b']], [[], [''], ['a', ' '], [7], 'a', {}, null, undefined]],
] as const)('%s', (_, rule, good, bad) => {
  test('takes what is right, and says what is wrong with all else', () => {
    for (const value of good) expect(rule(value)).toBeUndefined();
    for (const value of bad) expect(rule(value)).toMatch(/^must /);
  });

  test('may be left out where it is optional', () => {
    expect(optional(rule)(undefined)).toBeUndefined();
    expect(optional(rule)(null)).toMatch(/^must /);
    expect(optional(rule)(good[0])).toBeUndefined();
  });
});

describe('check', () => {
  test('names the first option that is wrong', () => {
    const error = check({ pageId: '', limit: 0 }, { pageId: id, limit: count });

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'pageId',
      message: 'pageId must be a non-empty string',
    });
  });

  test('never repeats a token', () => {
    expect(check({ pageToken: 'hidden token' }, { pageToken: token })?.message).not.toContain('hidden');
  });

  test('takes the signal of any realm, and nothing else for one', () => {
    expect(check({ signal: new AbortController().signal }, {})).toBeUndefined();
    expect(
      check(
        {
          signal: { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined },
        },
        {},
      ),
    ).toBeUndefined();
    for (const signal of [null, 7, 'x', {}, new AbortController()]) {
      expect(check({ signal }, {})).toMatchObject({ option: 'signal' });
    }
  });

  test.each([[null], [undefined], ['x'], [7]])('takes no %j for options', (options) => {
    expect(check(options as unknown as object, {})).toMatchObject({ option: 'options' });
  });

  test('takes all that is right', () => {
    expect(check({ pageId: '42', extra: 1 } as object, {})).toBeUndefined();
  });
});

describe('isAddress', () => {
  test('tells by the protocol', () => {
    expect(isAddress('file:///a', /^file:/)).toBe(true);
    expect(isAddress('https://a.test', /^file:/)).toBe(false);
    expect(isAddress(undefined, /./)).toBe(false);
  });
});

test('exactly one of two options is needed', () => {
  const given = (options: object) => exactlyOneOf<{ a?: unknown; b?: unknown }>(options, 'a', 'b');

  expect([given({ a: 1 }), given({ b: '' })]).toEqual([undefined, undefined]);
  for (const options of [{}, { a: undefined }, { a: 1, b: 2 }]) {
    expect(given(options)).toMatchObject({
      name: 'ConfigurationError',
      message: 'give exactly one of a and b',
      option: 'a',
    });
  }
});
