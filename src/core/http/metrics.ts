import { err, ok, Result, ResultAsync } from 'neverthrow';

import type { ErrorCategory, RequestFailure, TransportError } from '../errors.ts';
import { mapConcurrent } from './send.ts';

type Values<TValue> = Readonly<Record<string, TValue>>;

/** Asks for metrics together; where a refusal can concern one of them, for each alone. */
export async function askEach<TOutput>(
  names: readonly string[],
  ask: (metrics: string) => PromiseLike<Result<TOutput, RequestFailure>>,
  canBeOfOne: (failure: RequestFailure) => boolean,
): Promise<readonly Result<TOutput, RequestFailure>[]> {
  const together = await ask(names.join(','));
  return together.isOk() || names.length === 1 || !canBeOfOne(together.error)
    ? [together]
    : mapConcurrent(names, async (name) => ask(name), 4);
}

/** Refusals that can concern one metric of a batch. Any other would also refuse each metric separately. */
const perMetric: readonly ErrorCategory[] = ['validation', 'permission', 'media'];

/**
 * Reads those metrics that the platform still has. One retired metric fails a batch: each is then requested separately.
 * Refused metrics are left out; a network failure says nothing about the metrics, and stays an error.
 */
export function fetchMetrics<TValue>(
  metrics: readonly string[],
  ask: (metrics: string) => ResultAsync<Values<TValue>, RequestFailure>,
): ResultAsync<Values<TValue>, TransportError> {
  const canBeOfOne = (failure: RequestFailure): boolean =>
    failure.name !== 'TransportError' && failure.code !== undefined && perMetric.includes(failure.category);
  const each = askEach([...new Set(metrics)], ask, canBeOfOne);
  return new ResultAsync(
    each.then((results) =>
      joined(
        results.map((result) =>
          result.orElse((failure) => (failure.name === 'TransportError' ? err(failure) : ok({}))),
        ),
      ),
    ),
  );
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
  ask: (metrics: string) => ResultAsync<Values<TValue>, RequestFailure>,
): ResultAsync<Values<TValue>, RequestFailure> {
  return new ResultAsync(
    askEach(metricNames(metrics), ask, isAboutMetric).then((results) => {
      const living = results.filter((result) => result.isOk() || !isAboutMetric(result.error));
      return joined(living.length > 0 ? living : results);
    }),
  );
}

/** The names of metrics, each once: an option may name several in one text. */
export function metricNames(metrics: readonly string[]): readonly string[] {
  return [...new Set(metrics.join().split(/\s*,\s*/))];
}

/** The values of all, or the first failure. */
function joined<TValue, TFailure>(
  results: readonly Result<Values<TValue>, TFailure>[],
): Result<Values<TValue>, TFailure> {
  // From entries, not by assignment: a name from the platform can be `__proto__`.
  return Result.combine([...results]).map((found) =>
    Object.fromEntries(found.flatMap((values) => Object.entries(values))),
  );
}
