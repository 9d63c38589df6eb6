import {
  ApiError,
  type ApiErrorDetails,
  type ErrorCategory,
  PermissionError,
  RateLimitError,
} from '../errors.ts';
import type { PlatformWords } from '../platform.ts';
import type { Redact } from './redact.ts';
import { readRetryAfter, readUsage } from './usage.ts';

interface ReadingOptions {
  readonly redact: Redact;
  readonly now: number;
  readonly isRead: boolean;
  readonly words: PlatformWords;
}

/** What a refusal says of the request that it answers. */
export interface Refusal {
  readonly error: ApiError | RateLimitError | PermissionError;
  /** The platform refused before it did anything: the request may be sent again without doing it twice. */
  readonly refused: boolean;
  /** Milliseconds that the platform asks to wait. */
  readonly waitMs: number | undefined;
}

const rateLimitCodes = [
  4, 17, 32, 341, 613, 80000, 80001, 80002, 80003, 80004, 80005, 80006, 80008, 80009, 80014,
];

/** Categories by `code/subcode`, `/subcode` and `code`; the finer key wins. */
const categories: Readonly<Record<string, ErrorCategory>> = {
  '4/2207051': 'policy',
  '9/2207042': 'quota',
  '10/2534022': 'window',
  '10/2018278': 'window',
  '100/33': 'not_found',
  '100/36007': 'auth',
  '100/36008': 'auth',
  '100/36009': 'auth',
  '/2534001': 'recipient',
  '/2534013': 'recipient',
  '/2534014': 'recipient',
  '/2534025': 'recipient',
  3: 'permission',
  10: 'permission',
  100: 'validation',
  102: 'auth',
  190: 'auth',
  368: 'policy',
  506: 'validation',
  551: 'recipient',
  803: 'not_found',
  2500: 'auth',
  3001: 'validation',
  9010: 'recipient',
  36104: 'permission',
  1609005: 'validation',
};

/** Codes of passing faults, and the subcodes that come under them without being one. */
const transientCodes = [1, 2, -1, -2];
const lastingSubcodes = [2207057, 2207020, 2207053];

/**
 * Reads a refusal: by the error code in the body first, since the platform puts the same code under
 * several HTTP statuses, then by the status.
 *
 * Three forms are known: the graph envelope, the token endpoint's flat one and the upload host's `debug_info`.
 */
export function readRefusal(
  { status, headers, body }: { readonly status: number; readonly headers: Headers; readonly body: unknown },
  { redact, now, isRead, words }: ReadingOptions,
): Refusal {
  const flat = record(body);
  const envelope =
    record(flat?.['error']) ??
    record(flat?.['debug_info']) ??
    (flat && ('error_message' in flat || 'error_type' in flat) ? flat : undefined);

  const code = integer(envelope?.['code']);
  const subcode = integer(envelope?.['error_subcode']);
  const category = categorize(status, code, subcode, envelope?.['is_transient'] === true);
  const limited = category === 'rate_limit';
  const transient = category === 'transient';
  const refused =
    limited || (status >= 400 && status < 500 && envelope !== undefined && !transient && subcode !== 2207051);

  const details: ApiErrorDetails = redact({
    status,
    code,
    subcode,
    type: string(envelope?.['type']) ?? string(envelope?.['error_type']),
    traceId: string(envelope?.[words.traceField]) ?? headers.get(words.traceHeader) ?? undefined,
    transient: transient || envelope?.['is_transient'] === true,
    userTitle: string(envelope?.['error_user_title']),
    userMessage: string(envelope?.['error_user_msg']),
    payload: body,
    category,
    outcome: isRead || refused ? 'rejected' : 'unknown',
  });
  const shown = redact(
    string(envelope?.['message']) ??
      string(envelope?.['error_message']) ??
      string(flat?.['message']) ??
      describeResponse(status, headers, details.payload),
  );

  const usage = readUsage(headers);
  const retryAfterMs = readRetryAfter(headers, now);
  const waitMs = longer(retryAfterMs, usage?.regainMs);
  const error = limited
    ? new RateLimitError(shown, details, waitMs, usage)
    : category === 'permission' || category === 'window'
      ? new PermissionError(shown, details)
      : new ApiError<'ApiError'>(shown, details);
  return { error, refused, waitMs };
}

/** What there is to say of an answer without an error in it. A text is cut once its secrets are out. */
function describeResponse(status: number, headers: Headers, body: unknown): string {
  const target = headers.get('location');
  if (target !== null)
    return `the platform redirected elsewhere (HTTP status ${status}): ${target.split('?')[0]}`;
  if (body === '') return `the answer is empty (HTTP status ${status})`;
  const what =
    typeof body === 'string' ? `the answer is not JSON: ${body.slice(0, 200)}` : 'the answer says no error';
  return `${what} (HTTP status ${status})`;
}

function categorize(
  status: number,
  code: number | undefined,
  subcode: number | undefined,
  flagged: boolean,
): ErrorCategory {
  const known = categories[`${code}/${subcode}`] ?? categories[`/${subcode}`] ?? categories[`${code}`];
  if (code !== undefined) {
    if (known === 'policy' || known === 'quota') return known;
    if (rateLimitCodes.includes(code)) return 'rate_limit';
    if (flagged) return 'transient';
    if (transientCodes.includes(code) && !lastingSubcodes.includes(subcode ?? 0)) return 'transient';
    if (Math.floor((subcode ?? 0) / 1000) === 2207) return 'media';
    if (known !== undefined) return known;
    if (code >= 200 && code < 300) return 'permission';
  }
  if (flagged || status >= 500) return 'transient';
  return byStatus[status] ?? (status >= 400 ? 'validation' : 'unknown');
}

const byStatus: Readonly<Record<number, ErrorCategory>> = {
  401: 'auth',
  403: 'permission',
  404: 'not_found',
  429: 'rate_limit',
};

function longer(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function integer(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : undefined;
}
