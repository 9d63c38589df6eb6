import * as v from 'valibot';

/** Reads `{ "success": true }`, which some endpoints send as a string. `false` counts as a refusal, and never gets here. */
export const successSchema: v.GenericSchema<unknown, true> = v.pipe(
  v.looseObject({ success: v.union([v.literal(true), v.literal('true')]) }),
  v.transform(() => true as const),
);
