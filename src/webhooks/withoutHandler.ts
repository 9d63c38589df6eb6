import { err, type Err, errAsync, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import {
  type ConfigurationError,
  DeliveryError,
  SignatureError,
  type SignatureReason,
} from '../core/errors.ts';
import type { Delivery } from './events.ts';
import { digestOf, type OnceType, readDelivery, subjects } from './readDelivery.ts';
import {
  areTexts,
  firstInvalid,
  type Handshake,
  indexOfSecret,
  type RawBody,
  readChallenge,
  queryOf,
  readSignature,
  toBytes,
  invalidOption,
  invalidSecret,
} from './signature.ts';
import { readSignedRequest, type SignedRequest } from './signedRequests.ts';

/** The query of a handshake; `undefined` for what is none. */
function queryIn(from: Handshake): URLSearchParams | undefined {
  try {
    const { url = from }: { readonly url?: unknown } = Object(from);
    const isAddress =
      typeof url === 'string' || Object.prototype.toString.call(url).startsWith('[object URL');
    return isAddress ? queryOf(String(url)) : undefined;
  } catch {
    return undefined;
  }
}

/** The secrets, of which there are one or several; none if they cannot be read. */
function secretsIn(secrets: string | readonly string[]): readonly string[] {
  try {
    return [secrets].flat();
  } catch {
    return [];
  }
}

export type AnswerChallengeFailure = SignatureError | ConfigurationError;

/**
 * The response to the GET request with which the platform verifies a callback address whenever it changes: the
 * challenge, as the whole body of a 200.
 *
 * Takes the request, its address, or its query.
 *
 * Fails with SignatureError, to which you respond with a 403: `missing` without the parameters, `malformed` when they
 * are not a subscription or occur twice, `mismatch` for another verify token; with ConfigurationError for what is no
 * request, address or query, and for an empty verify token.
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
  const query = queryIn(from);
  const invalid = invalidSecret('verifyToken', [verifyToken]);
  if (invalid || !query) return err(invalid ?? invalidOption('from'));
  const { challenge, reason } = readChallenge(query, verifyToken);
  return challenge === undefined ? refuse(reason) : ok(challenge);
}

/** A valid signature. */
export interface VerifiedSignature {
  /** Which of the secrets made the signature, counted from 0. */
  readonly secretIndex: number;
}

export type VerifySignatureFailure = SignatureError | ConfigurationError;

/**
 * Checks that a delivery was signed with one of the app's secrets: `header` is the value of
 * `X-Hub-Signature-256`, an HMAC-SHA256 of the raw body. The older SHA-1 header is never accepted.
 *
 * The body must be the bytes that were sent: the platform escapes `/` and all non-ASCII characters, so a body that was
 * parsed and serialized again no longer matches. Several secrets are tried in order, for a rotation or for the two
 * secrets of a login-mode app.
 *
 * Fails with SignatureError: `missing` without a header, `malformed` for anything that is not `sha256=` and 64 hex
 * digits, `mismatch` when none of the secrets matches. The comparison takes constant time.
 *
 * Source: platform guide, Webhooks, Validating Payloads.
 *
 * @example
 * const verified = await verifySignature(rawBody, request.headers.get('x-hub-signature-256'), appSecret);
 * if (verified.isErr()) console.error(verified.error.message);
 */
export function verifySignature(
  rawBody: RawBody,
  header: string | null | undefined,
  secrets: string | readonly string[],
): ResultAsync<VerifiedSignature, VerifySignatureFailure> {
  // Web Crypto refuses anything but strings and bytes.
  return new ResultAsync(
    verify(rawBody, header, secretsIn(secrets)).catch(() => err(invalidOption('rawBody'))),
  );
}

async function verify(
  data: RawBody,
  header: string | null | undefined,
  secrets: readonly string[],
): Promise<Result<VerifiedSignature, VerifySignatureFailure>> {
  const invalid = invalidSecret('secrets', secrets);
  if (invalid) return err(invalid);
  const signature = readSignature(header);
  if (!signature) return refuse(header ? 'malformed' : 'missing');
  const secretIndex = await indexOfSecret(data, signature, secrets);
  return secretIndex < 0 ? refuse('mismatch') : ok({ secretIndex });
}

function refuse(reason: SignatureReason): Err<never, SignatureError> {
  return err(new SignatureError(reason));
}

export type ParseDeliveryFailure = DeliveryError | ConfigurationError;

/**
 * Reads the events of a delivery. It trusts the body, so call `verifySignature` first.
 *
 * Ids are exact strings, even those that are numbers in the body. An event that is not as documented has the type
 * `unknown`, with all of its content, and does not affect the others.
 *
 * Fails with DeliveryError when the body is not JSON in UTF-8, or not a delivery.
 *
 * Source: platform guide, Webhooks, Event Notifications.
 *
 * @example
 * const delivery = await parseDelivery(rawBody);
 * if (delivery.isOk()) for (const { type, key } of delivery.value.events) console.log(type, key);
 */
export function parseDelivery(rawBody: RawBody): ResultAsync<Delivery, ParseDeliveryFailure> {
  if (!isBytes(toBytes(rawBody))) return errAsync(invalidOption('rawBody'));
  try {
    return okAsync(readDelivery(rawBody));
  } catch {
    // One error for everything that is not a delivery: it must not quote the body.
    return errAsync(new DeliveryError('not a delivery'));
  }
}

// Not by `instanceof`, since the bytes may come from another realm.
function isBytes(value: { readonly byteLength: number } | null | undefined): boolean {
  try {
    return value !== null && value !== undefined && value.byteLength >= 0;
  } catch {
    return false;
  }
}

export type ParseSignedRequestFailure = SignatureError | DeliveryError | ConfigurationError;

/**
 * Reads a `signed_request`, which the platform sends in a form when a person removes the app or wants their data
 * deleted: see `createDeauthorizeHandler` and `createDataDeletionHandler`, which receive those. Several secrets are
 * tried, as for `verifySignature`: in login mode, give that of the app and that of its photo-sharing product.
 *
 * It can be replayed: nothing in it is valid only once.
 *
 * Fails with SignatureError: `missing` if there is none, `malformed` for another form or algorithm than HMAC-SHA256,
 * `mismatch` if none of the secrets signed it, or it has expired; with DeliveryError when it is signed, but names
 * no person. The comparison takes constant time.
 *
 * Source: platform guide, Data Deletion Request Callback.
 *
 * @example
 * const removed = await parseSignedRequest(rawBody, appSecret);
 * if (removed.isOk()) console.log(removed.value.user_id, removed.value.issued_at);
 */
export function parseSignedRequest(
  signedRequest: string,
  secrets: string | readonly string[],
): ResultAsync<SignedRequest, ParseSignedRequestFailure> {
  return new ResultAsync(parse(signedRequest, secretsIn(secrets)));
}

async function parse(
  signedRequest: string,
  secrets: readonly string[],
): Promise<Result<SignedRequest, ParseSignedRequestFailure>> {
  const invalid = invalidSecret('secrets', secrets);
  if (invalid) return err(invalid);
  const found = await readSignedRequest(signedRequest, secrets);
  if (typeof found !== 'string') return ok(found);
  if (found === 'unreadable') return err(new DeliveryError('the signed request names no person'));
  return refuse(found === 'expired' ? 'mismatch' : found);
}

/** What an event is about. */
export interface EventSubject {
  /** The Page or account that it happens to, as events of it have it in `accountId`. */
  readonly accountId: string;
  /** Of the lead, the message or the comment. */
  readonly id: string;
}

/**
 * The `key` that the event of a lead, a new message or an added comment has, for what a poll reads: `leadgen` for what
 * `leads` reads, `message` for `messages`, and for `comments` `feed` on a Page and `comments` on a photo-sharing
 * account.
 *
 * Fails with ConfigurationError for another type, and for an empty id.
 *
 * @example
 * const key = await eventKey('leadgen', { accountId: pageId, id: leadgenId });
 * if (key.isOk()) console.log(key.value);
 */
export function eventKey(type: OnceType, subject: EventSubject): ResultAsync<string, ConfigurationError> {
  try {
    const { accountId, id }: EventSubject = Object(subject);
    const invalid =
      typeof type === 'string' && Object.hasOwn(subjects, type)
        ? firstInvalid(subject, { accountId: areTexts([accountId]), id: areTexts([id]) })
        : invalidOption('type');
    return invalid ? errAsync(invalid) : okAsync(digestOf(accountId, subjects[type], id));
  } catch {
    // A getter threw.
    return errAsync(invalidOption('subject'));
  }
}
