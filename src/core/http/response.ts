import { err, ok, type Result } from 'neverthrow';

import { ApiError, type ApiErrorDetails, PermissionError, RateLimitError } from '../errors.ts';
import { fieldsOf } from '../options/check.ts';
import type { PlatformWords } from '../platform.ts';
import type { Schema } from '../schema.ts';
import { categoryOfCode, categoryOfStatus, type ErrorEnvelope } from './category.ts';
import type { RawResponse } from './exchange.ts';
import { nonEmpty } from './networkFailure.ts';
import { type Redact, redactName } from './redact.ts';
import type { FailedAttempt } from './retry.ts';
import type { GraphRequest } from './types.ts';
import { readRetryAfter, readUsage } from './usage.ts';

/** What is known about the request of a response. */
export interface ReadingOptions {
  /** Whether the request changes nothing on the platform. */
  readonly isRead: boolean;
  readonly redact: Redact;
  /** What errors show of a body. */
  readonly show: (body: unknown) => unknown;
}

/** Checks a response. One that does not fit is an ApiError that says where, with the whole body. */
export function parseResponse<TOutput>(
  { status, body }: Pick<RawResponse, 'status' | 'body'>,
  schema: Schema<TOutput>,
  { isRead, redact, show }: ReadingOptions,
): Result<TOutput, ApiError> {
  const { success } = fieldsOf(body);
  if (!isRead && (success === false || success === 'false')) {
    return err(new ApiError('the platform responded with success: false', { status, payload: show(body) }));
  }
  const read = schema(body);
  if (read.expected === undefined) return ok(read.value);

  const place = redactName(redact, read.path?.join('.') || 'body');
  const details = { status, payload: show(body), outcome: isRead ? 'rejected' : 'unknown' } as const;
  return err(new ApiError(`unexpected response at ${place}: expected ${read.expected}`, details));
}

/** What a refusal adds about its request. */
export interface Refusal extends FailedAttempt {
  readonly error: ApiError | RateLimitError | PermissionError;
}

/**
 * Reads a refusal: by the error code in the body first, since the platform puts the same code under
 * several HTTP statuses, then by the status.
 */
export function readRefusal(
  response: RawResponse,
  {
    redact,
    show,
    isRead,
    words,
    now,
    fetches,
  }: ReadingOptions & {
    readonly words: PlatformWords;
    /** Milliseconds since 1970. */
    readonly now: number;
    readonly fetches?: GraphRequest<unknown>['fetches'];
  },
): Refusal {
  const { status, headers, body } = response;
  const { envelope, message, ...error } = readEnvelope(body);
  const known = categoryOfCode({ ...error, message });
  const category = known ?? categoryOfStatus(status, error.code !== undefined);
  const isLimited = category === 'rate_limit';
  const isTransient = category === 'transient';
  // A refusal for suspected spam has been observed with the post published.
  const isSpam = error.code === 4 && category === 'policy';
  // The platform checks the message window before it sends anything to a person, whatever the status says.
  const isRejected =
    isLimited ||
    category === 'window' ||
    (status >= 400 && status < 500 && envelope !== undefined && !isTransient && !isSpam);

  const usage = readUsage(headers);
  const askedMs = readRetryAfter(headers, now);
  const regainMs = isLimited ? readUsage(headers, error.code)?.regainMs : undefined;
  const waitMs = Math.max(askedMs ?? 0, regainMs ?? 0) || undefined;
  // Only what the platform sent is masked: the SDK's own words cannot hold a secret.
  const details: ApiErrorDetails = {
    status,
    code: error.code,
    subcode: error.subcode,
    type: redact(error.type),
    traceId: redact(nonEmpty(envelope?.[words.traceField]) ?? headers.get(words.traceHeader) ?? undefined),
    transient: isTransient || error.isTransient,
    userTitle: redact(nonEmpty(envelope?.['error_user_title'])),
    userMessage: redact(nonEmpty(envelope?.['error_user_msg'])),
    payload: show(body),
    category,
    outcome: isRead || isRejected ? 'rejected' : 'unknown',
    retryAfterMs: waitMs,
  };
  const said = redact(message) ?? details.userMessage ?? describeResponse(response, details.payload, redact);
  const shown = said + redact(fetches?.(error) ?? '');
  return {
    headers,
    isRejected,
    isPassing: known === 'transient' || known === 'rate_limit',
    error: isLimited
      ? new RateLimitError(shown, details, waitMs, usage)
      : category === 'permission' || category === 'window'
        ? new PermissionError(shown, details)
        : new ApiError(shown, details),
  };
}

/** The error in a body: the graph envelope, the upload host's `debug_info`, or the token endpoint's flat one. */
function readEnvelope(body: unknown): ErrorEnvelope & { readonly envelope: Fields | undefined } {
  const whole = record(body);
  const isFlat = whole !== undefined && ('error_message' in whole || 'error_type' in whole);
  const nested = record(whole?.['error']) ?? record(whole?.['debug_info']);
  const envelope = nested ?? (isFlat ? whole : undefined);
  return {
    envelope,
    isFlat: nested === undefined,
    code: integer(envelope?.['code']),
    subcode: integer(envelope?.['error_subcode']),
    type: nonEmpty(envelope?.['type']) ?? nonEmpty(envelope?.['error_type']),
    message:
      nonEmpty(envelope?.['message']) ??
      nonEmpty(envelope?.['error_message']) ??
      nonEmpty(whole?.['message']),
    isTransient: envelope?.['is_transient'] === true,
  };
}

/** The message for a response without an error in it. A text is cut after its secrets are masked. */
function describeResponse(
  { status, headers, body, isJson }: RawResponse,
  payload: unknown,
  redact: Redact,
): string {
  const target = headers.get('location');
  if (target !== null)
    return `the platform redirected elsewhere (HTTP status ${status}): ${redact(target.split('?')[0])}`;
  if (body === undefined && !isJson)
    return `the response is larger than maxResponseBytes (HTTP status ${status})`;
  if (body === '') return `the response is empty (HTTP status ${status})`;
  const quote = typeof payload === 'string' ? `: ${payload.slice(0, 200)}` : '';
  const what =
    typeof body === 'string' ? `the response is not JSON${quote}` : 'the response has no error message';
  return `${what} (HTTP status ${status})`;
}

type Fields = Readonly<Record<string, unknown>>;

function record(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? fieldsOf(value) : undefined;
}

function integer(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isInteger(number) ? Number(number) : undefined;
}
