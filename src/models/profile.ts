import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A user of the page platform. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  /** Address of the picture. */
  readonly picture: string | undefined;
  /** `undefined` if the user has none, or did not grant `email`. */
  readonly email: string | undefined;
  /** The whole response. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Reads a {@link Profile}. */
export const profileSchema: v.GenericSchema<unknown, Profile> = v.pipe(
  v.looseObject({
    id: idSchema,
    name: v.string(),
    email: v.optional(v.string()),
    picture: v.optional(v.looseObject({ data: v.optional(v.looseObject({ url: v.optional(v.string()) })) })),
  }),
  v.transform((raw) => ({
    id: raw.id,
    name: raw.name,
    picture: raw.picture?.data?.url,
    email: raw.email,
    raw,
  })),
);
