import * as v from 'valibot';

/** Reads an id. The platform writes some as numbers; the SDK hands out strings only. */
export const idSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.nonEmpty(),
);
