import * as v from 'valibot';

import { listOf, node, part, text } from './fields.ts';

/** One value of a metric. */
export interface PageMetricValue {
  /** End of the period that the value is about; `undefined` where the platform names none. */
  readonly end_time: Date | undefined;
  /** A number, or numbers by kind. */
  readonly value: unknown;
}

/** The values of metrics, by name. */
export type PageMetrics = Readonly<Record<string, readonly PageMetricValue[]>>;

/** Reads the series of a Page's metrics. A value that the platform leaves out is left out. */
export const pageMetricsSchema: v.GenericSchema<unknown, PageMetrics> = v.pipe(
  v.looseObject({
    data: listOf(node({ name: v.string(), values: part(listOf(part(node({ end_time: text })))) })),
  }),
  v.transform(({ data }) =>
    // Entries, not assignment: what the platform sends can be named `__proto__`.
    Object.fromEntries(
      data.map(({ name, values = [] }) => [
        name,
        values.flatMap(({ end_time, value }) =>
          value === undefined || value === null ? [] : [{ end_time: toDate(end_time), value }],
        ),
      ]),
    ),
  ),
);

/** A time such as `2026-01-02T08:00:00+0000`. */
function toDate(time: string | undefined): Date | undefined {
  const ms = Date.parse(time?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
