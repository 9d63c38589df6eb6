import * as v from 'valibot';

/** The platform's confirmation. */
export interface Acknowledgement {
  readonly success: true;
}

/** Reads `{ "success": true }`, which some endpoints send as a string. Other fields are kept. */
export const acknowledgementSchema: v.GenericSchema<unknown, Acknowledgement> = v.pipe(
  v.looseObject({ success: v.union([v.literal(true), v.literal('true')]) }),
  v.transform((response) => ({ ...response, success: true as const })),
);
