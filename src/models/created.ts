import * as v from 'valibot';

import { idSchema } from './fields.ts';

/** An object that a write created. */
export interface Created {
  readonly id: string;
}

/** Reads the id of an object that a write created. Other fields are kept. */
export const createdSchema: v.GenericSchema<unknown, Created> = v.looseObject({ id: idSchema });
