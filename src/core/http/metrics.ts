import { err, errAsync, ok, Result, ResultAsync } from 'neverthrow';

import type { ErrorCategory, RequestFailure, TransportError } from '../errors.ts';
import { fallbackOnRefusal, mapConcurrent } from './send.ts';

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

/** What the platform says when it refuses a request. */
export type Refusal = Exclude<RequestFailure, TransportError>;

/** A refusal that concerns one of the requested metrics. */
export function isAboutMetric(failure: RequestFailure): failure is Refusal {
  return (
    failure.name !== 'TransportError' &&
    failure.category === 'validation' &&
    failure.code !== undefined &&
    /metric/i.test(failure.message)
  );
}

/**
 * Like {@link fetchMetrics}, but only a metric that the platform does not have is left out, and any other refusal is an
 * error. So is the refusal of all.
 */
export function livingMetrics<TValue>(
  metrics: readonly string[],
  ask: (metrics: string) => ResultAsync<Readonly<Record<string, TValue>>, RequestFailure>,
): ResultAsync<Readonly<Record<string, TValue>>, RequestFailure> {
  const names = metricNames(metrics);
  return ask(names.join(',')).orElse((refusal) =>
    names.length === 1 || !isAboutMetric(refusal)
      ? errAsync(refusal)
      : new ResultAsync(mapConcurrent(names, ask, 4).then(livingOf)),
  );
}

/** The names of metrics, each once: an option may name several in one text. */
export function metricNames(metrics: readonly string[]): readonly string[] {
  return [...new Set(metrics.join().split(/\s*,\s*/))];
}

/** The metrics that were not refused; a refusal if all were. */
function livingOf<TValue>(
  each: readonly Result<Readonly<Record<string, TValue>>, RequestFailure>[],
): Result<Readonly<Record<string, TValue>>, RequestFailure> {
  const found: [string, TValue][] = [];
  for (const result of each) {
    if (result.isOk()) found.push(...Object.entries(result.value));
    else if (!isAboutMetric(result.error)) return err(result.error);
  }
  const [first] = each;
  return first?.isErr() === true && each.every((result) => result.isErr())
    ? err(first.error)
    : ok(Object.fromEntries(found));
}
