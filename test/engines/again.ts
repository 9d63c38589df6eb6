import type { AnySdkError } from 'pagepics';

/**
 * In how many milliseconds a job is started again whose call failed, under the same key. `undefined` if no start helps, and a
 * person looks.
 */
export function startAgainIn(error: AnySdkError): number | undefined {
  return error.retryAfterMs;
}
