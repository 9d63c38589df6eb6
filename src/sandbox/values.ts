import type { FaultError, Tuning } from './types.ts';

/** The response to a request that the platform refuses. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

export interface GraphRefusal extends FaultError {
  readonly message: string;
  readonly status?: number;
}

/** Refuses the request: throws an error that the engine turns into the response. */
export function refuse(code: number, message: string, more: Partial<GraphRefusal> = {}): never {
  const { status = statusOf(code), ...error } = more;
  throw withRefusal({ status, body: envelope({ ...error, code, message }) });
}

/** Refuses with a body in another format, as the token host and the upload host do. */
export function refuseWith(status: number, body: unknown): never {
  throw withRefusal({ status, body });
}

export function envelope(error: FaultError): { readonly error: Record<string, unknown> } {
  const { message, type, code, error_subcode, is_transient, ...rest } = error;
  return {
    error: {
      message: message ?? `(#${code}) An error occurred`,
      type: type ?? 'OAuthException',
      code,
      ...(error_subcode === undefined ? {} : { error_subcode }),
      ...(is_transient === undefined ? {} : { is_transient }),
      ...rest,
    },
  };
}

export function refusalOf(thrown: unknown): Refusal | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('refusal' in thrown)) return undefined;
  return thrown.refusal as Refusal;
}

/** Refuses a wrong parameter. */
export function invalid(message: string, error_subcode?: number): never {
  return refuse(100, `(#100) ${message}`, error_subcode === undefined ? {} : { error_subcode });
}

/** Refuses an unknown id. An id that the token may not see is refused in the same way. */
export function missing(id: string, method: string): never {
  return refuse(
    100,
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to ` +
      'missing permissions, or does not support this operation.',
    { error_subcode: 33, type: 'GraphMethodException' },
  );
}

export function denied(message: string, code: 10 | 200 | 210 = 200): never {
  return refuse(code, `(#${code}) ${message}`, { status: 403 });
}

/** Refuses what is called faster than its published rate allows. */
export function tooFast(): never {
  return refuse(613, '(#613) Calls to this api have exceeded the rate limit.');
}

/** Refuses what the sandbox lacks and the live platform may have, with a message that no live response has. */
export function notEmulated(what: string, code = 100): never {
  return refuse(code, `The pagepics sandbox does not emulate ${what}. The live platform may well have it.`, {
    type: 'SandboxException',
  });
}

function withRefusal(refusal: Refusal): Error {
  return Object.assign(new Error(`refused with HTTP ${refusal.status}`), { refusal });
}

function statusOf(code: number): number {
  return code === 10 || (code >= 200 && code <= 299) ? 403 : 400;
}

const mark: unique symbol = Symbol('digits');

/** An id that is a bare number on the wire, kept digit for digit. */
export interface Digits {
  readonly [mark]: string;
}

export function digits(id: string): Digits {
  return { [mark]: id };
}

/** The value of a JSON text; `undefined` if it is not valid. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object without the members that are `undefined`. */
export function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** JSON as the platform writes it: `/` and non-ASCII characters are escaped, `undefined` members are left out. */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    if (mark in value) return String(value[mark]);
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${escaped(name)}:${toJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

function escaped(text: string): string {
  const json = JSON.stringify(text);
  if (!/[/\u007f-\uffff]/.test(json)) return json;
  return json
    .replaceAll('/', '\\/')
    .replaceAll(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Whether the platform can fetch an address: private ones and those of this machine are out of its reach, and so is what
 * lies below `.invalid`, for tests.
 */
export function isFetchable(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && isPublic(url.hostname);
}

const privateHosts =
  /(^|\.)(localhost|invalid|local|internal)$|^(0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^\[/;

function isPublic(host: string): boolean {
  return !privateHosts.test(host);
}

/** Whether bytes are plain text, and so neither a photo nor a video, whatever the name of their file. */
export function isText(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 512);
  const isBlank = (byte: number): boolean => byte === 32 || byte === 9 || byte === 10 || byte === 13;
  return first.some(isBlank) && first.every((byte) => byte > 32 || isBlank(byte)) && isUtf8(first);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** `2026-01-02T03:04:05+0000`. */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -5)}+0000`;
}

export type Params = Readonly<Record<string, string>>;

/** A boolean parameter. */
export function flag(params: Params, name: string): boolean | undefined {
  const text = params[name];
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : invalid(`Param ${name} must be a boolean`);
}

/** Whether a time lies between `since` and `until`, both inclusive; unix seconds or a date. */
export function timeWindow(call: { readonly params: Params }): (ms: number) => boolean {
  const since = timeParam(call, 'since');
  const until = timeParam(call, 'until');
  if (since === undefined && until === undefined) return () => true;
  return (ms) => {
    const seconds = Math.floor(ms / 1000);
    return (since === undefined || seconds >= since) && (until === undefined || seconds <= until);
  };
}

/** A time parameter, in unix seconds or as a date. Returns unix seconds. */
export function timeParam({ params }: { readonly params: Params }, name: string): number | undefined {
  const text = params[name];
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  return Number.isFinite(seconds) ? seconds : invalid(`Param ${name} must be a time`);
}

/** A parameter that is an object, if it is given. */
export function optionalObject(params: Params, name: string): Fields | undefined {
  return params[name] === undefined ? undefined : objectIn(params, name);
}

/** A parameter that must have one of the given values. */
export function oneOf(params: Params, name: string, values: readonly string[]): string | undefined {
  const text = params[name];
  if (text === undefined || values.includes(text)) return text;
  return invalid(`Param ${name} must be one of {${values.join(', ')}}`);
}

/** A list parameter: comma separated, or a JSON array. */
export function names(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  if (!text.startsWith('['))
    return text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
  const list = parsed(text);
  return Array.isArray(list) ? list.map(String) : invalid('Param must be an array');
}

/** The names in a text with spaces between them. */
export function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

/** The period of a metric. */
export function periodIn(params: Params): string | undefined {
  return oneOf(params, 'period', ['day', 'days_28', 'lifetime', 'month', 'total_over_range', 'week']);
}

const daySeconds = 86_400;
const hourInPacific = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hour: 'numeric',
  hourCycle: 'h23',
});

/**
 * The ends of the platform's days after `since` and up to `until`, unix seconds. Its days end at midnight Pacific time:
 * at 07:00 UTC in summer, at 08:00 in winter.
 */
export function dayEnds(since: number, until: number): number[] {
  const found: number[] = [];
  for (let day = Math.floor(since / daySeconds) - 1; day * daySeconds <= until; day += 1) {
    const seven = day * daySeconds + 7 * 3600;
    const end = hourInPacific.format(seven * 1000) === '00' ? seven : seven + 3600;
    if (end >= since && end <= until) found.push(end);
  }
  return found;
}

/** Those of the ends of days that the platform has numbers of by now. A Pacific day ends on the next day of UTC. */
export function endsWithNumbers(
  world: { readonly now: () => number; readonly tuning: Pick<Tuning, 'metrics'> },
  ends: readonly number[],
): readonly number[] {
  const { lagMs, missingDays } = world.tuning.metrics;
  return ends.filter(
    (end) =>
      end * 1000 + lagMs <= world.now() &&
      !missingDays.includes(new Date((end - 12 * 3600) * 1000).toISOString().slice(0, 10)),
  );
}

export type Fields = Readonly<Record<string, unknown>>;

/** A parameter that is an object, sent as JSON or as JSON text. */
export function objectIn(params: Params, name: string): Fields {
  return objectOf(parsed(params[name] ?? ''), name);
}

export function objectOf(value: unknown, name: string): Fields {
  return isObject(value) ? value : invalid(`Param ${name} must be an object`);
}

/** A list with bounds on its length. */
export function listIn(fields: Fields, name: string, least: number, most: number): readonly Fields[] {
  const value = fields[name];
  if (!Array.isArray(value) || value.length < least || value.length > most) {
    return invalid(`Param ${name} must have ${least} to ${most} elements`);
  }
  return value.map((one: unknown) => objectOf(one, name));
}

/** A non-empty text. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' && value !== ''
    ? value
    : invalid(`Param ${name} must be a non-empty string`);
}

export function addressIn(fields: Fields, name: string): string {
  const text = textIn(fields, name);
  return /^https?:/.test(text) && URL.canParse(text) ? text : invalid(`${name} should represent a valid URL`);
}

/** The address of a file that the platform fetches. */
export function fileIn(fields: Fields, name: string): string {
  const text = addressIn(fields, name);
  return isFetchable(text)
    ? text
    : refuse(100, '(#100) Upload attachment failure.', { error_subcode: 2_018_047 });
}
