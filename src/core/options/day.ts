import type { Rule } from './check.ts';

export const dayMs = 86_400_000;

/** The rule for a day: a date that exists, from the year 1 on. */
export const isDay: Rule = (value) => {
  if (value instanceof Date || (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value))) {
    const day = toDay(value);
    // `Date` may read 30 February as 2 March, so the parsed day is compared with the text.
    if (day >= Date.parse('0001-01-01') && (value instanceof Date || toDayName(day) === value))
      return { use: value instanceof Date ? new Date(value) : value };
  }
  return 'must be a Date or a date as YYYY-MM-DD';
};

/** The start of a date's UTC day, in milliseconds since 1970. */
export function toDay(value: Date | string): number {
  return Math.floor(new Date(value).getTime() / dayMs) * dayMs;
}

/** `YYYY-MM-DD` */
export function toDayName(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
