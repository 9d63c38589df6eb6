import * as v from 'valibot';

import { listOf, node, number, part, text } from './fields.ts';

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
  node({ dimension_values: listOf(text), value: number }),
  v.check(({ value }) => value !== undefined),
);
const breakdown = node({ results: part(listOf(part(result))) });

/** Reads the numbers of one cut. */
export const breakdownSchema: v.GenericSchema<unknown, DemographicCut['values']> = v.pipe(
  v.looseObject({
    data: listOf(node({ total_value: part(node({ breakdowns: part(listOf(part(breakdown))) })) })),
  }),
  v.transform(({ data }) =>
    Object.fromEntries(
      data
        .flatMap(({ total_value }) => total_value?.breakdowns ?? [])
        .flatMap(({ results }) => results ?? [])
        .map(({ dimension_values, value = 0 }) => [dimension_values.join(' / '), value]),
    ),
  ),
);
