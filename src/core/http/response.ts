import { err, ok, type Result } from 'neverthrow';
import * as v from 'valibot';

import { type Fact, factOf, isLasting, isVague } from '../codes.ts';
import {
  ApiError,
  type ApiErrorDetails,
  PermissionError,
  RateLimitError,
  type ErrorCategory,
  type Outcome,
  type Usage,
} from '../errors.ts';
import { fieldsOf, nonEmpty } from '../objects.ts';
import { isMisplaced } from '../platform.ts';
import { type Redact, redactName } from './redact.ts';
import { type FailedAttempt, gatewayStatuses } from './retry.ts';
import type {
  GraphRequest,
  HttpContext,
  PreparedRequest,
  RawResponse,
  Refused,
  UploadError,
} from './types.ts';

/** What is known about the request of a response. */
type Requested = Pick<PreparedRequest, 'isRead' | 'redact' | 'show'>;

/** Checks a response. One that does not fit is an ApiError that says where, with the whole body. */
export function parseResponse<TOutput>(
  { status, body }: Pick<RawResponse, 'status' | 'body'>,
  schema: v.GenericSchema<unknown, TOutput>,
  { isRead, redact, show }: Requested,
): Result<TOutput, ApiError> {
  const { success } = fieldsOf(body);
  if (!isRead && (success === false || success === 'false')) {
    return err(new ApiError('the platform responded with success: false', { status, payload: show(body) }));
  }
  const read = v.safeParse(schema, body, { abortEarly: true });
  if (read.success) return ok(read.output);

  const [{ path, expected, message }] = read.issues;
  const place = redactName(redact, path?.map(({ key }) => String(key)).join('.') || 'body');
  // A key that is missing is expected by its name; a check says in its message what it expects.
  const fault = expected === null ? message : `expected ${expected.startsWith('"') ? 'a value' : expected}`;
  const details = { status, payload: show(body), outcome: isRead ? 'rejected' : 'unknown' } as const;
  return err(new ApiError(`unexpected response at ${place}: ${fault}`, details));
}

/** What a refusal adds about its request. */
export interface Refusal extends FailedAttempt {
  readonly error: ApiError | RateLimitError | PermissionError;
}

/** What a refusal is read with. */
type Refusing = Requested & {
  readonly context: Pick<HttpContext, 'platform' | 'clock' | 'mode'>;
  readonly request: Pick<GraphRequest<unknown>, 'method'> &
    Partial<Pick<GraphRequest<unknown>, 'explain' | 'fetches' | 'token' | 'query' | 'path'>>;
};

/** Reads a refusal: what the platform said, what that means, whether the request did nothing, then the error for all this. */
export function readRefusal(response: RawResponse, refused: Refusing): Refusal {
  const { status, headers, body } = response;
  const said = readEnvelope(body, refused.request.explain);
  const meaning = meaningOf(said, status, refused);
  const isOfPlatform = hasOwnCode(said) && !gatewayStatuses.includes(status);
  const { category, fact } = meaning;
  const known = { status, category, isLate: fact?.isLate, isOfBytes: said.isOfBytes, isOfPlatform };
  const isRejected = refused.request.method.hasDoneNothing?.(known) ?? true;
  const outcome = refused.isRead || isRejected ? 'rejected' : 'unknown';
  return {
    headers,
    isRejected,
    isTransient: meaning.known === 'transient' || meaning.known === 'rate_limit',
    isFromGateway: isOfClient(status) && !isOfPlatform,
    error: errorOf(response, said, meaning, outcome, refused),
  };
}

/** What an error means. */
interface Meaning {
  readonly fact: Fact | undefined;
  /** The category by what the platform says, not only by the HTTP status. */
  readonly known: ErrorCategory | undefined;
  readonly category: ErrorCategory;
}

/** By the code in the body first, since the platform puts the same code under several HTTP statuses, then by the status. */
function meaningOf(said: Envelope, status: number, { context, request }: Refusing): Meaning {
  const told = factIn(said);
  const { token = request.query?.['access_token'] } = request;
  const isOfOther = told?.is === 'auth' && isMisplaced(String(token), context.mode);
  const fact = isOfOther ? { ...told, ...ofOtherPlatform } : told;
  const isTransient = said.isTransient && !isLasting(said);
  // What it words for a person and calls lasting is a refusal, though its code may also mean an outage.
  const isRefusal = said.isForPerson && isOfClient(status) && isVague(said);
  const known = isTransient ? 'transient' : isRefusal ? undefined : fact?.is;
  return { fact, known, category: known ?? categoryOfStatus(status, said.code !== undefined) };
}

const ofOtherPlatform = {
  action: 'fix',
  hint: ' (it begins like a token of the other platform, for which this context is not)',
} as const;

/** What is known about an error, by its code and its words. */
function factIn(said: Envelope): Fact | undefined {
  if (said.upload !== undefined) return said.upload.fact;
  // The code of the token endpoint is not one of the graph's.
  if (said.isLogin)
    return factOf({ message: said.message, code: undefined, subcode: undefined }) ?? { is: 'auth' };
  return factOf(said);
}

function isOfClient(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Whether the platform is known to have done nothing. */
export function hasDoneNothing({ status, category, isLate, isOfBytes, isOfPlatform }: Refused): boolean {
  // A limiter refuses before it forwards, whoever it is.
  if (status === 429 && !isLate) return true;
  if (!isOfPlatform) return false;
  // That host only keeps bytes: another request publishes them.
  if (isOfBytes) return true;
  // The platform checks limits and the message window before it sends anything to a person, whatever the status says.
  if (category === 'rate_limit' || category === 'window') return true;
  return isOfClient(status) && category !== 'transient' && !isLate;
}

/** Milliseconds that the platform asks to wait: by a header, or by what it says of the limit that refused the request. */
function askedToWait(
  headers: Headers,
  { code }: Envelope,
  { category, fact }: Meaning,
  now: number,
  path = '',
): number | undefined {
  // A response may tell of further Pages and accounts: the call waits for its own.
  const [, object] = /(?:^|\/)(\d+)(?=[_/?]|$)/.exec(path) ?? [];
  const regainMs = category === 'rate_limit' ? readUsage(headers, code, object)?.regainMs : undefined;
  return Math.max(readRetryAfter(headers, now) ?? 0, regainMs ?? 0) || fact?.waitMs;
}

/** The error of a refusal. Only what the platform sent is masked: the SDK's own words cannot hold a secret. */
function errorOf(
  response: RawResponse,
  said: Envelope,
  meaning: Meaning,
  outcome: Outcome,
  { redact, show, context, request }: Refusing,
): Refusal['error'] {
  const { status, headers, body, isJson } = response;
  const { words } = context.platform;
  const { envelope, code, subcode } = said;
  const { category, fact } = meaning;
  const retryAfterMs = askedToWait(headers, said, meaning, context.clock.now(), request.path);
  const details: ApiErrorDetails = {
    status,
    code,
    subcode,
    type: redact(said.type),
    traceId: redact(nonEmpty(envelope[words.traceField]) ?? headers.get(words.traceHeader) ?? undefined),
    transient: category === 'transient' || said.isTransient,
    userTitle: redact(nonEmpty(envelope['error_user_title'])),
    userMessage: redact(nonEmpty(envelope['error_user_msg'])),
    payload: show(body),
    category,
    outcome,
    // Only here is it known which token was sent; and that a success cannot be read, which is a lost response, unless it
    // is too large.
    action: fact?.action ?? (status < 300 && !isJson && body !== undefined ? 'retry' : undefined),
    retryAfterMs,
  };
  const text =
    redact(said.message) ?? details.userMessage ?? describeResponse(response, details.payload, redact);
  const message = text + (fact?.hint ?? '') + redact(request.fetches?.(said) ?? '');
  const isForbidden = category === 'permission' || category === 'window';
  return category === 'rate_limit'
    ? new RateLimitError(message, details, retryAfterMs, readUsage(headers))
    : new (isForbidden ? PermissionError : ApiError)(message, details);
}

/** What the platform says in a refusal. */
type Envelope = ReturnType<typeof readEnvelope>;

/** What the platform says in a body that has an error, by whichever of its forms. */
function readEnvelope(body: unknown, explain: GraphRequest<unknown>['explain']) {
  const whole = fieldsOf(body);
  const envelope = errorIn(whole);
  const type = firstText(envelope['type'], envelope['error_type']);
  const own = firstText(envelope['message'], envelope['error_message']);
  // What stands between may say it as OAuth does.
  const message = own ?? firstText(whole['message'], whole['error_description'], whole['error']);
  const isOfUpload =
    whole['debug_info'] === envelope && (type !== undefined || typeof envelope['retriable'] === 'boolean');
  const upload: UploadError | undefined = isOfUpload ? (explain?.(envelope, message) ?? {}) : undefined;
  const words = [envelope['error_user_title'], envelope['error_user_msg']];
  return {
    envelope,
    /** Whether the token endpoint sent it. */
    isLogin: envelope === whole && type === 'OAuthException',
    /** What the upload host says, if the error has the form of its errors. */
    upload,
    /** Whether the request was one to that host, not only the form of the error. */
    isOfBytes: upload !== undefined && explain !== undefined,
    code: upload?.code ?? integer(envelope['code']),
    subcode: upload?.subcode ?? integer(envelope['error_subcode']),
    type,
    message,
    isTransient: envelope['is_transient'] === true,
    /** Whether it has words for a person, who is told that trying again does not help. */
    isForPerson: envelope['is_transient'] === false && words.every((text) => nonEmpty(text) !== undefined),
  };
}

/** The error in a body: the graph envelope, the upload host's `debug_info`, or the token endpoint's flat one. */
function errorIn(whole: Fields): Fields {
  const { error, debug_info } = whole;
  const nested = [error, debug_info].find((one) => typeof one === 'object' && one !== null);
  const isFlat = 'error_message' in whole || 'error_type' in whole;
  return nested === undefined ? (isFlat ? whole : {}) : fieldsOf(nested);
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.map(nonEmpty).find((text) => text !== undefined);
}

/**
 * Whether an error has what only the platform's own errors have: an integer code, or the form of its upload host.
 * Gateways send JSON errors, too.
 */
function hasOwnCode({ envelope, upload }: Envelope): boolean {
  return Number.isInteger(envelope['code']) || upload !== undefined;
}

/** The message for a response without an error in it. A text is cut after its secrets are masked. */
function describeResponse(
  { status, headers, body, isJson }: RawResponse,
  payload: unknown,
  redact: Redact,
): string {
  const said = `(HTTP status ${status})`;
  const target = headers.get('location');
  if (target !== null) return `the platform redirected elsewhere ${said}: ${redact(target.split('?')[0])}`;
  const quote = typeof payload === 'string' ? `: ${payload.slice(0, 200)}` : '';
  const fault =
    body === undefined && !isJson
      ? 'is larger than maxResponseBytes'
      : body === ''
        ? 'is empty'
        : typeof body === 'string'
          ? `is not JSON${quote}`
          : 'has no error message';
  return `the response ${fault} ${said}`;
}

type Fields = Readonly<Record<string, unknown>>;

export function integer(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isInteger(number) ? Number(number) : undefined;
}

/** The category of an error by its HTTP status, if its code says nothing. An unknown code may mean anything. */
function categoryOfStatus(status: number, hasCode: boolean): ErrorCategory {
  const known =
    /^50[0234]$/.test(`${status}`) || gatewayStatuses.includes(status) ? 'transient' : byStatus[status];
  return known ?? (isOfClient(status) && !hasCode ? 'validation' : 'unknown');
}

const byStatus: Readonly<Record<number, ErrorCategory>> = {
  401: 'auth',
  403: 'permission',
  404: 'not_found',
  429: 'rate_limit',
};

const headerNames = ['x-app-usage', 'x-page-usage', 'x-business-use-case-usage', 'x-ad-account-usage'];

/** The units in which the platform states waiting times, in milliseconds. */
const waits: Readonly<Record<string, number>> = {
  estimated_time_to_regain_access: 60_000,
  reset_time_duration: 1000,
};

/** The kinds of use that a rate limit applies to, by its code. */
const types: Readonly<Record<number, RegExp>> = {
  613: /^(?!ads|custom)/,
  80000: /^ads_i/,
  80001: /^pages/,
  80002: /^(?!pages|messenger|leadgen|ads|custom)/,
  80003: /^custom/,
  80004: /^ads_m/,
  80005: /^leadgen/,
  80006: /^messenger/,
};
const anyContent = /^(?!messenger|leadgen|ads|custom)/;

/**
 * Reads the usage headers, in all their shapes: percentages by name (`call_count`, `call_volume`,
 * `acc_id_util_pct` …), a bare percentage, or lists of these by business object.
 *
 * Given the code of a rate limit, waiting times of other kinds of use are left out: a post need not wait because
 * messages are throttled for an hour. Given the object of a call, so are all others, if the headers tell of that.
 */
export function readUsage(headers: Headers, code?: number, object = ''): Usage | undefined {
  let percent = -1;
  let regainMs = 0;

  function read(name: string, value: unknown, applies: boolean): void {
    if (typeof value === 'object' && value !== null) {
      const { type } = fieldsOf(value);
      const isOf = typeof type !== 'string' || code === undefined || (types[code] ?? anyContent).test(type);
      for (const [key, part] of Object.entries(value)) read(key, part, isOf);
    } else if (typeof value === 'number') {
      const unit = waits[name];
      if (unit === undefined)
        percent = Math.max(percent, Number.isSafeInteger(Math.ceil(value)) ? value : -1);
      else if (applies) regainMs = Math.max(regainMs, wholeMs(value * unit) ?? 0);
    }
  }

  for (const name of headerNames) {
    const header = headers.get(name);
    if (header === null) continue;
    try {
      const all: unknown = JSON.parse(header);
      read('', fieldsOf(all)[object] ?? all, true);
    } catch {
      // A header that cannot be read is ignored.
    }
  }
  if (percent < 0 && regainMs === 0) return undefined;
  return { percent: Math.max(0, percent), ...(regainMs > 0 && { regainMs }) };
}

/** Whole milliseconds, which callers may pass to a timer; `undefined` for a number beyond all sense. */
function wholeMs(ms: number): number | undefined {
  const whole = Math.ceil(ms);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

/** How long a `Retry-After` header asks to wait, in milliseconds; `undefined` if it is useless. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  // A date is by the platform's clock, so it is compared with that: the local one may be wrong.
  const from = Date.parse(headers.get('date') ?? '') || now;
  // Headers with the same name arrive joined.
  const parts = headers.get('retry-after')?.split(/,(?=\s*(?:[\d.]+\s*(?:,|$)|[a-z]+,))/i) ?? [];
  const waitsMs = parts
    .map((part) => (/^\s*\d+(?:\.\d+)?\s*$/.test(part) ? Number(part) * 1000 : Date.parse(part) - from))
    .map(wholeMs)
    .filter((ms) => ms !== undefined);
  return waitsMs.length === 0 ? undefined : Math.max(0, ...waitsMs);
}
