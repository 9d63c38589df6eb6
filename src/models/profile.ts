import * as v from 'valibot';

import { idSchema, node, part, type Raw, text } from './fields.ts';

/** A user of the page platform. */
export interface Profile {
  readonly id: string;
  /** Empty if the platform gives none. */
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
    name: text,
    email: text,
    picture: part(node({ data: part(node({ url: text })) })),
  }),
  v.transform(({ id, name = '', picture, email, raw }) => ({
    id,
    name,
    picture: picture?.data?.url,
    email,
    raw,
  })),
);
