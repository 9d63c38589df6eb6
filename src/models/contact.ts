import * as v from 'valibot';

import { flag, node, number, optionalId, text } from './fields.ts';

/** The profile of a person who wrote to the account or the Page. Fields that it adds are kept. */
export interface ContactProfile {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Of a person who wrote to a Page. */
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  /** Of a person who wrote to a photo-sharing account, as are the fields below `profile_pic`. */
  readonly username?: string | undefined;
  /** Address of the profile picture. It expires within days. */
  readonly profile_pic?: string | undefined;
  readonly follower_count?: number | undefined;
  readonly is_user_follow_business?: boolean | undefined;
  readonly is_business_follow_user?: boolean | undefined;
  readonly is_verified_user?: boolean | undefined;
}

/** A conversation partner, whether or not the profile could be read. */
export interface Contact extends ContactProfile {
  readonly id: string;
  /** Whether the profile could be read. */
  readonly available: boolean;
  /** Why the profile could not be read: the message of the error. */
  readonly reason?: string | undefined;
}

/** Reads a {@link ContactProfile}. */
export const contactProfileSchema: v.GenericSchema<unknown, ContactProfile> = v.pipe(
  node({
    id: optionalId,
    name: text,
    first_name: text,
    last_name: text,
    username: text,
    profile_pic: text,
    follower_count: number,
    is_user_follow_business: flag,
    is_business_follow_user: flag,
    is_verified_user: flag,
  }),
  // Neither an empty response nor a list is a profile.
  v.check(
    ({ id, name, username, first_name }) => (id ?? name ?? username ?? first_name) !== undefined,
    'no profile',
  ),
);
