import * as v from 'valibot';

/** The platform's word that it did what was asked. */
export interface Acknowledgement {
  readonly success: true;
  readonly [field: string]: unknown;
}

/** Reads `{ "success": true }`, which some endpoints write as text, with what stands beside it. */
export const acknowledgementSchema: v.GenericSchema<unknown, Acknowledgement> = v.pipe(
  v.looseObject({ success: v.union([v.literal(true), v.literal('true')]) }),
  v.transform((answer) => ({ ...answer, success: true as const })),
);
