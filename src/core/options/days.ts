import { err, ok, type Result } from 'neverthrow';

import { ConfigurationError } from '../errors.ts';
import * as rule from './rules.ts';
import { dayMs, isInCalendar } from './time.ts';

/** Which days to read. */
export interface DayOptions {
  /**
   * First day, inclusive: a Date, whose UTC day is used, or `YYYY-MM-DD`.
   * @default 29 days before `until`
   */
  readonly since?: Date | string | undefined;
  /**
   * Last day, inclusive, in the form of `since`. A future day becomes today.
   * @default today
   */
  readonly until?: Date | string | undefined;
}

/** The rule for a day: a date that exists, from the year 1 on. */
export const isDay: rule.Rule = rule.copying((value) => {
  const isDate = value instanceof Date;
  if (isDate || (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))) {
    const start = toDay(value);
    if (start >= Date.parse('0001-01-01') && (isDate || isInCalendar(value)))
      return { copy: isDate ? new Date(value) : value };
  }
  return 'must be a Date or a date as YYYY-MM-DD';
});

/** The rules of {@link DayOptions}. */
export const dayRules = { since: rule.optional(isDay), until: rule.optional(isDay) };

/** A range of days: the beginnings of its first and its last day, in milliseconds since 1970. */
export interface DayRange {
  readonly since: number;
  readonly until: number;
}

/** The range that the options name, of at most `most` days. */
export function rangeOf(
  { since, until }: DayOptions,
  now: number,
  most: number,
): Result<DayRange, ConfigurationError> {
  const today = toDay(new Date(now));
  const last = Math.min(until === undefined ? today : toDay(until), today);
  const first = since === undefined ? last - 29 * dayMs : toDay(since);
  const fault =
    first > last
      ? `must not be after ${toDayName(last)}`
      : last - first >= most * dayMs
        ? `must be at most ${most - 1} days before ${toDayName(last)}`
        : undefined;
  return fault === undefined
    ? ok({ since: first, until: last })
    : err(new ConfigurationError(`since ${fault}`, 'since'));
}

/** The parts of a range, of at most `days` each, oldest first. */
export function splitDays({ since, until }: DayRange, days: number): readonly DayRange[] {
  const step = days * dayMs;
  return Array.from({ length: Math.ceil((until - since + dayMs) / step) }, (_, at) => ({
    since: since + at * step,
    until: Math.min(until, since + (at + 1) * step - dayMs),
  }));
}

/** The days of a range as `YYYY-MM-DD`, oldest first. */
export function daysIn(range: DayRange): readonly string[] {
  return splitDays(range, 1).map(({ since }) => toDayName(since));
}

/**
 * The bounds to send for a range of days that end later than those of UTC, in unix seconds. A value bears the end of its
 * day, so that of the last one lies up to 36 hours after that day began by UTC.
 */
export function boundsOf({ since, until }: DayRange, now: number, hours = 36): DayRange {
  const end = Math.floor(Math.min(until + (hours / 24) * dayMs, now) / 1000);
  return { since: since / 1000, until: Math.max(end, since / 1000 + 1) };
}

/** The start of a date's UTC day, in milliseconds since 1970. */
export function toDay(value: Date | string): number {
  return Math.floor(new Date(value).getTime() / dayMs) * dayMs;
}

/** `YYYY-MM-DD` */
export function toDayName(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
