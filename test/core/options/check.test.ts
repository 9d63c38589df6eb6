import assert from 'node:assert';

import { ok, okAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { check, exactlyOneOf, type Rules } from '../../../src/core/options/check.ts';
import * as rule from '../../../src/core/options/rules.ts';
import { checkChanges } from '../../../src/core/settings.ts';
import { faultIn } from '../../support/rules.ts';

const nothing = [undefined, null, 0, 1, true, {}, [], Symbol('x'), () => 'x'];

/** What throws whatever is done with it. */
function unreadable(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe.each([
  ['text', rule.text, ['a', ' a ', '0', '👩‍👩‍👧'], ['', ' ', '\n\t', 'a\uD83D', '\uDE00', ...nothing]],
  [
    'id',
    rule.id,
    ['42', '42_1', 'me', '../me', '...', 'a/b', '😀'],
    ['', ' ', '.', '..', '\uD800', 'a\uDC00b', ...nothing],
  ],
  ['token', rule.token, ['EAAB', 'a|b', '!~'], ['', ' ', 'a b', 'a\nb', 'a\r', 'ä', 'a\u0000', ...nothing]],
  [
    'count',
    rule.count,
    [1, 25, Number.MAX_SAFE_INTEGER],
    [0, -1, 1.5, Number.NaN, Infinity, 2 ** 53, '5', undefined, null, 5n],
  ],
  [
    'url',
    rule.url,
    ['https://a.test', 'http://a.test/b?c'],
    [
      '',
      'a',
      '//a.test',
      'ftp://a.test',
      'javascript:1',
      'https://',
      'https://[',
      // Another parser may see another host in these.
      'https://a.test\\@b.test/',
      'https://a.test\\b',
      'https://a.test@b.test/',
      'https://a:b@b.test/',
      'https://@b.test/',
      'https:/a.test',
      'https:///a.test',
      'https://a.test/b?c=\\',
      ...[' ', '\n', '\t', '\u0000', '\u007f', '\u00a0', '\u2028'].flatMap((blank) => [
        `https://a.test${blank}`,
        `https://a.test/${blank}b`,
        `https://a.test/b${blank}`,
        `${blank}https://a.test/b`,
      ]),
      'https://a.test/\uD83D',
      ...nothing,
    ],
  ],
  [
    'exactUrl',
    rule.exactUrl,
    ['https://a.test', 'HTTP://A.test:80/b/../c?d=|'],
    ['https://a.test/ä', 'https://bücher.example', 'https://a.test/b ', 'https://a@a.test', 'a', ...nothing],
  ],
  ['string', rule.string, ['', ' ', '😀'], ['\uD83D', 'a\uDE00b', 'cut \uD83D', ...nothing]],
  [
    'username',
    rule.username,
    ['ada', '@ada', ' @a.d_a1 \n'],
    ['', ' ', '@', '@@ada', 'a b', 'ä', 'a)', ...nothing],
  ],
  ['credential', rule.credential, ['a', 'a b'], ['', ' ', 'a\n', ' a', 'a\r\n', 'a\u00a0', ...nothing]],
  ['flag', rule.flag, [true, false], ['true', 0, 1, null, undefined]],
  ['names', rule.names, [['a'], ['a', 'b']], [[], [''], ['a', ' '], [7], 'a', {}, null, undefined]],
] as const)('%s', (_, one, good, bad) => {
  test('takes what is right, and says what is wrong with all else', () => {
    for (const value of good) expect(faultIn(one, value)).toBeUndefined();
    for (const value of bad) expect(faultIn(one, value)).toMatch(/^must /);
  });

  test('may be left out where it is optional', () => {
    for (const value of [undefined, good[0]])
      expect(faultIn(rule.optional<unknown>(one), value)).toBeUndefined();
  });
});

describe('check', () => {
  const context = { isComplete: true };
  const checked = (options: object, rules: Rules<object> & Record<string, rule.Rule> = {}) =>
    check<object>(context, options, rules);

  test('names the first option that is wrong', () => {
    expect(
      checked({ pageId: '', limit: 0 }, { pageId: rule.id, limit: rule.count })._unsafeUnwrapErr(),
    ).toMatchObject({
      name: 'ConfigurationError',
      option: 'pageId',
      message: 'pageId must be a non-empty string',
    });
  });

  test.each<readonly [string, string]>([
    // Letter by letter, since it may be signed or compared.
    ...[
      'https://a.test',
      'https://a.test/b?c=%20',
      'HTTPS://A.test:443/a/../b.jpg?sig=a~b|c%2f#d',
      'http://[::1]:80',
      'https://a.test?b@c:d/e',
    ].map((same) => [same, same] as const),
    // What is not ASCII is encoded, and nothing else.
    ['https://a.test:443/ä/../c?d=e|é#😀', 'https://a.test:443/%C3%A4/../c?d=e|%C3%A9#%F0%9F%98%80'],
    ['https://A.test/ä', 'https://A.test/%C3%A4'],
    ['https://a。test:443/x', 'https://a.test:443/x'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('sends the address %j as %s', (given, sent) => {
    expect(checked({ link: given }, { link: rule.url })._unsafeUnwrap()).toEqual({ link: sent });
  });

  const spelt = {
    pageId: rule.optional(rule.id),
    scheduledAt: rule.optional(rule.count),
    waitTimeoutMs: rule.optional(rule.count),
    fields: rule.optional(rule.count),
    items: rule.optional(rule.count),
    from: rule.optional(rule.count),
    imageUrl: rule.optional(rule.count),
    imageUrls: rule.optional(rule.count),
    trial: rule.onlyFor('Reels'),
  };

  test.each([
    ['scheduled_at', 'scheduledAt'],
    ['scheduled-at', 'scheduledAt'],
    ['scheduledat', 'scheduledAt'],
    ['scheduleAt', 'scheduledAt'],
    ['shceduledAt', 'scheduledAt'],
    ['scheduledAtt', 'scheduledAt'],
    ['schedulexAt', 'scheduledAt'],
    ['wait_timeout', 'waitTimeoutMs'],
    ['waitTimeout', 'waitTimeoutMs'],
    ['waitTimeoutSeconds', 'waitTimeoutMs'],
    ['page_id', 'pageId'],
    ['PAGEID', 'pageId'],
    ['page-id', 'pageId'],
    ['waittimeoutms', 'waitTimeoutMs'],
    ['wait-timeout-ms', 'waitTimeoutMs'],
    ['WAIT_TIMEOUT_MS', 'waitTimeoutMs'],
    ['FIELDS', 'fields'],
    ['Field', 'fields'],
    ['Item', 'items'],
    ['ITEMS', 'items'],
    ['form', 'from'],
    ['fom', undefined],
    ['fram', undefined],
    ['image_url', 'imageUrl'],
    ['image_urls', 'imageUrls'],
    ['imageUrlx', undefined],
    ['placeId', undefined],
    ['scheduled', undefined],
    ['geoRestriction', undefined],
    ['trail', undefined],
    ['', undefined],
    ['__proto__', undefined],
    ['toString', undefined],
  ])('refuses %s, and names %s', (name, meant) => {
    const own = Object.defineProperty({}, name, { value: 7, enumerable: true });
    const others = 'pageId, scheduledAt, waitTimeoutMs, fields, items, from, imageUrl, imageUrls';
    const text = `${name} is not an option${meant ? `: ${meant} is` : `; the options are ${others}`}`;

    expect(checked(own, spelt)._unsafeUnwrapErr()).toMatchObject({
      option: name,
      message: meant ? text : `${text}, signal`,
    });
    expect(
      checked({ all: [own] }, { all: rule.listOf(rule.fields(spelt)) })._unsafeUnwrapErr(),
    ).toMatchObject({
      option: `all[0].${name}`,
      message: `all[0].${text}`,
    });
    // What is meant may be given, too.
    expect(checked({ pageId: '1', scheduledAt: 2, [name]: '7' }, spelt).isErr()).toBe(true);
  });

  test.each([0, '', false, null, Number.NaN, [], {}, () => 0])(
    'refuses an option that there is not: %s',
    (value) => {
      const rules = { list: rule.optional(rule.listOf(rule.fields({ a: rule.optional(rule.text) }))) };

      expect(checked({ b: value }, rules)._unsafeUnwrapErr()).toMatchObject({ option: 'b' });
      expect(checked({ list: [{}, { b: value }] }, rules)._unsafeUnwrapErr()).toMatchObject({
        option: 'list[1].b',
      });
      expect(checked({ b: undefined, list: [{ b: undefined }] }, rules).isOk()).toBe(true);
    },
  );

  test('names what a context has, but for options of the call that are as near', () => {
    const text = 'is not an option of a call: withOptions gives it to a context';
    for (const name of ['timeoutMs', 'timeout', 'deadlineMs', 'deadline_ms', 'retry', 'lane']) {
      expect(checked({ [name]: 5 }, spelt)._unsafeUnwrapErr().message).toBe(`${name} ${text}`);
    }
    expect(checked({ line: 5 }, { link: rule.optional(rule.text) })._unsafeUnwrapErr().message).toBe(
      'line is not an option; the options are link, signal',
    );
    expect(checked({ deadline: 5 }, { deadlines: rule.optional(rule.text) })._unsafeUnwrapErr().message).toBe(
      'deadline is not an option: deadlines is',
    );
  });

  test('knows all that withOptions takes', () => {
    const { message } = checkChanges({ dryRun: 1 })._unsafeUnwrapErr();
    const [, names = ''] = message.split('the options are ');

    expect(names).toContain('timeoutMs, ');
    for (const name of names.split(', '))
      expect(checked({ [name]: 5 }, spelt)._unsafeUnwrapErr().message).toContain('withOptions gives it');
  });

  test('does not repeat a token that is given as a name', () => {
    const error = checked({ EAAOpasted0by0mistake01234: 1 }, {})._unsafeUnwrapErr();
    expect(`${error.message} ${error.option}`).not.toContain('pasted');
  });

  test('keeps what the platform may name, but for near misses of what is not given', () => {
    const rules = {
      json: rule.copyOfJson(rule.openFields({ title: rule.text, image_url: rule.optional(rule.url) })),
    };
    const kept = { title: 'A', subtitle: 'B', nothing: null, titles: 1, deep: { a: [1] } };

    expect(checked({ json: kept }, rules)._unsafeUnwrap()).toEqual({ json: kept });
    for (const [name, meant] of [
      ['imageUrl', 'image_url'],
      ['image_ulr', 'image_url'],
    ]) {
      expect(checked({ json: { title: 'A', [`${name}`]: 'x' } }, rules)._unsafeUnwrapErr()).toMatchObject({
        option: `json.${name}`,
        message: `json.${name} is not an option: ${meant} is`,
      });
    }
    expect(checked({ json: { titel: 'A' } }, rules)._unsafeUnwrapErr()).toMatchObject({
      option: 'json.titel',
    });
  });

  test('checks what depends on other options once each is as its rule says', () => {
    const also = vi.fn(() => undefined);
    const rules = { limit: rule.optional(rule.count), ids: rule.optional(rule.names) };
    expect(check<object>(context, { limit: 0, ids: ['1'] }, rules, also).isErr()).toBe(true);
    expect(also).not.toHaveBeenCalled();
    expect(check<object>(context, { ids: ['1'], other: undefined }, rules, also).isOk()).toBe(true);
    expect(also).toHaveBeenCalledWith({ ids: ['1'] }, context);
  });

  test('makes the optional form of a rule once', () => {
    expect(rule.optional(rule.names)).toBe(rule.optional(rule.names));
  });

  test('names a required option as it was written', () => {
    expect(checked({ pageID: '42' }, { pageId: rule.id })._unsafeUnwrapErr()).toMatchObject({
      option: 'pageID',
    });
    expect(checked({ ids: '42' }, { id: rule.id })._unsafeUnwrapErr()).toMatchObject({ option: 'ids' });
  });

  test('takes null for what is not given', () => {
    expect(
      checked({ limit: null, signal: null }, { limit: rule.optional(rule.count) })._unsafeUnwrap(),
    ).toEqual({});
    expect(checked({ pageId: null }, { pageId: rule.id })._unsafeUnwrapErr()).toMatchObject({
      message: 'pageId must be a non-empty string',
    });
  });

  test('never repeats a token', () => {
    const error = checked({ pageToken: 'hidden token' }, { pageToken: rule.token })._unsafeUnwrapErr();
    expect(error.message).not.toContain('hidden');
  });

  test('takes the signal of any realm, and nothing else for one', () => {
    const foreign = {
      aborted: false,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    };
    for (const signal of [new AbortController().signal, foreign]) {
      expect(checked({ signal })._unsafeUnwrap()).toEqual({ signal });
    }
    const deaf = (method: 'addEventListener' | 'removeEventListener'): object => ({
      ...foreign,
      [method]: () => {
        throw new Error('a foreign error');
      },
    });
    const closed = Object.defineProperty({ ...foreign }, 'aborted', {
      get: () => {
        throw new Error('a foreign error');
      },
    });
    const frozen = Object.freeze(new AbortController().signal);
    const odd = [frozen, deaf('addEventListener'), deaf('removeEventListener'), closed];
    expect(checked({ signal: Object.freeze(AbortSignal.abort()) }).isOk()).toBe(true);
    for (const signal of [7, 'x', {}, new AbortController(), ...odd]) {
      expect(checked({ signal })._unsafeUnwrapErr()).toMatchObject({ option: 'signal' });
    }
  });

  test.each([[null], [undefined], ['x'], [7], [[]]])('takes no %j for options', (options) => {
    expect(checked(options as unknown as object)._unsafeUnwrapErr()).toMatchObject({
      option: 'options',
      message: 'options must be an object',
    });
  });

  test('takes nothing that cannot be read', () => {
    expect(check(unreadable(), {}, {})._unsafeUnwrapErr().option).toBe('context');
    expect(checked(unreadable(), {})._unsafeUnwrapErr().message).toBe('options cannot be read');
    expect(checked({ a: unreadable() }, { a: rule.listOf(rule.text) })._unsafeUnwrapErr().message).toBe(
      'a cannot be read',
    );
  });

  test('reads each option once, those of a class too, and gives what it has read', () => {
    let reads = 0;
    class Options {
      get pageId(): string {
        return reads++ === 0 ? '42' : '';
      }
    }
    expect(checked(new Options(), { pageId: rule.id })._unsafeUnwrap()).toEqual({ pageId: '42' });
    expect(reads).toBe(1);
  });

  test('does not call the getter of what is no option, which counts as given', () => {
    const read = vi.fn();
    const withGetter = (name: string, more: object) =>
      Object.defineProperty({ ...more }, name, { get: read, enumerable: true });

    for (const [name, more] of [['other', { pageId: '42' }] as const, ['pageID', {}] as const]) {
      expect(checked(withGetter(name, more), { pageId: rule.id })._unsafeUnwrapErr()).toMatchObject({
        option: name,
      });
    }
    expect(read).not.toHaveBeenCalled();
  });

  test.each<[string, unknown, string]>([
    ['a name', '', 'a must be a non-empty string'],
    ['an item', { list: [{ name: 'x' }, { name: 5 }] }, 'a.list[1].name must be a non-empty string'],
    ['a hole', { list: Array.from({ length: 1 }) }, 'a.list[0] must be an object'],
    ['a list that is too short', { list: [] }, 'a.list must be a list of 1 to 2'],
    ['a list of lists', { list: [[]] }, 'a.list[0] must be an object'],
    [
      'a getter that throws',
      { list: [Object.defineProperty({}, 'name', { get: () => assert.fail() })] },
      'a.list[0].name cannot be read',
    ],
  ])('says by its path what is wrong with %s', (_, a, message) => {
    const schema =
      typeof a === 'string'
        ? rule.text
        : rule.fields({ list: rule.listOf(rule.fields({ name: rule.text }), 1, 2) });

    expect(checked({ a }, { a: schema })._unsafeUnwrapErr()).toMatchObject({
      message,
      option: message.split(' ')[0],
    });
  });

  test('gives a copy of what can be changed', () => {
    const options = { items: [{ tags: ['a'] }], json: { deep: [{ a: 1 }] } };
    const rules = {
      items: rule.listOf(rule.fields({ tags: rule.names })),
      json: rule.copyOfJson(rule.openFields({})),
    };
    const own = checked(options, rules)._unsafeUnwrap();
    const before = structuredClone(options);
    options.items[0]?.tags.push('b');
    options.items.push({ tags: [] });
    options.json.deep.push({ a: 2 });

    expect(own).toEqual(before);
  });

  test.each([[undefined], [null], [{}], [ok({ isComplete: true })]])('needs a context, not %j', (bad) => {
    expect(check(bad as object, {}, {})._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'context',
    });
  });
});

test.each([
  ['copy', {}],
  ['copy', undefined],
  ['Result', ok({ isComplete: true })],
  ['Result', okAsync({ isComplete: true })],
  ['client: it has a context', { context: { isComplete: true } }],
])('what is given for a context is called a %s', (kind, given) => {
  expect(check(given as never, {}, {})._unsafeUnwrapErr().message).toBe(
    `context must come from createPageContext, createPicsContext or withOptions, not a ${kind}`,
  );
});

test('isAddress tells web addresses without credentials', () => {
  const values = [
    'https://a.test',
    'HTTP://a.test/?a#b',
    'file:///a',
    'https://',
    'https://u@a.test',
    'https://:p@a.test',
    7,
  ];
  expect(values.map(rule.isAddress)).toEqual([true, true, false, false, false, false, false]);
});

test('exactly one of two options is needed', () => {
  const given = (options: object) => exactlyOneOf<{ a?: unknown; b?: unknown }>('a', 'b')(options, undefined);

  expect([given({ a: 1 }), given({ b: '' })]).toEqual([undefined, undefined]);
  for (const options of [{}, { a: undefined }, { a: 1, b: 2 }]) {
    expect(given(options)).toMatchObject({
      name: 'ConfigurationError',
      message: 'give exactly one of a and b',
      option: 'a',
    });
  }
});

test.each([
  ['must be a list', rule.listOf(rule.id), undefined],
  ['must be a list of 2 or more', rule.listOf(rule.id, 2), ['1']],
  ['must be a list of 1 to 2', rule.listOf(rule.id, 1, 2), ['1', '2', '3']],
])('a list that is none says how many it takes: %s', (message, one, value) => {
  expect(faultIn(one, value)).toBe(message);
});
