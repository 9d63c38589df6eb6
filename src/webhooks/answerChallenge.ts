import { err, ok, type Result } from 'neverthrow';

import type { ConfigurationError, SignatureError } from '../core/errors.ts';
import { areTexts, refuse, wrong } from './verifySignature.ts';

export type AnswerChallengeFailure = SignatureError | ConfigurationError;

/**
 * The response to the GET request with which the platform verifies a callback address whenever it changes: the
 * challenge, as the whole body of a 200.
 *
 * Takes the request, its address, or its query.
 *
 * Fails with SignatureError, which calls for a 403: `missing` without the parameters, `malformed` when they are no
 * subscription or occur twice, `mismatch` for another verify token.
 *
 * Source: platform guide, Webhooks, Verification Requests.
 *
 * @example
 * const challenge = answerChallenge(request, 'the verify token of the dashboard');
 * console.log(challenge.isOk() ? challenge.value : challenge.error.message);
 */
export function answerChallenge(
  from: Request | URL | URLSearchParams | string,
  verifyToken: string,
): Result<string, AnswerChallengeFailure> {
  if (!areTexts([verifyToken])) return err(wrong('verifyToken'));
  const query = queryOf(from);
  const values = ['mode', 'verify_token', 'challenge'].map((name) => query.getAll(`hub.${name}`));
  const [mode, token = '', challenge = ''] = values.flat();
  if (values.some(({ length }) => length > 1)) return refuse('malformed');
  if (values.some(([value]) => !value)) return refuse('missing');
  if (mode !== 'subscribe') return refuse('malformed');
  return isSame(token, verifyToken) ? ok(challenge) : refuse('mismatch');
}

function queryOf(from: Request | URL | URLSearchParams | string): URLSearchParams {
  try {
    // A string without a question mark is a query.
    return new URLSearchParams(String((from as Request).url ?? from).replace(/^[^?]*\?|#.*/g, ''));
  } catch {
    return new URLSearchParams();
  }
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}
