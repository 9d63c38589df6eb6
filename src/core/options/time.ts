import { ConfigurationError } from '../errors.ts';
import { isRecord } from '../objects.ts';
import type { Clock } from './clock.ts';
import { fromCaller } from './given.ts';
import * as rule from './rules.ts';

export const dayMs = 86_400_000;

/** A larger number of seconds would be after the year 5138, so it must be milliseconds. */
const likelyMs = 1e11;
const leastLeadSeconds = 600;

/** Milliseconds since 1970 of a time of the platform, such as `2026-01-02T03:04:05+0000`; `NaN` if it is none. */
export function parseTime(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : NaN;
}

/** Unix seconds, possibly with a fraction; `NaN` for a value that is not a time. */
function toExactSeconds(value: unknown): number {
  return value instanceof Date ? value.getTime() / 1000 : typeof value === 'number' ? value : NaN;
}

/** Unix seconds as an integer; `NaN` for a value that is not a time. */
export function toSeconds(value: unknown): number {
  return Math.floor(toExactSeconds(value));
}

/** The rule for a time. */
export const time: rule.Rule = rule.as(
  'time',
  rule.copying((value) => {
    const seconds = toExactSeconds(value);
    if (!Number.isFinite(seconds) || seconds < 0) return 'must be unix seconds or a valid Date';
    if (value instanceof Date) return { copy: new Date(value) };
    return seconds < likelyMs ? { copy: value } : 'must be in seconds: it looks like milliseconds';
  }),
);

/**
 * Refuses a publishing time that is too soon. Each edge has its own upper limit, which is left to the platform. A repeated
 * call with a key comes later than the one that scheduled the post, so only the first one is checked.
 */
export function checkLead(clock: Clock, scheduledAt: unknown): ConfigurationError | undefined {
  return toExactSeconds(scheduledAt) < clock.now() / 1000 + leastLeadSeconds
    ? new ConfigurationError('scheduledAt must be at least 10 minutes ahead', 'scheduledAt')
    : undefined;
}

/** Whether a day such as `2027-02-28` is in the calendar. `Date` may read 30 February as 2 March. */
export function isInCalendar(day: string): boolean {
  const at = Date.parse(day);
  return Number.isFinite(at) && new Date(at).toJSON().startsWith(day);
}

/** Whether a value is a time: seconds are none, since milliseconds passed their largest in 1973. */
function isTime(value: Date | string | number): boolean {
  const at = new Date(value).getTime();
  if (typeof value !== 'string') return Number.isFinite(at) && (typeof value !== 'number' || at >= likelyMs);
  const [, day, hour] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d))?/.exec(value) ?? [];
  return Number.isFinite(at) && (day === undefined || isInCalendar(day)) && hour !== '24';
}

/** What {@link isRefreshDue} needs of a token bundle; one that was stored as JSON also works. */
export interface RefreshableToken {
  /** A number is in milliseconds since 1970. */
  readonly expires_at?: Date | string | number | undefined;
  /** Seconds from when the token was issued until it expires. */
  readonly expires_in?: number | undefined;
}

/**
 * Whether a long-lived token should be renewed now: it is at least a day old, as the platform demands, and more
 * than half of its life is over. A token that never ends is never due. One that has ended, long-lived or not, is
 * `'ended'`: only a new login replaces it.
 *
 * Without `expires_in`, a lifetime of 60 days is assumed. Throws a ConfigurationError for what is no bundle, such as
 * `undefined` or a Result, for an `expires_at` that is no time, for an `expires_in` that is no number of seconds, and for a
 * `now` that is no number of milliseconds.
 *
 * @param now milliseconds since 1970
 *
 * @example
 * const due = isRefreshDue(bundle);
 * if (due === 'ended') console.log('log in again');
 * else if (due) console.log('renew it');
 */
export function isRefreshDue(bundle: RefreshableToken, now: number = Date.now()): boolean | 'ended' {
  return fromCaller('bundle', () => isDue(bundle, now));
}

function isDue(bundle: RefreshableToken, now: number): boolean | 'ended' {
  // A Result or a promise has no end either, and would never be due.
  const given: unknown = bundle;
  if (!isRecord(given) || 'then' in given || 'andThen' in given)
    throw new ConfigurationError('bundle must be the token bundle itself', 'bundle');
  if (typeof now !== 'number' || !isTime(now))
    throw new ConfigurationError('now must be milliseconds since 1970', 'now');
  const { expires_at } = bundle;
  if (expires_at === undefined || expires_at === null) return false;
  const end = new Date(expires_at).getTime();
  // It would never be due, or have ended.
  if (!isTime(expires_at))
    throw new ConfigurationError('bundle.expires_at must be a time', 'bundle.expires_at');
  // What was stored may have `null` for what is not known.
  const lifeMs = Number(bundle.expires_in ?? 60 * 86_400) * 1000;
  if (!(lifeMs > 0))
    throw new ConfigurationError('bundle.expires_in must be a number of seconds', 'bundle.expires_in');
  const ageMs = now - (end - lifeMs);
  if (now >= end) return 'ended';
  // A short-lived token, which lasts hours, is exchanged instead of renewed.
  return ageMs >= Math.max(dayMs, lifeMs / 2);
}
