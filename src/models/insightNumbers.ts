import * as v from 'valibot';

import { parseTime } from '../core/options/time.ts';
import type { Schema } from './fields.ts';
import * as s from './fields.ts';

/** Lifetime metrics of a video, by name: a number, or numbers by kind. A metric without a number is left out. */
export type VideoMetrics = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** A metric on one day. */
export interface InsightDay {
  /**
   * `YYYY-MM-DD`: of series, such as `reach`, a day in the account's time zone, of all other metrics, and with a
   * breakdown, a UTC day.
   */
  readonly day: string;
  /** `undefined` where the platform gives the numbers by kind, or by hour, only. */
  readonly value: number | undefined;
  /**
   * The numbers by kind, if a breakdown was asked for; of `online_followers` by hour, `0` to `23`: which zone's is not
   * documented.
   */
  readonly breakdown?: Readonly<Record<string, number>> | undefined;
}

/** A metric of a response: its total over the range, or its days. */
export interface MetricNumbers {
  readonly name: string;
  readonly total: Omit<InsightDay, 'day'> | undefined;
  readonly days: readonly InsightDay[];
}

/**
 * 10:15 hours: so long before its end, a local day is in the UTC day of the same date, in every zone from UTC-10 to
 * UTC+13:45. In the first, a day ends at 10:00 of the next UTC day; in the last, at 10:15 of its own.
 */
const beforeEndMs = 36_900_000;

/** Of a time such as `2026-01-02T08:00:00+0000`, which ends 1 January in Pacific time. */
export function endOf(time: string | undefined): {
  readonly end_time: Date | undefined;
  readonly day: string | undefined;
} {
  const ms = parseTime(time);
  const day = new Date(ms - beforeEndMs);
  return {
    end_time: Number.isNaN(ms) ? undefined : new Date(ms),
    day: Number.isNaN(day.getTime()) ? undefined : day.toISOString().replace(/T.*/, ''),
  };
}

export function toFigure(value: unknown): VideoMetrics[string] | undefined {
  if (!s.isObject(value)) return s.toNumber(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([kind, sent]) => {
      const read = s.toNumber(sent);
      return read === undefined ? [] : [[kind, read]];
    }),
  );
}

/** Texts of which each has its place. */
const inPlaces = v.array(s.text);

const result = v.pipe(
  s.node({ dimension_values: inPlaces, value: s.number }),
  v.check(({ value }) => value !== undefined, 'expected a result'),
);

const breakdown = s.node({ dimension_keys: s.part(inPlaces), results: s.listOf(result) });

type Breakdown = v.InferOutput<typeof breakdown>;

/** Reads the numbers of one breakdown, by the values of the dimension that was asked for. */
export function breakdownBy(asked: string | undefined): Schema<Readonly<Record<string, number>>> {
  return s.objectTo(
    {
      data: s.arrayOf(s.node({ total_value: s.optionalObject({ breakdowns: s.listOf(breakdown) }) })),
    },
    ({ data }) =>
      numbersOf(
        data.flatMap(({ total_value }) => total_value?.breakdowns ?? []),
        asked,
      ),
  );
}

/** Reads the metrics of an account as totals or as series, divided by the dimension that was asked for. */
export function metricNumbersBy(asked: string | undefined): Schema<readonly MetricNumbers[]> {
  return s.objectTo(
    {
      data: s.arrayOf(
        s.node({
          name: s.string,
          total_value: s.optionalObject({ value: s.number, breakdowns: s.listOf(breakdown) }),
          values: s.listOf(s.node({ end_time: s.text })),
        }),
      ),
    },
    ({ data }) =>
      data.map(({ name, total_value, values = [] }) => ({
        name,
        total: totalOf(total_value, asked),
        days: values.flatMap(({ value: sent, end_time }): readonly InsightDay[] => {
          const { day } = endOf(end_time);
          const value = toFigure(sent);
          if (day === undefined || value === undefined) return [];
          if (typeof value === 'number') return [{ day, value }];
          return Object.keys(value).length === 0 ? [] : [{ day, value: undefined, breakdown: value }];
        }),
      })),
  );
}

function totalOf(
  total:
    | { readonly value: number | undefined; readonly breakdowns: readonly Breakdown[] | undefined }
    | undefined,
  asked: string | undefined,
): MetricNumbers['total'] {
  const { value, breakdowns = [] } = total ?? {};
  const breakdown = numbersOf(breakdowns, asked);
  const hasNumbers = value !== undefined || Object.keys(breakdown).length > 0;
  if (!hasNumbers) return undefined;
  return breakdowns.length > 0 ? { value, breakdown } : { value };
}

/**
 * The numbers by the values of the dimension that was asked for: the platform may name others beside it, over which they
 * add up; but not over a `timeframe`, of which the first counts. Where it does not name that one, by all but that.
 */
function numbersOf(
  breakdowns: readonly Breakdown[],
  asked: string | undefined,
): Readonly<Record<string, number>> {
  const isAsked = (key: string | undefined): boolean => key === asked;
  const divided = breakdowns.filter(({ dimension_keys }) => dimension_keys?.some(isAsked));
  const counts = divided.length > 0 ? isAsked : (key: string | undefined): boolean => key !== 'timeframe';
  const numbers = new Map<string, number>();
  for (const { dimension_keys = [], results = [] } of divided.length > 0 ? divided : breakdowns) {
    const sums = new Map<string, number>();
    const frame = dimension_keys.indexOf('timeframe');
    for (const { dimension_values, value = 0 } of results) {
      const names = dimension_values.filter((_, at) =>
        counts(at < dimension_keys.length ? dimension_keys[at] : asked),
      );
      if (names.length === 0 || names.includes(undefined)) continue;
      if (dimension_values[frame] !== results[0]?.dimension_values[frame]) continue;
      const name = names.join(' / ');
      sums.set(name, (sums.get(name) ?? 0) + value);
    }
    for (const [name, sum] of sums) numbers.set(name, sum);
  }
  // From entries, not by assignment: a name from the platform can be `__proto__`.
  return Object.fromEntries(numbers);
}
