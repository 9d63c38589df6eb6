import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../../core/errors.ts';
import { dayMs, toDay, toDayName } from '../../core/options/time.ts';

/** The periods that a Page's metrics are given for. */
export const periods = ['day', 'week', 'days_28', 'month', 'lifetime', 'total_over_range'] as const;
export type InsightsPeriod = (typeof periods)[number];

/** Days of one request: the platform refuses more than 90 between its two bounds, which lie a little further apart. */
const daysOfRequest = 88;
const defaultDays = 30;
/** The platform keeps two years: a longer range is a mistake, and would become hundreds of requests. */
const mostDays = 1098;
const hourMs = 3_600_000;

/** Days, both counted in: the beginnings of their first and last one, milliseconds since 1970. */
export interface DayRange {
  readonly first: number;
  readonly last: number;
}

/** The parts in which a range is asked for, in their order. `undefined` asks without bounds. */
export function toParts(
  {
    period,
    since,
    until,
  }: { period: InsightsPeriod; since?: Date | string | undefined; until?: Date | string | undefined },
  now: number,
): Result<readonly (DayRange | undefined)[], ConfigurationError> {
  if (period === 'lifetime' && since === undefined && until === undefined) return ok([undefined]);
  const today = toDay(new Date(now));
  const last = Math.min(until === undefined ? today : toDay(until), today);
  const first = since === undefined ? last - (defaultDays - 1) * dayMs : toDay(since);
  if (first > last) {
    return err(new ConfigurationError(`since must not be after ${toDayName(last)}`, 'since'));
  }
  if (last - first >= mostDays * dayMs) {
    return err(new ConfigurationError(`since must be at most ${mostDays} days before until`, 'since'));
  }
  const stepMs = daysOfRequest * dayMs;
  const count = Math.ceil((last - first + dayMs) / stepMs);
  if (period === 'total_over_range' && count > 1) {
    const message = `since must be at most ${daysOfRequest} days before until: totals of parts do not add up`;
    return err(new ConfigurationError(message, 'since'));
  }
  return ok(
    Array.from({ length: count }, (_, at) => ({
      first: first + at * stepMs,
      last: Math.min(last, first + (at + 1) * stepMs - dayMs),
    })),
  );
}

/**
 * The bounds to send for a range, unix seconds. The platform's days end at midnight Pacific, and a value bears the
 * end of its day: that of the last day lies up to 32 hours after its beginning by UTC. A total has no such values.
 */
export function toBounds(
  { first, last }: DayRange,
  period: InsightsPeriod,
  now: number,
): { since: number; until: number } {
  const until = Math.min(last + (period === 'total_over_range' ? dayMs : 36 * hourMs), now);
  return { since: first / 1000, until: Math.max(Math.floor(until / 1000), first / 1000 + 1) };
}

/** Whether a value that bears this time belongs to one of the days. */
export function isWithin({ first, last }: DayRange, endTime: Date): boolean {
  const day = toDay(new Date(endTime.getTime() - 12 * hourMs));
  return day >= first && day <= last;
}
