import * as v from 'valibot';

import { idSchema } from './id.ts';

/** What a write made. */
export interface Created {
  readonly id: string;
}

/** Reads the id of what a write made. A write may add other fields: they are kept. */
export const createdSchema: v.GenericSchema<unknown, Created> = v.looseObject({ id: idSchema });
