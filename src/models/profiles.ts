import * as v from 'valibot';

import {
  idSchema,
  node,
  number,
  optionalId,
  part,
  type Raw,
  type Schema,
  text,
  unwrapData,
} from './fields.ts';

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
export const profileSchema: Schema<Profile> = v.pipe(
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

/** A professional account of the photo-sharing platform. */
export interface PicsProfile {
  /** In login mode the account's id for this app, in page mode the account's own id. */
  readonly id: string;
  /** The account's own id, which webhooks and page mode use. Login mode only. */
  readonly user_id?: string | undefined;
  /** Empty if the platform gives none. */
  readonly username: string;
  readonly name: string | undefined;
  /** Address of the profile picture. */
  readonly picture: string | undefined;
  readonly bio: string | undefined;
  readonly website: string | undefined;
  readonly followers_count: number | undefined;
  readonly follows_count: number | undefined;
  readonly media_count: number | undefined;
  /** `BUSINESS` or `MEDIA_CREATOR`; `undefined` in page mode. */
  readonly account_type: string | undefined;
  /** The account as the platform sent it. */
  readonly raw: Raw;
}

/** Reads a profile, flat or wrapped as `{ "data": [{ … }] }`. */
export const picsProfileSchema: Schema<PicsProfile> = v.pipe(
  v.pipe(
    v.unknown(),
    v.transform(unwrapData),
    node({
      id: idSchema,
      user_id: optionalId,
      username: text,
      name: text,
      profile_picture_url: text,
      biography: text,
      website: text,
      followers_count: number,
      follows_count: number,
      media_count: number,
      account_type: text,
    }),
  ),
  v.transform((account) => ({
    id: account.id,
    user_id: account.user_id,
    username: account.username ?? '',
    name: account.name,
    picture: account.profile_picture_url,
    bio: account.biography,
    website: account.website,
    followers_count: account.followers_count,
    follows_count: account.follows_count,
    media_count: account.media_count,
    account_type: account.account_type,
    raw: account.raw,
  })),
);

/** A person whom a Page blocks. */
export interface BlockedUser {
  readonly id: string;
  readonly name?: string | undefined;
  /** The person as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link BlockedUser}. Fields that are not in the type are kept. */
export const blockedUserSchema: Schema<BlockedUser> = node({ id: idSchema, name: text });
