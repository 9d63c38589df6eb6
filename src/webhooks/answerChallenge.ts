import { err, ok, type Result } from 'neverthrow';

import type { ConfigurationError, SignatureError } from '../core/errors.ts';
import { type Handshake, readChallenge } from './readChallenge.ts';
import { areTexts, wrong } from './signature.ts';
import { refuse } from './verifySignature.ts';

export type AnswerChallengeFailure = SignatureError | ConfigurationError;

/**
 * The response to the GET request with which the platform verifies a callback address whenever it changes: the
 * challenge, as the whole body of a 200.
 *
 * Takes the request, its address, or its query.
 *
 * Fails with SignatureError, to which you respond with a 403: `missing` without the parameters, `malformed` when they
 * are not a subscription or occur twice, `mismatch` for another verify token.
 *
 * Source: platform guide, Webhooks, Verification Requests.
 *
 * @example
 * const challenge = answerChallenge(request, 'the verify token of the dashboard');
 * console.log(challenge.isOk() ? challenge.value : challenge.error.message);
 */
export function answerChallenge(
  from: Handshake,
  verifyToken: string,
): Result<string, AnswerChallengeFailure> {
  if (!areTexts([verifyToken])) return err(wrong('verifyToken'));
  const { challenge, reason } = readChallenge(from, verifyToken);
  return challenge === undefined ? refuse(reason) : ok(challenge);
}
