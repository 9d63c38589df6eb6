import { dayMs, parseTime } from '../core/options/time.ts';
import { converted, entriesOf, kept, objectOf, type Schema, string } from '../core/schema.ts';
import { arrayOf, node, number, part, text } from './fields.ts';

/** Metrics by name. A metric without a value is left out. */
export type Metrics = Readonly<Record<string, number>>;

const value = part(node({ value: number }));

/** Reads the metrics of an insights response: the total of each, or the first value of its series. */
export const metricsSchema: Schema<Metrics> = converted(
  objectOf({
    data: arrayOf(node({ name: string, total_value: value, values: part(entriesOf(value)) })),
  }),
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

/** The values of metrics, by name. */
export type PageMetrics = Readonly<Record<string, readonly PageMetricValue[]>>;

/** Reads the series of a Page's metrics. Values that the platform omits are omitted. */
export const pageMetricsSchema: Schema<PageMetrics> = converted(
  objectOf({
    data: arrayOf(node({ name: string, values: part(arrayOf(part(node({ end_time: text })))) })),
  }),
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

/** Of a time such as `2026-01-02T08:00:00+0000`, which ends 1 January in Pacific time. */
function endOf(time: string | undefined): Pick<PageMetricValue, 'end_time' | 'day'> {
  const ms = parseTime(time);
  // Noon of a UTC day is in the middle of the day that ends at 07:00 or 08:00 of the next one.
  const day = new Date(ms - dayMs / 2);
  return {
    end_time: Number.isNaN(ms) ? undefined : new Date(ms),
    day: Number.isNaN(day.getTime()) ? undefined : day.toISOString().replace(/T.*/, ''),
  };
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

const result = kept(
  node({ dimension_values: arrayOf(text), value: number }),
  ({ value }) => value !== undefined,
  'a result',
);
const breakdown = node({ results: part(arrayOf(part(result))) });

/** Reads the numbers of one breakdown. */
export const breakdownSchema: Schema<DemographicCut['values']> = converted(
  objectOf({
    data: arrayOf(node({ total_value: part(node({ breakdowns: part(arrayOf(part(breakdown))) })) })),
  }),
  ({ data }) =>
    Object.fromEntries(
      data
        .flatMap(({ total_value }) => total_value?.breakdowns ?? [])
        .flatMap(({ results }) => results ?? [])
        .map(({ dimension_values, value = 0 }) => [dimension_values.join(' / '), value]),
    ),
);
