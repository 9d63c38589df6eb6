import { expect, test } from 'vitest';

import { memoryJournal } from '../../../src/core/index.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import { toError } from '../../../src/core/options/check.ts';
import { readJson } from '../../../src/core/options/json.ts';
import * as page from '../../../src/page/index.ts';
import { pageContext, token } from '../../support/context.ts';
import { fc } from '../../support/property.ts';
import { requestsTo, stubFetch } from '../stub.ts';

/** The JSON of a value; or what is wrong with an option that has it. */
function sent(value: unknown): string {
  const read = readJson(value);
  return 'text' in read
    ? toError({ ...read, path: ['targeting', ...read.path] }).message
    : JSON.stringify(read.copy);
}

const notJson = 'must be a value that JSON can hold';
const itself: { readonly within?: unknown } = {};
Object.assign(itself, { within: itself });
class Audience {
  readonly ageMin = 21;
  get ageMax(): number {
    return 65;
  }
}

/** What JSON leaves out or changes without a word, with the place where it does. */
const changed: readonly (readonly [what: string, value: unknown, fault: string])[] = [
  ['a Map', { geo: new Map([['country', 'DE']]) }, `.geo ${notJson}`],
  ['a Set', { geo: { countries: new Set(['DE']) } }, `.geo.countries ${notJson}`],
  ['a Set in a list', [new Set([1])], `[0] ${notJson}`],
  ['undefined in a list', { list: [1, undefined] }, `.list[1] ${notJson}`],
  ['a gap in a list', { list: [1, , 2] }, `.list[1] ${notJson}`], // oxlint-disable-line no-sparse-arrays
  ['a function', { geo: () => 1 }, `.geo ${notJson}`],
  ['a function in a list', [() => 1], `[0] ${notJson}`],
  ['a symbol', { geo: Symbol('x') }, `.geo ${notJson}`],
  ['NaN', { ages: [18, NaN] }, `.ages[1] ${notJson}`],
  ['Infinity', { age: -Infinity }, `.age ${notJson}`],
  ['a bigint', { id: 1n }, `.id ${notJson}`],
  ['a date that is none', { from: new Date(NaN) }, `.from ${notJson}`],
  ['bytes', { image: new Uint8Array(2) }, `.image ${notJson}`],
  ['a pattern', { name: /a/ }, `.name ${notJson}`],
  ['an error', { error: new Error('a') }, `.error ${notJson}`],
  ['a promise', { later: Promise.resolve(1) }, `.later ${notJson}`],
  ['a wrapped text', { name: Object('a') }, `.name ${notJson}`],
  ['parameters', { query: new URLSearchParams('a=1') }, `.query ${notJson}`],
  ['a toJSON without a value', { geo: { toJSON: () => undefined } }, `.geo ${notJson}`],
  ['an inherited member', { geo: Object.create({ a: 1 }) as object }, `.geo.a ${notJson}`],
  ['__proto__', JSON.parse('{"geo":{"__proto__":{"a":1}}}'), `.geo.__proto__ ${notJson}`],
  ['a number of too many digits', { id: 17841405822304915000 }, `.id ${notJson}`],
  ['half of a character', { name: '\uD83D' }, '.name must be well-formed: it has half of a surrogate pair'],
  ['half of a character in a name', { '\uD83D': 1 }, ' must be well-formed: it has half of a surrogate pair'],
  [
    'a getter that throws',
    {
      geo: {
        get a() {
          throw new Error('no');
        },
      },
    },
    '.geo.a cannot be read',
  ],
  ['what holds itself', itself, `.within ${notJson}`],
];

test.each(changed)('refuses %s by its path', (_, value, fault) => {
  expect(sent(value)).toBe(`targeting${fault}`);
});

test.each<[string, unknown, string]>([
  ['members that are undefined', { a: undefined, b: null }, '{"b":null}'],
  ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ['an address', [new URL('https://a.test')], '["https://a.test/"]'],
  ['its own form', { geo: { toJSON: () => [1] } }, '{"geo":[1]}'],
  ['an object of a class', new Audience(), '{"ageMin":21}'],
  ['no prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  ['-0', [-0], '[0]'],
])('sends %s', (_, value, text) => {
  expect(sent(value)).toBe(text);
});

test('takes what a library adds to all objects and lists for no content of one', () => {
  const extended = [Object.prototype, Array.prototype];
  const given = { geo: { countries: ['DE'] }, own: class {} };
  const { own: _, ...fine } = given;
  for (const one of extended)
    Object.defineProperty(one, 'each', {
      value: () => 1,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  try {
    expect(sent(fine) === '{"geo":{"countries":["DE"]}}').toBe(true);
    expect(sent({ each: 1 }) === '{"each":1}').toBe(true);
    expect(sent(given) === `targeting.own ${notJson}`).toBe(true);
  } finally {
    for (const one of extended) Reflect.deleteProperty(one, 'each');
  }
});

test('sends the same value, or refuses it', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(anything, fc.jsonValue()), (value) => {
      const read = readJson(value);
      if ('text' in read) return;
      taken++;
      const plain: unknown = JSON.parse(JSON.stringify(read.copy));
      // Neither of them changes any more.
      expect(JSON.stringify(plain)).toBe(JSON.stringify(value));
      expect(lost(value)).toBe(false);
    }),
  );
  expect(taken).toBeGreaterThan(20);
});

/** Whether there is something in a value that JSON has no word for. */
function lost(value: unknown): boolean {
  if (value instanceof Date) return Number.isNaN(value.getTime());
  if (Array.isArray(value)) return Array.from<unknown>(value).some((one) => one === undefined || lost(one));
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object') return !['string', 'boolean', 'undefined'].includes(typeof value);
  if (value === null) return false;
  if (!Object.prototype.toString.call(value).endsWith('Object]')) return true;
  return Object.values(value).some(lost);
}

test('of what JSON has no word for, nothing is sent by any function', async () => {
  const fetch = stubFetch();
  const context = pageContext({ fetch, journal: memoryJournal() });
  const own = { pageId: '42', pageToken: token };
  for (const [what, value, fault] of changed) {
    const errors = await Promise.all([
      page.publishPost(context, { ...own, message: 'Hi', targeting: { more: value } }),
      page.publishPost(context, {
        ...own,
        message: 'Hi',
        feedTargeting: { more: value },
        idempotencyKey: 'a',
      }),
      page.sendMessage(context, {
        ...own,
        recipientId: '1',
        utility: {
          name: 'a',
          language: 'en_US',
          components: [{ type: 'body', parameters: [{ type: 'text', more: value }] }],
        },
      }),
      page.createMessageTemplate(context, {
        ...own,
        name: 'a',
        language: 'en_US',
        components: [{ type: 'BODY', more: value }],
      }),
      page.createMessageTemplate(context, {
        ...own,
        name: 'a',
        language: 'en_US',
        libraryTemplateName: 'b',
        libraryTemplateButtonInputs: [{ more: value }],
      }),
      post(context, 'me', { token, json: { more: value } }),
      post(context, 'me', { token, data: { more: { in: value } } }),
      get(context, 'me', { token, params: { more: [{ in: value }] } }),
    ]);
    const options = errors.map((result) =>
      result.isErr() && 'option' in result.error ? result.error.option : undefined,
    );
    const [, path = ''] = /^(\S*)/.exec(fault) ?? [];
    expect([what, options]).toEqual([
      what,
      [
        'targeting.more',
        'feedTargeting.more',
        'utility.components[0].parameters[0].more',
        'components[0].more',
        'libraryTemplateButtonInputs[0].more',
        'json.more',
        'data.more.in',
        'params.more[0].in',
      ].map((name) => name + path),
    ]);
  }
  expect(requestsTo(fetch)).toEqual([]);
});

test('parameters and headers that would be sent as another text are refused', async () => {
  const fetch = stubFetch();
  const context = pageContext({ fetch });
  for (const value of [
    NaN,
    new Map(),
    new Set([1]),
    Symbol('a'),
    () => 1,
    new Date(NaN),
    new Uint8Array(2),
    2 ** 60,
    [[undefined]],
  ])
    expect(await get(context, 'me', { token, params: { a: value } })).toMatchObject({
      error: { name: 'ConfigurationError', option: expect.stringMatching(/^params\.a/) },
    });
  for (const value of [undefined, null, 1, {}])
    expect(await get(context, 'me', { token, headers: { a: value } as never })).toMatchObject({
      error: { name: 'ConfigurationError', option: 'headers.a' },
    });
  expect(requestsTo(fetch)).toEqual([]);
});
