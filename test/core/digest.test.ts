import { createHash, createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { hmacSha256, sha256 } from '../../src/core/digest.ts';

const texts = ['', 'abc', 'é€😀', 'é'.repeat(5000)];
const keys = ['k', 'ü'.repeat(32), '€'.repeat(2000)];

test('is the digest of each text', async () => {
  expect(await Promise.all(texts.map(sha256))).toEqual(
    texts.map((text) => createHash('sha256').update(text).digest('hex')),
  );
});

test.each(keys)('is the HMAC of each text, in turns with that of another key: %#', async (key) => {
  const [own, other] = [hmacSha256(key), hmacSha256('another')];
  const expected = (name: string, text: string): string =>
    createHmac('sha256', name).update(text).digest('hex');

  for (const text of texts) {
    expect(await Promise.all([own(text), other(text)])).toEqual([
      expected(key, text),
      expected('another', text),
    ]);
  }
});
