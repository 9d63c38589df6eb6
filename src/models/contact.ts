import * as v from 'valibot';

import { idSchema } from './id.ts';

/** The profile of a person who wrote to the account. Fields that it adds are kept. */
export interface ContactProfile {
  readonly id?: string | undefined;
  readonly name?: string | null | undefined;
  readonly username?: string | null | undefined;
  /** Address of the profile picture. It expires within days. */
  readonly profile_pic?: string | null | undefined;
  readonly follower_count?: number | null | undefined;
  readonly is_user_follow_business?: boolean | null | undefined;
  readonly is_business_follow_user?: boolean | null | undefined;
  readonly is_verified_user?: boolean | null | undefined;
  readonly [field: string]: unknown;
}

/** A conversation partner, whether or not the profile could be read. */
export interface Contact extends ContactProfile {
  readonly id: string;
  /** Whether the profile could be read. */
  readonly available: boolean;
  /** Why the profile could not be read: the message of the error. */
  readonly reason?: string | undefined;
}

const text = v.nullish(v.string());
const flag = v.nullish(v.boolean());

/** Reads a {@link ContactProfile}. */
export const contactProfileSchema: v.GenericSchema<unknown, ContactProfile> = v.pipe(
  v.looseObject({
    id: v.optional(idSchema),
    name: text,
    username: text,
    profile_pic: text,
    follower_count: v.nullish(v.number()),
    is_user_follow_business: flag,
    is_business_follow_user: flag,
    is_verified_user: flag,
  }),
  // Neither an empty response nor a list is a profile.
  v.check(({ id, name, username }) => (id ?? name ?? username) !== undefined, 'no profile'),
);
