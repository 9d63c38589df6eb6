import { describe, expect, test } from 'vitest';

import { parseJson } from '../../../src/core/http/json.ts';
import { anyCharacter, fc } from '../../support/property.ts';

describe('parseJson', () => {
  test.each([
    ['17841400000000001', '17841400000000001'],
    ['-17841400000000001', '-17841400000000001'],
    ['[17841400000000001,1]', ['17841400000000001', 1]],
    ['{"id":17841400000000001}', { id: '17841400000000001' }],
    [
      '{"id": 17841400000000001 ,"n":[[{"id":\t17841400000000003\n}]]}',
      { id: '17841400000000001', n: [[{ id: '17841400000000003' }]] },
    ],
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    ['{"id":9007199254740992}', { id: '9007199254740992' }],
    ['{"id":123456789012345678901234567890}', { id: '123456789012345678901234567890' }],
    // As a language writes it that keeps such ids as floating-point numbers.
    ['{"id":1.7841400000000001e+16}', { id: '17841400000000001' }],
    ['[-1.7841400000000001E16,17841400000000001.0]', ['-17841400000000001', '17841400000000001']],
    ['[17841400000000001e0,178414000000000010e-1]', ['17841400000000001', '17841400000000001']],
    ['[0.17841400000000001e17,1784140000000000100.00E-2]', ['17841400000000001', '17841400000000001']],
    [
      '{"text":"1.7841400000000001e16, 1","id":1.7841400000000001e16}',
      {
        text: '1.7841400000000001e16, 1',
        id: '17841400000000001',
      },
    ],
  ])('keeps every digit of %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each([
    '0',
    '-0',
    '7',
    '1234567890123456',
    '9007199254740991',
    '-9007199254740991',
    '1.2345678901234567',
    '12345678901234567.5',
    '17841400000000001.000001',
    '178414000000000015e-1',
    '1.7841400000000001e-16',
    // Not all of its digits are written: it is no id.
    '1.7841400000000001e17',
    '12345678901234567E+2',
    '9007199254740991.0',
    '0e99999999999',
    '17841400000000001e-99999999999',
    '17841400000000001e99999999999',
    '1e400',
    '0.00000000000000001',
    '{"text":"17841400000000001"}',
    '{"text":"a 17841400000000001, \\"17841400000000001\\" [17841400000000001]"}',
    '{"17841400000000001":1}',
    '{"a\\\\":"17841400000000001","b":"\\\\\\"17841400000000001"}',
    '"\\u0022 17841400000000001"',
    'null',
    '[]',
    '{}',
  ])('leaves %s as it is', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test('is JSON.parse for all that has no long integer', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: anyCharacter }), (text) => {
        const hasLong = /\d{16}/.test(text);
        expect(hasLong || Object.is(JSON.stringify(parseJson(text)), JSON.stringify(JSON.parse(text)))).toBe(
          true,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('keeps all strings and all digits, wherever they stand', () => {
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({
          unit: fc.constantFrom('"', '\\', '1', '17841400000000001', 'e', '.', '-', ' ', '{', 'ä', '\n'),
        }),
        fc.constantFrom(true, false, null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(tree, (value) => {
        expect(parseJson(write(value))).toEqual(read(value));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '',
    '{',
    '{"id":17841400000000001',
    '[17841400000000001',
    '01',
    '{"a":17841400000000001,}',
    '<h1>',
    '17841400000000001x',
  ])('refuses %j as JSON.parse does', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('takes no key for a prototype', () => {
    const value = parseJson('{"__proto__":{"polluted":17841400000000001},"id":1}');

    expect(Object.keys(value as object)).toEqual(['__proto__', 'id']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('reads long lists of ids, of those of posts and of bare ones', () => {
    const posts = Array.from(
      { length: 20_000 },
      (_, index) => `10${index}_${17841400000000001n + BigInt(index)}`,
    );
    const ids = Array.from({ length: 20_000 }, (_, index) => 17841400000000001n + BigInt(index));

    expect(parseJson(JSON.stringify({ posts }))).toEqual({ posts });
    expect(parseJson(`{"ids":[${ids.join(', ')}]}`)).toEqual({ ids: ids.map(String) });
  });

  test('reads long texts with many escapes, and deep bodies', { tags: 'long' }, () => {
    const text = JSON.stringify(['\n"\\'.repeat(1_000_000), 0]).replace(/0]$/, '17841400000000001]');
    expect((parseJson(text) as unknown[])[1]).toBe('17841400000000001');

    const deep = `${'['.repeat(50_000)}17841400000000001${']'.repeat(50_000)}`;
    let inner = parseJson(deep);
    while (Array.isArray(inner)) inner = inner[0];
    expect(inner).toBe('17841400000000001');
  });
});

function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(' ,')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, part]) => `${JSON.stringify(name)}: ${write(part)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

/** What must come back: integers that a number cannot hold as their digits. */
function read(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number') return JSON.parse(fixed(value));
  if (Array.isArray(value)) return value.map(read);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, read(part)]));
  }
  return value;
}

describe('parseJson of long texts', { tags: 'long' }, () => {
  test.each([2, 3])('reads texts with millions of escapes (%d)', (odd) => {
    const text = '\\"'.repeat(6_000_000 + odd);
    const body = `{"a":"${text}, 17841400000000001 ","id":17841400000000001,"b":"${text}"}`;

    expect(parseJson(body)).toMatchObject({ id: '17841400000000001' });
    expect((parseJson(body) as { readonly a: string }).a.endsWith('", 17841400000000001 ')).toBe(true);
  });

  test('reads many digits in a row', () => {
    const digits = '1'.repeat(3_000_000);

    expect(parseJson(`[${digits}]`)).toEqual([digits]);
  });
});

/** JSON writes a whole double below 1e21 without an exponent: it is an integer there like another. */
function fixed(value: number): string {
  const text = JSON.stringify(value);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? `"${text}"` : text;
}
