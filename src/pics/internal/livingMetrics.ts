import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { ErrorCategory, RequestFailure, TransportError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { send } from '../../core/request.ts';
import type { CallLimits } from '../../core/wire.ts';
import { type Metrics, metricsSchema } from '../../models/metrics.ts';
import type { PicsContext } from '../context.ts';

/** Refusals that can be about one metric of a batch. Any other would meet each metric alone as well. */
const perMetric: readonly ErrorCategory[] = ['validation', 'permission', 'media'];

/** Reads those of the metrics that the platform gives. One dead metric fails a batch: then each is asked for alone. */
export function livingMetrics(
  context: PicsContext,
  names: readonly string[],
  request: CallLimits & { readonly path: string; readonly token: string },
): ResultAsync<Metrics, TransportError> {
  function ask(metric: string): ResultAsync<Metrics, RequestFailure> {
    return send(context, { ...request, method: 'GET', query: { metric }, schema: metricsSchema });
  }

  return ask(names.join(',')).orElse((error) => {
    const isLast = error.name === 'TransportError' || error.code === undefined || names.length === 1;
    if (isLast || !perMetric.includes(error.category)) return toMetrics(err(error));
    return new ResultAsync(inParallel(names, ask).then(merge));
  });
}

/** The metrics of all answers together; a refused one adds none. */
function merge(answers: readonly Result<Metrics, RequestFailure>[]): Result<Metrics, TransportError> {
  return answers.reduce<Result<Metrics, TransportError>>(
    (merged, answer) => merged.andThen((known) => toMetrics(answer).map((more) => ({ ...known, ...more }))),
    ok({}),
  );
}

/** No metrics in place of a refusal. That the network failed says nothing of the metrics, and stays an error. */
function toMetrics(answer: Result<Metrics, RequestFailure>): Result<Metrics, TransportError> {
  return answer.orElse((error) => (error.name === 'TransportError' ? err(error) : ok({})));
}
