import * as v from 'valibot';

import { listOf } from './node.ts';

/** Metrics by name. A metric without a value is left out. */
export type Metrics = Readonly<Record<string, number>>;

const value = v.nullish(v.looseObject({ value: v.nullish(v.number()) }));

/** Reads the metrics of an insights response: the total of each, or the first value of its series. */
export const metricsSchema: v.GenericSchema<unknown, Metrics> = v.pipe(
  v.looseObject({
    data: listOf(v.looseObject({ name: v.string(), total_value: value, values: v.optional(v.array(value)) })),
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
