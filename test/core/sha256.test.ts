import { createHash, createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { hmacSha256, sha256 } from '../../src/core/sha256.ts';

// Around the ends of blocks, and of the room for short texts.
const texts = [
  '',
  'abc',
  'é€😀',
  ...[55, 56, 63, 64, 119, 1341, 1342, 5000].map((length) => 'é'.repeat(length)),
];
const keys = ['k', 'ü'.repeat(32), 'k'.repeat(64), 'k'.repeat(65), '€'.repeat(255), '€'.repeat(2000)];

test('is the digest of each text', () => {
  expect(texts.map(sha256)).toEqual(texts.map((text) => createHash('sha256').update(text).digest('hex')));
});

test.each(keys)('is the HMAC of each text, in turns with that of another key: %#', (key) => {
  const [own, other] = [hmacSha256(key), hmacSha256('another')];
  const expected = (name: string, text: string): string =>
    createHmac('sha256', name).update(text).digest('hex');

  for (const text of texts) {
    expect([own(text), other(text)]).toEqual([expected(key, text), expected('another', text)]);
  }
});
