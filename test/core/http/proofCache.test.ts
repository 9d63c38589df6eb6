import { createHmac } from 'node:crypto';

import { afterEach, expect, test, vi } from 'vitest';

import { createProofCache } from '../../../src/core/http/proofCache.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('signs each token once, for each secret', async () => {
  const sign = vi.spyOn(crypto.subtle, 'sign');
  const proofOf = createProofCache();

  for (const secret of ['s1', 's2', 's1', 's2']) {
    for (const token of ['t1', 't2', 't1']) {
      expect(await proofOf(token, secret)).toBe(createHmac('sha256', secret).update(token).digest('hex'));
    }
  }
  expect(sign).toHaveBeenCalledTimes(4);
});

test('forgets the oldest of a thousand, and no other', { tags: 'long' }, async () => {
  const proofOf = createProofCache();
  for (let index = 0; index <= 1000; index++) await proofOf(`token-${index}`, 'secret');
  const sign = vi.spyOn(crypto.subtle, 'sign');

  for (let index = 1000; index >= 1; index--) await proofOf(`token-${index}`, 'secret');
  expect(sign).not.toHaveBeenCalled();
  await proofOf('token-0', 'secret');
  expect(sign).toHaveBeenCalledOnce();
});
