import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { mapConcurrent } from '../../../src/core/http/concurrency.ts';

/** Works on `count` items; tells how many were under way at the same time, at most. */
async function work(count: number, most?: number) {
  let underWay = 0;
  let peak = 0;
  const items = Array.from({ length: count }, (_, item) => item);
  const results = await mapConcurrent(
    items,
    async (item) => {
      peak = Math.max(peak, ++underWay);
      // The later, the sooner: results come in another order than items.
      for (let turn = item % 3; turn < 3; turn++) await setImmediate();
      underWay--;
      return item * 2;
    },
    most,
  );
  return { results, peak };
}

describe('work in parallel', () => {
  test('is done five at a time, its results in the order of the items', async () => {
    const { results, peak } = await work(12);

    expect(results).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]);
    expect(peak).toBe(5);
  });

  test('is done as many at a time as is said', async () => {
    expect((await work(6, 2)).peak).toBe(2);
  });

  test.each([0, 3])('is done for %i items', async (count) => {
    const { results, peak } = await work(count);

    expect([results.length, peak]).toEqual([count, count]);
  });
});
