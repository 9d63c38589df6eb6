import { errAsync, Result, ResultAsync } from 'neverthrow';

import type { ErrorCategory, RequestFailure, TransportError } from '../errors.ts';
import { fallbackOnRefusal } from './send.ts';

/** Does `work`, which must not reject, for each item, a few at a time. The results are in the order of the items. */
export async function mapConcurrent<TItem, TResult>(
  items: readonly TItem[],
  work: (item: TItem) => PromiseLike<TResult>,
  most = 5,
): Promise<TResult[]> {
  const results: TResult[] = [];
  // The workers share one iterator: each takes the next item as soon as it is free.
  const queue = items.entries();
  async function takeItems(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, takeItems));
  return results;
}

/** Refusals that can concern one metric of a batch. Any other would also refuse each metric separately. */
const perMetric: readonly ErrorCategory[] = ['validation', 'permission', 'media'];

/**
 * Reads those metrics that the platform still has. One retired metric fails a batch: each is then requested separately.
 * Refused metrics are left out; a network failure says nothing about the metrics, and stays an error.
 */
export function fetchMetrics<TValue>(
  metrics: readonly string[],
  ask: (metrics: string) => ResultAsync<Readonly<Record<string, TValue>>, RequestFailure>,
): ResultAsync<Readonly<Record<string, TValue>>, TransportError> {
  const names = [...new Set(metrics)];
  return ask(names.join(',')).orElse((failure) => {
    const isLast = failure.name === 'TransportError' || failure.code === undefined || names.length === 1;
    if (isLast || !perMetric.includes(failure.category)) return fallbackOnRefusal(errAsync(failure), {});
    const each = mapConcurrent(names, (metric) => fallbackOnRefusal(ask(metric), {}));
    // From entries, not by assignment: a name from the platform can be `__proto__`.
    return new ResultAsync(each.then((responses) => Result.combine([...responses]))).map((found) =>
      Object.fromEntries(found.flatMap((values) => Object.entries(values))),
    );
  });
}
