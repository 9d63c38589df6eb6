import * as v from 'valibot';

import { idSchema } from './id.ts';
import { node, type Raw } from './node.ts';

/** A user of the page platform. */
export interface Profile {
  readonly id: string;
  readonly name: string;
  /** Address of the picture. */
  readonly picture: string | undefined;
  /** `undefined` if the user has none, or did not grant `email`. */
  readonly email: string | undefined;
  /** The user as the platform sent it. */
  readonly raw: Raw;
}

/** Reads a {@link Profile}. */
export const profileSchema: v.GenericSchema<unknown, Profile> = v.pipe(
  node({
    id: idSchema,
    name: v.string(),
    email: v.optional(v.string()),
    picture: v.optional(node({ data: v.optional(node({ url: v.optional(v.string()) })) })),
  }),
  v.transform(({ id, name, picture, email, raw }) => ({
    id,
    name,
    picture: picture?.data?.url,
    email,
    raw,
  })),
);
