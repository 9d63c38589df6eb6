import { actionOf, withRemedy, type Outcome } from './action.ts';
import type { ErrorAction, ErrorCategory, MediaProperty } from './codes.ts';
import {
  type AnySdkError,
  ApiError,
  ConfigurationError,
  ContainerNotReadyError,
  DeliveryError,
  isSdkError,
  PermissionError,
  RateLimitError,
  SdkError,
  SignatureError,
  type SignatureReason,
  TransportError,
  type TransportReason,
} from './errors.ts';
import { isObject } from './objects.ts';

/**
 * Gives an error of this SDK back from the form of its `toJSON`, which may have been through `JSON.stringify`,
 * `structuredClone`, a database, a queue or the step of a durable engine. It is of the same class and has the same
 * fields, so `instanceof`, `isSdkError` and `switch (error.name)` work; only its stack is that of this call. An error of
 * this SDK is returned as it is. Anything else is `undefined`, such as the clone of an error itself, which has lost its
 * fields.
 *
 * @example
 * const stored = '{"name":"TransportError","message":"timed out","reason":"timeout","outcome":"unknown"}';
 * const error = errorFromJSON(JSON.parse(stored));
 * if (error?.name === 'TransportError') console.log(error.outcome);
 */
export function errorFromJSON(value: unknown): AnySdkError | undefined {
  if (isSdkError(value)) return value;
  try {
    return isObject(value) ? read(value) : undefined;
  } catch {
    // What was through JSON can be read.
    return undefined;
  }
}

function read(value: Readonly<Record<string, unknown>>): AnySdkError | undefined {
  const { name, message } = value;
  if (typeof name !== 'string' || typeof message !== 'string') return undefined;
  const fields = Object.entries(value).filter(
    // Stores may have `null` for what is not set. What errors inherit is not for data to set.
    ([field, given]) =>
      (given ?? undefined) !== undefined && field !== 'stack' && !(field in SdkError.prototype),
  );
  if (!fields.every(([field, given]) => fits(field, given))) return undefined;
  const details = Object.fromEntries(fields);
  const error = make(name, message, details);
  if (error === undefined) return undefined;
  Object.assign(error, details);
  const { retryAfterMs, action } = details;
  const askedMs = typeof retryAfterMs === 'number' ? retryAfterMs : undefined;
  const known = isIn(actions, action) ? action : undefined;
  return withRemedy(error, askedMs, known ?? ('category' in error ? actionOf(error, askedMs) : undefined));
}

function make(
  name: string,
  message: string,
  details: Readonly<Record<string, unknown>>,
): AnySdkError | undefined {
  const { reason, containerId, option } = details;
  switch (name) {
    case 'ConfigurationError':
      return new ConfigurationError(message, typeof option === 'string' ? option : undefined);
    case 'TransportError':
      return isIn(transportReasons, reason) ? new TransportError(reason, message) : undefined;
    case 'ApiError':
      return new ApiError(message, details);
    case 'RateLimitError':
      return new RateLimitError(message, details);
    case 'PermissionError':
      return new PermissionError(message, details);
    case 'ContainerNotReadyError':
      return typeof containerId === 'string' ? new ContainerNotReadyError(message, containerId) : undefined;
    case 'SignatureError':
      return isIn(signatureReasons, reason) ? new SignatureError(reason) : undefined;
    case 'DeliveryError':
      return new DeliveryError(message);
  }
  return undefined;
}

/** Whether a value has the type of the field of errors that has this name. `payload` may be anything. */
function fits(field: string, value: unknown): boolean {
  const names = enumerations[field];
  if (names) return isIn(names, value);
  const [type] = types.find(([, names]) => names.split(' ').includes(field)) ?? [];
  return type === undefined || typeof value === type;
}

const types: readonly (readonly [type: string, fields: string])[] = [
  ['string', 'operation callId method path option type traceId userTitle userMessage containerId statusCode'],
  ['number', 'status code subcode retryAfterMs failedItem'],
  ['boolean', 'transient'],
  ['object', 'ids cause usage limit'],
];

/** The names of a union, which the compiler completes. */
type Names<TName extends string> = Readonly<Record<TName, true>>;

function isIn<TName extends string>(names: Names<TName>, value: unknown): value is TName {
  return typeof value === 'string' && Object.hasOwn(names, value);
}

const transportReasons: Names<TransportReason> = {
  network: true,
  timeout: true,
  aborted: true,
  closed: true,
  busy: true,
  journal: true,
};
const signatureReasons: Names<SignatureReason> = { missing: true, malformed: true, mismatch: true };
const outcomes: Names<Outcome> = { rejected: true, applied: true, unknown: true };
const actions: Names<ErrorAction> = { login: true, retry: true, wait: true, fix: true };
const categories: Names<ErrorCategory> = {
  auth: true,
  permission: true,
  rate_limit: true,
  quota: true,
  policy: true,
  recipient: true,
  transient: true,
  validation: true,
  media: true,
  window: true,
  not_found: true,
  unknown: true,
};

const media: Names<MediaProperty> = {
  aspect_ratio: true,
  frame_rate: true,
  duration: true,
  codec: true,
  resolution: true,
  size: true,
  format: true,
  url: true,
};

const enumerations: Readonly<Record<string, Names<string>>> = {
  outcome: outcomes,
  action: actions,
  category: categories,
  media,
};
