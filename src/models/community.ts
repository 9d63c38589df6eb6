import * as v from 'valibot';

import {
  arrayOf,
  field,
  flag,
  idSchema,
  node,
  number,
  optionalId,
  part,
  type Raw,
  type Schema,
  text,
  toPlain,
  withRaw,
} from './fields.ts';
import { type Paging, pagingSchema } from './inbox.ts';
import { type Media, mediaSchema } from './media.ts';

/** A person whom a Page blocks. */
export interface BlockedUser {
  readonly id: string;
  readonly name?: string | undefined;
  /** The person as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link BlockedUser}. Fields that are not in the type are kept. */
export const blockedUserSchema: Schema<BlockedUser> = node({ id: idSchema, name: text });

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

/** A catalog of products that an account can tag. */
export interface ProductCatalog {
  readonly catalog_id: string;
  readonly catalog_name?: string | undefined;
  readonly product_count?: number | undefined;
  readonly shop_name?: string | undefined;
  /** The catalog as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link ProductCatalog}. */
export const productCatalogSchema: Schema<ProductCatalog> = node({
  catalog_id: idSchema,
  catalog_name: text,
  product_count: number,
  shop_name: text,
});

/** A product of a catalog. */
export interface CatalogProduct {
  readonly product_id: string;
  readonly product_name?: string | undefined;
  readonly image_url?: string | undefined;
  /** The caller's own id of it. */
  readonly retailer_id?: string | undefined;
  readonly merchant_id?: string | undefined;
  /** Such as `approved`, `pending` or `rejected`. A product that is not approved can be tagged, and is not shown. */
  readonly review_status?: string | undefined;
  readonly is_checkout_flow?: boolean | undefined;
  /** The product as the platform sent it, its `product_variants` too. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link CatalogProduct}. */
export const catalogProductSchema: Schema<CatalogProduct> = node({
  product_id: idSchema,
  product_name: text,
  image_url: text,
  retailer_id: text,
  merchant_id: optionalId,
  review_status: text,
  is_checkout_flow: flag,
});

/** A product that is tagged in a media. */
export interface MediaProductTag {
  readonly product_id: string;
  readonly merchant_id?: string | undefined;
  readonly name?: string | undefined;
  readonly price_string?: string | undefined;
  readonly stripped_price_string?: string | undefined;
  readonly stripped_sale_price_string?: string | undefined;
  readonly image_url?: string | undefined;
  /** Such as `approved`, `pending` or `rejected`. */
  readonly review_status?: string | undefined;
  readonly is_checkout?: boolean | undefined;
  /** Where it is in an image, from 0 (left) to 1 (right). */
  readonly x?: number | undefined;
  /** Where it is in an image, from 0 (top) to 1 (bottom). */
  readonly y?: number | undefined;
  /** The tag as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link MediaProductTag}. */
export const mediaProductTagSchema: Schema<MediaProductTag> = node({
  product_id: idSchema,
  merchant_id: optionalId,
  name: text,
  price_string: text,
  stripped_price_string: text,
  stripped_sale_price_string: text,
  image_url: text,
  review_status: text,
  is_checkout: flag,
  x: number,
  y: number,
});
