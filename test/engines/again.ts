import { type AnySdkError, isFinal } from 'pagepics';

/**
 * In how many milliseconds a job is started again whose call failed, under the same key. `undefined` if no start helps, and a
 * person looks.
 */
export function startAgainIn(error: AnySdkError): number | undefined {
  if (isFinal(error)) return undefined;
  // Without a time, such as after a failure of the network or a day's quota: ten minutes.
  return 'retryAfterMs' in error ? (error.retryAfterMs ?? 600_000) : 600_000;
}
