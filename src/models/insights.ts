import * as v from 'valibot';

import type { RequestFailure, TransportError } from '../core/errors.ts';
import type { Schema } from './fields.ts';
import * as s from './fields.ts';
import type { InsightDay, MetricNumbers, VideoMetrics } from './insightNumbers.ts';
import { breakdownBy, endOf, metricNumbersBy, toFigure } from './insightNumbers.ts';

export type { InsightDay, MetricNumbers, VideoMetrics } from './insightNumbers.ts';

/** Metrics by name. A metric without a value is left out. */
export type Metrics = Readonly<Record<string, number>>;

const value = s.optionalObject({ value: s.number });

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
  /**
   * Not enumerable. Why there are no numbers, or why some days failed; `undefined` where all that are missing are only
   * late.
   */
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

/** Reads the numbers of one breakdown: by the values of all its dimensions, but for a `timeframe`. */
export const breakdownSchema: Schema<DemographicCut['values']> = breakdownBy(undefined);

/** A metric of an account day by day. */
export interface InsightDays extends MetricDays<InsightDay> {}

/** Metrics of an account day by day, by name. */
export type InsightSeries = Readonly<Record<string, InsightDays>> & RefusedMetrics;

/** The metrics that the platform refused. */
export interface RefusedMetrics {
  /** Not enumerable. Each with its reason, by name. */
  readonly refused: Readonly<Record<string, Exclude<RequestFailure, TransportError>>>;
}

/** Reads the metrics of an account as totals or as series. */
export const metricNumbersSchema: Schema<readonly MetricNumbers[]> = metricNumbersBy(undefined);
