import * as v from 'valibot';

import {
  arrayOf,
  field,
  idSchema,
  node,
  number,
  part,
  type Raw,
  type Schema,
  text,
  toPlain,
  withRaw,
} from './fields.ts';
import { type Paging, pagingSchema } from './inbox.ts';
import { type Media, mediaSchema } from './media.ts';

/** A hashtag. Its id is the same for every account. */
export interface Hashtag {
  readonly id: string;
  /** Without the `#`. */
  readonly name?: string | undefined;
  /** The hashtag as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link Hashtag}. */
export const hashtagSchema: Schema<Hashtag> = node({ id: idSchema, name: text });

/** The public profile of a professional account. Empty fields are absent. */
export interface BusinessAccount {
  readonly id: string;
  readonly username: string;
  readonly name?: string | undefined;
  readonly biography?: string | undefined;
  readonly website?: string | undefined;
  readonly followers_count?: number | undefined;
  readonly follows_count?: number | undefined;
  readonly media_count?: number | undefined;
  readonly profile_picture_url?: string | undefined;
  /** One page of its newest media, and the cursors of that page. */
  readonly media: { readonly data: readonly Media[]; readonly paging?: Paging | undefined };
  /** The account as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link BusinessAccount}. */
export const businessAccountSchema: Schema<BusinessAccount> = v.pipe(
  node({
    id: idSchema,
    username: text,
    name: text,
    biography: text,
    website: text,
    followers_count: number,
    follows_count: number,
    media_count: number,
    profile_picture_url: text,
    media: part(node({ data: arrayOf(part(mediaSchema)), paging: part(pagingSchema) })),
  }),
  v.transform(({ username = '', media, raw, ...rest }) =>
    withRaw({ ...rest, username, media: { data: media?.data ?? [], paging: media?.paging } }, raw),
  ),
);

/** An invitation to co-author a media. */
export interface CollaborationInvite {
  readonly media_id: string;
  readonly media_owner_username?: string | undefined;
  readonly caption?: string | undefined;
  readonly media_url?: string | undefined;
  /** The invitation as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link CollaborationInvite}. */
export const collaborationInviteSchema: Schema<CollaborationInvite> = node({
  media_id: idSchema,
  media_owner_username: text,
  caption: text,
  media_url: text,
});

/** An account that is a co-author of a media, or was invited to be one. */
export interface Collaborator {
  readonly id: string;
  readonly username?: string | undefined;
  /** `Accepted` or `Pending`. */
  readonly invite_status?: string | undefined;
  /** The entry as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link Collaborator}. A sample of the platform spells a status `Accpeted`. */
export const collaboratorSchema: Schema<Collaborator> = node({
  id: idSchema,
  username: text,
  invite_status: field((value) => (value === 'Accpeted' ? 'Accepted' : toPlain(value)?.toString())),
});

/** Music or a sound that a Reel can have. */
export interface Audio {
  readonly audio_id: string;
  readonly title?: string | undefined;
  /** `music` or `original_sound`. */
  readonly audio_type?: string | undefined;
  /** Artist of a music track. */
  readonly display_artist?: string | undefined;
  /** Owner of an original sound. */
  readonly ig_username?: string | undefined;
  readonly duration_in_ms?: number | undefined;
  /** Address at which it can be played. */
  readonly download_url?: string | undefined;
  /** Cover of a music track. */
  readonly cover_artwork_thumbnail_uri?: string | undefined;
  /** Profile picture of the owner of an original sound. */
  readonly profile_picture_url?: string | undefined;
  /** The entry as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads an {@link Audio}. */
export const audioSchema: Schema<Audio> = node({
  audio_id: idSchema,
  title: text,
  audio_type: text,
  display_artist: text,
  ig_username: text,
  duration_in_ms: number,
  download_url: text,
  cover_artwork_thumbnail_uri: text,
  profile_picture_url: text,
});
