import * as v from 'valibot';

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

const breakdown = v.looseObject({
  results: v.optional(v.array(v.looseObject({ dimension_values: v.array(v.string()), value: v.number() }))),
});

/** Reads the numbers of one cut. */
export const breakdownSchema: v.GenericSchema<unknown, DemographicCut['values']> = v.pipe(
  v.looseObject({
    data: v.array(
      v.looseObject({
        total_value: v.optional(v.looseObject({ breakdowns: v.optional(v.array(breakdown)) })),
      }),
    ),
  }),
  v.transform(({ data }) =>
    Object.fromEntries(
      data
        .flatMap(({ total_value }) => total_value?.breakdowns ?? [])
        .flatMap(({ results }) => results ?? [])
        .map(({ dimension_values, value }) => [dimension_values.join(' / '), value]),
    ),
  ),
);
