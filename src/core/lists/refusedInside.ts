import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';

/*
 * What a refusal says of what was asked for within the entries of a list. The platform's words for it are in no reference:
 * they are those of its recorded responses.
 */

/** Failures that everything else would meet as well. */
const lasting: readonly string[] = ['auth', 'rate_limit', 'quota', 'policy', 'not_found'];

/** Whether a request for less would fail, too. */
export function isOfAll(failure: RequestFailure): failure is TransportError {
  return (
    failure.name === 'TransportError' ||
    lasting.includes(failure.category) ||
    /access token/i.test(failure.message)
  );
}

/** Whether the entry is older than the account as a professional one: so are all that follow. */
export function isOfOlder(failure: RequestFailure): boolean {
  return failure.name !== 'TransportError' && failure.subcode === 2_108_006;
}

/** Whether it is of the metrics of single entries: media from before the conversion, stories with few viewers. */
export function isOfOneEntry(failure: RequestFailure): boolean {
  return (
    isOfOlder(failure) ||
    (failure.name !== 'TransportError' && failure.code === 10 && /viewers/i.test(failure.message))
  );
}

/** Whether it can be of a right for something that these fields ask for. */
export function isOfRight(failure: RequestFailure, inner: string): boolean {
  if (failure.name === 'TransportError' || failure.code === undefined) return false;
  const [, unknown] = /nonexisting field \((\w+)\)/.exec(failure.message) ?? [];
  // Another field that is unknown stays unknown without these. What is asked for within entries has arguments.
  return (
    /^(?:permission|validation)$/.test(failure.category) &&
    (unknown === undefined || inner.includes(`${unknown}.`))
  );
}

/** Those of the metrics, as they were asked for, that it names. Accounts are told all that are allowed, instead. */
export function namedIn<TMetric extends { readonly name: string }>(
  message: string,
  metrics: readonly TMetric[],
): readonly TMetric[] {
  const [, index, allowed] =
    /metric\[(\d+)\] must be one of the following values:([\w,\s]*)/.exec(message) ?? [];
  if (allowed === undefined) return metrics.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(message));
  const living = allowed.split(/[\s,]+/);
  return metrics.filter(({ name }, at) => !living.includes(name) || String(at) === index);
}

/** Why something is not read, in the words of the platform. */
export function reasonOf(failure: RequestFailure): string {
  const title = failure instanceof ApiError ? failure.userTitle : undefined;
  return title === undefined ? failure.message : `${failure.message}: ${title}`;
}
