import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A professional account of the photo-sharing platform. */
export interface PicsProfile {
  /** In login mode the account's id for this app, in page mode the account's own id. */
  readonly id: string;
  /** The account's own id, which webhooks and page mode use. Login mode only. */
  readonly user_id?: string | undefined;
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
  /** The whole response. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const text = v.nullish(v.string());
const count = v.nullish(v.number());

/** Reads a profile, flat or wrapped as `{ "data": [{ … }] }`. */
export const picsProfileSchema: v.GenericSchema<unknown, PicsProfile> = v.pipe(
  v.unknown(),
  v.transform(unwrap),
  v.looseObject({
    id: idSchema,
    user_id: v.nullish(idSchema),
    username: v.string(),
    name: text,
    profile_picture_url: text,
    biography: text,
    website: text,
    followers_count: count,
    follows_count: count,
    media_count: count,
    account_type: text,
  }),
  v.transform((raw) => ({
    id: raw.id,
    user_id: raw.user_id ?? undefined,
    username: raw.username,
    name: raw.name ?? undefined,
    picture: raw.profile_picture_url ?? undefined,
    bio: raw.biography ?? undefined,
    website: raw.website ?? undefined,
    followers_count: raw.followers_count ?? undefined,
    follows_count: raw.follows_count ?? undefined,
    media_count: raw.media_count ?? undefined,
    account_type: raw.account_type ?? undefined,
    raw,
  })),
);

function unwrap(body: unknown): unknown {
  const data = (body as { readonly data?: unknown } | null | undefined)?.data;
  return Array.isArray(data) ? data[0] : body;
}
