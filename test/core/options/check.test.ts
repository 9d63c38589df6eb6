import assert from 'node:assert';

import { ok, okAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { check, exactlyOneOf, type Rules } from '../../../src/core/options/check.ts';
import * as rule from '../../../src/core/options/rules.ts';
import { contentWords, withWords } from '../../../src/core/options/words.ts';
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
  ])('refuses %s, which could be meant for %s', (name, meant) => {
    const rules = {
      pageId: rule.optional(rule.id),
      scheduledAt: rule.optional(rule.count),
      waitTimeoutMs: rule.optional(rule.count),
      fields: rule.optional(rule.count),
      items: rule.optional(rule.count),
    };
    const known = { page: '1', messageId: '2', placeId: '3', plan: 4, atlas: 5 };
    const error = { option: name, message: `${name} is not an option: ${meant} is` };

    expect(checked({ ...known, [name]: 7 }, rules)._unsafeUnwrapErr()).toMatchObject(error);
    expect(
      checked({ all: [{ [name]: 7 }] }, { all: rule.listOf(rule.fields(rules)) })._unsafeUnwrapErr(),
    ).toMatchObject({
      option: `all[0].${name}`,
      message: `all[0].${error.message}`,
    });
    // What is meant is given, or nothing is.
    for (const options of [{ ...known, [meant]: meant === 'pageId' ? '7' : 7 }, known]) {
      expect(checked({ ...options, [name]: options === known ? undefined : 7 }, rules).isOk()).toBe(true);
    }
  });

  test.each(['message', 'text', 'caption', 'description'])(
    'refuses a text under a name other than %s',
    (name) => {
      const rules = { [name]: withWords(rule.optional(rule.text), contentWords), pageId: rule.id };
      for (const other of ['message', 'text', 'caption', 'description'].filter((one) => one !== name)) {
        expect(checked({ pageId: '1', [other]: 'Hello' }, rules)._unsafeUnwrapErr()).toMatchObject({
          option: other,
          message: `${other} is not an option: ${name} is`,
        });
        expect(checked({ pageId: '1', [other]: 'Hello', [name]: 'Hello' }, rules).isOk()).toBe(true);
        expect(checked({ pageId: '1', [other]: 'Hello' }, { pageId: rule.id }).isOk()).toBe(true);
      }
    },
  );

  test.each([
    ['scheduledAt', ['scheduled_publish_time', 'schedule', 'scheduleTime', 'publishAt', 'publish_on']],
    ['photoUrl', ['image', 'imageUrl', 'image_url', 'photo']],
    ['altText', ['alt']],
    ['idempotencyKey', ['key', 'idempotency_key']],
    ['hidden', ['hide', 'is_hidden', 'isHidden', 'unhide']],
  ])('refuses %s under another name, unless it is given too', (name, others) => {
    const rules = { [name]: withWords(rule.optional(rule.text), contentWords), pageId: rule.id };
    for (const other of others) {
      expect(checked({ pageId: '1', [other]: false }, rules)._unsafeUnwrapErr()).toMatchObject({
        option: other,
        message: `${other} is not an option: ${name} is`,
      });
      expect(checked({ pageId: '1', [other]: 'x', [name]: 'x' }, rules).isOk()).toBe(true);
      expect(checked({ pageId: '1', [other]: 'x' }, { pageId: rule.id }).isOk()).toBe(true);
    }
  });

  test('takes a profile with its picture, which is not published', () => {
    const rules = { pageId: rule.id, message: rule.text, photoUrl: rule.onlyFor('photos') };
    const profile = { id: '42', name: 'Bakery', picture: 'https://cdn.example/p.jpg' };
    expect(checked({ ...profile, pageId: '42', message: 'Hi' }, rules).isOk()).toBe(true);
  });

  test('takes an image under either of its names', () => {
    const rules = { photo: rule.optional(rule.text), photoUrl: rule.optional(rule.text) };
    expect(checked({ photoUrl: 'x', image: 'y' }, rules).isOk()).toBe(true);
  });

  test('names what is given where something is missing, but nothing that could be a secret', () => {
    const rules = { message: rule.text, limit: rule.optional(rule.count) };
    const fault = (options: object): string => checked(options, rules)._unsafeUnwrapErr().message;
    const missing = 'message must be a non-empty string';

    expect(fault({ post: 'Hello' })).toBe(`${missing} (not an option: post)`);
    expect(fault({ post: 'Hello', message: null, body: 'x', limit: 1, title: undefined })).toBe(
      `${missing} (not an option: post, body)`,
    );
    expect(fault({ EAAOpasted0by0mistake01234: 1, 'a b': 1 })).toBe(missing);
    expect(fault({ post: 'Hello', message: '' })).toBe(missing);
    expect(fault({ post: 'Hello', message: 'x', limit: 0 })).toMatch(/^limit [^(]+$/);
  });

  test('names another word for what is required beside it', () => {
    const rules = { message: withWords(rule.text, contentWords) };
    expect(checked({ text: 'Hello' }, rules)._unsafeUnwrapErr()).toMatchObject({
      option: 'message',
      message: 'message must be a non-empty string (not an option: text)',
    });
  });

  test('checks what depends on other options once each is as its rule says', () => {
    const also = vi.fn(() => undefined);
    const rules = { limit: rule.optional(rule.count), ids: rule.optional(rule.names) };
    expect(check<object>(context, { limit: 0, ids: ['1'] }, rules, also).isErr()).toBe(true);
    expect(also).not.toHaveBeenCalled();
    expect(check<object>(context, { ids: ['1'], other: 1 }, rules, also).isOk()).toBe(true);
    expect(also).toHaveBeenCalledWith({ ids: ['1'] }, context);
  });

  test('makes the optional form of a rule once', () => {
    expect(rule.optional(rule.names)).toBe(rule.optional(rule.names));
  });

  test('names a required option as it was written', () => {
    expect(checked({ pageID: '42' }, { pageId: rule.id })._unsafeUnwrapErr()).toMatchObject({
      option: 'pageID',
    });
    expect(checked({ ids: '42' }, { id: rule.id })._unsafeUnwrapErr()).toMatchObject({ option: 'id' });
  });

  test('takes null for what is not given', () => {
    expect(
      checked({ a: null, limit: null, signal: null }, { limit: rule.optional(rule.count) })._unsafeUnwrap(),
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
    for (const signal of [7, 'x', {}, new AbortController()]) {
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

  test('gives what it has a rule for', () => {
    expect(checked({ pageId: '42', extra: 1 }, { pageId: rule.id })._unsafeUnwrap()).toEqual({
      pageId: '42',
    });
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

    expect(checked(withGetter('other', { pageId: '42' }), { pageId: rule.id }).isOk()).toBe(true);
    expect(checked(withGetter('pageID', {}), { pageId: rule.id })._unsafeUnwrapErr()).toMatchObject({
      option: 'pageID',
    });
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
    const rules = { items: rule.listOf(rule.fields({ tags: rule.names })), json: rule.jsonObject };
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
