import { setImmediate } from 'node:timers/promises';

import { errAsync, okAsync, type ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import {
  ApiError,
  type ErrorCategory,
  type RequestFailure,
  TransportError,
} from '../../../src/core/errors.ts';
import { fetchMetrics } from '../../../src/core/http/metrics.ts';
import { mapConcurrent } from '../../../src/core/http/send.ts';

/** Works on `count` items; returns the most that were in progress at the same time. */
async function work(count: number, most?: number) {
  let inFlight = 0;
  let peak = 0;
  const items = Array.from({ length: count }, (_, item) => item);
  const results = await mapConcurrent(
    items,
    async (item) => {
      peak = Math.max(peak, ++inFlight);
      // The later, the sooner: results come in another order than items.
      for (let turn = item % 3; turn < 3; turn++) await setImmediate();
      inFlight--;
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

type Values = Readonly<Record<string, number>>;

function refused(category: ErrorCategory, code?: number): ApiError {
  return new ApiError('No', { category, code });
}

/** Asks for metrics; batches get one response, and each metric alone its own. */
async function ask(
  metrics: readonly string[],
  batch: RequestFailure | Values,
  alone: Readonly<Record<string, RequestFailure | Values>> = {},
) {
  const asked: string[] = [];
  const result = await fetchMetrics(metrics, (names): ResultAsync<Values, RequestFailure> => {
    const response = asked.length === 0 ? batch : (alone[names] ?? {});
    asked.push(names);
    return response instanceof Error ? errAsync(response) : okAsync(response);
  });
  return { asked, result };
}

describe('living metrics', () => {
  test('are asked for at once, each by one name', async () => {
    const { asked, result } = await ask(['a', 'b', 'a'], { a: 1, b: 2 });

    expect(result._unsafeUnwrap()).toEqual({ a: 1, b: 2 });
    expect(asked).toEqual(['a,b']);
  });

  test.each(['validation', 'permission', 'media'] as const)(
    'are asked for alone where the batch meets a refusal of %s, and the dead left out',
    async (category) => {
      const { asked, result } = await ask(['a', 'b', 'c'], refused(category, 100), {
        a: { a: 1 },
        b: refused('validation', 100),
        c: { c: 3 },
      });

      expect(result._unsafeUnwrap()).toEqual({ a: 1, c: 3 });
      expect(asked).toEqual(['a,b,c', 'a', 'b', 'c']);
    },
  );

  test.each([
    ['one metric', ['a'], refused('validation', 100)],
    ['a refusal that is not about a metric', ['a', 'b'], refused('auth', 190)],
    ['a response that holds no refusal', ['a', 'b'], refused('validation')],
  ])('are not asked for alone after %s', async (_, metrics, failure) => {
    const { asked, result } = await ask(metrics, failure);

    expect(result._unsafeUnwrap()).toEqual({});
    expect(asked).toEqual([metrics.join(',')]);
  });

  test('are not known when the network failed, for all or for one', async () => {
    const lost = new TransportError('network', 'lost');

    const batch = await ask(['a', 'b'], lost);
    const one = await ask(['a', 'b'], refused('validation', 100), { a: { a: 1 }, b: lost });

    expect(batch.asked).toEqual(['a,b']);
    expect([batch.result._unsafeUnwrapErr(), one.result._unsafeUnwrapErr()]).toEqual([lost, lost]);
  });

  test('keep a name that the prototype has', async () => {
    const { result } = await ask(['a', 'b'], refused('validation', 100), {
      a: JSON.parse('{"__proto__":1}') as Values,
    });

    expect(Object.keys(result._unsafeUnwrap())).toEqual(['__proto__']);
  });
});
