import { createHash, createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { hmacSha256, sha256 } from '../../src/core/digest.ts';

// Around the ends of blocks, of 64 bytes, and of the buffer, of 1024.
const lengths = [1, 55, 56, 63, 64, 65, 119, 120, 341, 342, 1023, 1024, 1025];
const texts = ['', 'abc', 'é€😀', 'half 😀'.slice(0, -1), 'é'.repeat(5000)].concat(
  lengths.flatMap((length) => ['a'.repeat(length), '€'.repeat(length)]),
);
const keys = ['k', 'ü'.repeat(32), '€'.repeat(2000)];

test('is the digest of each text', () => {
  for (const text of texts) expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

test.each(keys)('is the HMAC of each text, in turns with that of another key: %#', (key) => {
  const [own, other] = [hmacSha256(key), hmacSha256('another')];
  const expected = (name: string, text: string): string =>
    createHmac('sha256', name).update(text).digest('hex');

  for (const text of texts) {
    expect([own(text), other(text)]).toEqual([expected(key, text), expected('another', text)]);
  }
});
