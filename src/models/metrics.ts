import * as v from 'valibot';

import { listOf, node, number, part } from './fields.ts';

/** Metrics by name. A metric without a value is left out. */
export type Metrics = Readonly<Record<string, number>>;

const value = part(node({ value: number }));

/** Reads the metrics of an insights response: the total of each, or the first value of its series. */
export const metricsSchema: v.GenericSchema<unknown, Metrics> = v.pipe(
  v.looseObject({
    data: listOf(node({ name: v.string(), total_value: value, values: part(v.array(value)) })),
  }),
  v.transform(({ data }) =>
    Object.fromEntries(
      data.flatMap(({ name, total_value, values }) => {
        const total = total_value?.value ?? values?.[0]?.value ?? undefined;
        return total === undefined ? [] : [[name, total]];
      }),
    ),
  ),
);
