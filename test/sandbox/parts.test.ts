import { createHash, randomBytes } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { parseFields } from '../../src/sandbox/shapes.ts';
import { createChecksum } from '../../src/sandbox/upload.ts';
import { digits, toJson } from '../../src/sandbox/values.ts';
import { createRandom } from '../../src/sandbox/world.ts';

describe('the checksum', () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 100_003])(
    'of %i bytes is SHA-256, however they come',
    (size) => {
      const bytes = randomBytes(size);
      const checksum = createChecksum();
      const step = 1 + (size % 37);
      for (let at = 0; at < size; at += step) checksum.add(bytes.subarray(at, at + step));
      expect(checksum.hex()).toBe(createHash('sha256').update(bytes).digest('hex'));
      checksum.add(bytes);
      expect(checksum.hex()).toBe(createHash('sha256').update(bytes).update(bytes).digest('hex'));
    },
  );
});

describe('JSON', () => {
  test('keeps digits, leaves out undefined, escapes as the platform does', () => {
    const value = {
      id: digits('17841400000000001'),
      gone: undefined,
      list: [undefined, null, true, 1.5],
      ä: 'a/ü"🎈',
    };
    const text = toJson(value);
    expect(text).toBe(
      '{"id":17841400000000001,"list":[null,null,true,1.5],"\\u00e4":"a\\/\\u00fc\\"\\ud83c\\udf88"}',
    );
    expect(JSON.parse(text)['ä']).toBe('a/ü"🎈');
  });
});

describe('a list of fields', () => {
  test('is read with arguments and braces', () => {
    const plain = (name: string): object => ({ name, args: {}, fields: undefined });
    expect(parseFields('id, picture.type(large),comments.limit(5).order(x){id,from{name}}')).toEqual([
      plain('id'),
      { name: 'picture', args: { type: 'large' }, fields: undefined },
      {
        name: 'comments',
        args: { limit: '5', order: 'x' },
        fields: [plain('id'), { name: 'from', args: {}, fields: [plain('name')] }],
      },
    ]);
    expect(parseFields(undefined)).toBeUndefined();
  });

  test.each(['id,', ',id', 'a{b', 'a}', 'a{}', 'a.limit', 'a b.c'])('%s is malformed', (text) => {
    expect(() => parseFields(text)).toThrow('refused with HTTP 400');
  });
});

test('the random generator repeats itself by its seed', () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 5 }, random);
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  expect(draw(7).every((value) => value >= 0 && value < 1)).toBe(true);
});
