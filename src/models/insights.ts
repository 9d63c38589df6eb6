import * as v from 'valibot';

import { parseTime } from '../core/options/time.ts';
import type { Schema } from './fields.ts';
import * as s from './fields.ts';

/** Metrics by name. A metric without a value is left out. */
export type Metrics = Readonly<Record<string, number>>;

const value = s.optionalNode({ value: s.number });

/** Reads the metrics of an insights response: the total of each, or the first value of its series. */
export const metricsSchema: Schema<Metrics> = s.objectTo(
  {
    data: s.arrayOf(
      s.node({ name: s.string, total_value: value, values: s.part(v.array(v.nullable(value))) }),
    ),
  },
  ({ data }) =>
    Object.fromEntries(
      data.flatMap(({ name, total_value, values }) => {
        const total = total_value?.value ?? values?.[0]?.value ?? undefined;
        return total === undefined ? [] : [[name, total]];
      }),
    ),
);

/** One value of a metric. */
export interface PageMetricValue {
  /** End of the period that the value covers; `undefined` if the platform names none. */
  readonly end_time: Date | undefined;
  /**
   * The day that ends then, as `YYYY-MM-DD`: the one that the value is about, or the last of a longer period. Of the
   * platform's days, which end at midnight Pacific time.
   */
  readonly day: string | undefined;
  /** A number, or numbers by kind. */
  readonly value: unknown;
}

/**
 * A metric day by day, oldest first. A day without a value is absent, not 0, and in one of the three lists of days, unless
 * the platform refused the metric. `JSON.stringify` leaves out what is not enumerable.
 */
export interface MetricDays<T> extends ReadonlyArray<T> {
  /** Not enumerable. Whether the platform gave numbers. */
  readonly available: boolean;
  /** Not enumerable. Why there are no numbers, or why some days failed. */
  readonly reason?: string | undefined;
  /** Not enumerable. The days that could not be read, `YYYY-MM-DD`, oldest first: read them again. */
  readonly failedDays: readonly string[];
  /**
   * Not enumerable. The days whose numbers may still come, as they have not ended, or ended less than 48 hours ago:
   * read them again later.
   */
  readonly lateDays: readonly string[];
  /** Not enumerable. The days that ended longer ago, and have no number. It will not come, and is not 0. */
  readonly emptyDays: readonly string[];
}

/** A metric of a Page day by day. */
export interface PageMetricDays extends MetricDays<PageMetricValue> {}

/** The values of metrics, by name. */
export type PageMetrics = Readonly<Record<string, readonly PageMetricValue[]>>;

/** Reads the series of a Page's metrics. Values that the platform omits are omitted. */
export const pageMetricsSchema: Schema<PageMetrics> = s.objectTo(
  {
    data: s.arrayOf(s.node({ name: s.string, values: s.listOf(s.node({ end_time: s.text })) })),
  },
  ({ data }) =>
    // From entries, not by assignment: a name from the platform can be `__proto__`.
    Object.fromEntries(
      data.map(({ name, values = [] }) => [
        name,
        values.flatMap(({ end_time, value }) =>
          value === undefined || value === null ? [] : [{ ...endOf(end_time), value }],
        ),
      ]),
    ),
);

/**
 * How long before the end of a local day, in milliseconds (10:15 hours), it is in the UTC day of the same date, in every zone from UTC-10 to UTC+13:45: a
 * day ends at 10:00 of the next UTC day in the first, and at 10:15 of its own in the last.
 */
const beforeEndMs = 36_900_000;

/** Of a time such as `2026-01-02T08:00:00+0000`, which ends 1 January in Pacific time. */
function endOf(time: string | undefined): Pick<PageMetricValue, 'end_time' | 'day'> {
  const ms = parseTime(time);
  const day = new Date(ms - beforeEndMs);
  return {
    end_time: Number.isNaN(ms) ? undefined : new Date(ms),
    day: Number.isNaN(day.getTime()) ? undefined : day.toISOString().replace(/T.*/, ''),
  };
}

/** Lifetime metrics of a video, by name: a number, or numbers by kind. A metric without a number is left out. */
export type VideoMetrics = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** Reads the metrics of a video. Values of single days are left out. */
export const videoMetricsSchema: Schema<VideoMetrics> = s.objectTo(
  {
    data: s.arrayOf(s.node({ name: s.string, period: s.text, values: s.part(s.arrayOf(s.object)) })),
  },
  ({ data }) =>
    // From entries, not by assignment: a name from the platform can be `__proto__`.
    Object.fromEntries(
      data
        .filter(({ period = 'lifetime' }) => period === 'lifetime')
        .flatMap(({ name, values = [] }) => {
          const value = toFigure(values[0]?.['value']);
          return value === undefined ? [] : [[name, value]];
        }),
    ),
);

function toFigure(value: unknown): VideoMetrics[string] | undefined {
  if (!s.isObject(value)) return s.toNumber(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([kind, sent]) => {
      const read = s.toNumber(sent);
      return read === undefined ? [] : [[kind, read]];
    }),
  );
}

/** Followers by one dimension. */
export interface DemographicCut {
  /** Whether the platform gave numbers. */
  readonly available: boolean;
  /** Number of followers by the value of the dimension, such as `25-34`, `F` or `DE`. */
  readonly values: Readonly<Record<string, number>>;
  /** Why there are no numbers. */
  readonly reason?: string | undefined;
}

/** Followers of an account by age, gender, city and country. */
export interface Demographics {
  readonly age: DemographicCut;
  readonly gender: DemographicCut;
  readonly city: DemographicCut;
  readonly country: DemographicCut;
}

const result = v.pipe(
  s.node({ dimension_values: s.arrayOf(s.text), value: s.number }),
  v.check(({ value }) => value !== undefined, 'expected a result'),
);

const breakdown = s.node({ results: s.listOf(result) });

/** Reads the numbers of one breakdown. */
export const breakdownSchema: Schema<DemographicCut['values']> = s.objectTo(
  {
    data: s.arrayOf(s.node({ total_value: s.optionalNode({ breakdowns: s.listOf(breakdown) }) })),
  },
  ({ data }) => numbersOf(data.flatMap(({ total_value }) => total_value?.breakdowns ?? [])),
);

type Breakdown = v.InferOutput<typeof breakdown>;

function numbersOf(breakdowns: readonly Breakdown[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    breakdowns
      .flatMap(({ results }) => results ?? [])
      .map(({ dimension_values, value = 0 }) => [dimension_values.join(' / '), value]),
  );
}

/** A metric on one day. */
export interface InsightDay {
  /**
   * `YYYY-MM-DD`: of `reach` and `follower_count` a day in the account's time zone, of all other metrics, and with a
   * breakdown, a UTC day.
   */
  readonly day: string;
  /** `undefined` where the platform gives the numbers of the breakdown only. */
  readonly value: number | undefined;
  /** The numbers by kind, if a breakdown was asked for. */
  readonly breakdown?: Readonly<Record<string, number>> | undefined;
}

/** A metric of an account day by day. */
export interface InsightDays extends MetricDays<InsightDay> {}

/** Metrics of an account day by day, by name. */
export type InsightSeries = Readonly<Record<string, InsightDays>>;

/** A metric of a response: its total over the range, or its days. */
export interface MetricNumbers {
  readonly name: string;
  readonly total: Omit<InsightDay, 'day'> | undefined;
  readonly days: readonly InsightDay[];
}

/** Reads the metrics of an account as totals or as series. */
export const metricNumbersSchema: Schema<readonly MetricNumbers[]> = s.objectTo(
  {
    data: s.arrayOf(
      s.node({
        name: s.string,
        total_value: s.optionalNode({ value: s.number, breakdowns: s.listOf(breakdown) }),
        values: s.listOf(s.node({ value: s.number, end_time: s.text })),
      }),
    ),
  },
  ({ data }) =>
    data.map(({ name, total_value, values = [] }) => ({
      name,
      total: totalOf(total_value),
      days: values.flatMap(({ value, end_time }) => {
        const { day } = endOf(end_time);
        return day === undefined || value === undefined ? [] : [{ day, value }];
      }),
    })),
);

function totalOf(
  total:
    | { readonly value: number | undefined; readonly breakdowns: readonly Breakdown[] | undefined }
    | undefined,
): MetricNumbers['total'] {
  const { value, breakdowns = [] } = total ?? {};
  if (breakdowns.length > 0) return { value, breakdown: numbersOf(breakdowns) };
  return value === undefined ? undefined : { value };
}
