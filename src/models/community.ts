import * as v from 'valibot';

import type { GraphNode, GraphObject, Raw, Schema } from './fields.ts';
import * as s from './fields.ts';
import { type Paging, pagingSchema } from './inbox.ts';
import { type Media, mediaSchema } from './media.ts';

/** A person whom a Page blocks. */
export interface BlockedUser extends GraphNode {
  readonly name?: string | undefined;
}

/** Reads a {@link BlockedUser}. Fields that are not in the type are kept. */
export const blockedUserSchema: Schema<BlockedUser> = s.node({ id: s.idSchema, name: s.text });

/** A hashtag. Its id is the same for every account. */
export interface Hashtag extends GraphNode {
  /** Without the `#`. */
  readonly name?: string | undefined;
}

/** Reads a {@link Hashtag}. */
export const hashtagSchema: Schema<Hashtag> = s.node({ id: s.idSchema, name: s.text });

/** The public profile of a professional account. Empty fields are absent. */
export interface BusinessAccount extends GraphNode {
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
}

/** Reads a {@link BusinessAccount}. */
export const businessAccountSchema: Schema<BusinessAccount> = s.objectTo(
  {
    id: s.idSchema,
    username: s.text,
    name: s.text,
    biography: s.text,
    website: s.text,
    followers_count: s.number,
    follows_count: s.number,
    media_count: s.number,
    profile_picture_url: s.text,
    media: s.optionalObject({ data: s.arrayOf(s.part(mediaSchema)), paging: s.part(pagingSchema) }),
  },
  ({ username = '', media, ...rest }, raw) =>
    s.withRaw({ ...rest, username, media: { data: media?.data ?? [], paging: media?.paging } }, raw),
);

/** An invitation to co-author a media. */
export interface CollaborationInvite extends GraphObject {
  readonly media_id: string;
  readonly media_owner_username?: string | undefined;
  readonly caption?: string | undefined;
  readonly media_url?: string | undefined;
}

/** Reads a {@link CollaborationInvite}. */
export const collaborationInviteSchema: Schema<CollaborationInvite> = s.node({
  media_id: s.idSchema,
  media_owner_username: s.text,
  caption: s.text,
  media_url: s.text,
});

/** An account that is a co-author of a media, or was invited to be one. */
export interface Collaborator extends GraphNode {
  readonly username?: string | undefined;
  /** `Accepted` or `Pending`. */
  readonly invite_status?: string | undefined;
}

/** Reads a {@link Collaborator}. A sample of the platform spells a status `Accpeted`. */
export const collaboratorSchema: Schema<Collaborator> = s.node({
  id: s.idSchema,
  username: s.text,
  invite_status: s.field((value) => (value === 'Accpeted' ? 'Accepted' : s.toPlain(value)?.toString())),
});

/** Music or a sound that a Reel can have. */
export interface Audio extends GraphObject {
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
}

/** Reads an {@link Audio}. */
export const audioSchema: Schema<Audio> = s.node({
  audio_id: s.idSchema,
  title: s.text,
  audio_type: s.text,
  display_artist: s.text,
  ig_username: s.text,
  duration_in_ms: s.number,
  download_url: s.text,
  cover_artwork_thumbnail_uri: s.text,
  profile_picture_url: s.text,
});

/** A catalog of products that an account can tag. */
export interface ProductCatalog extends GraphObject {
  readonly catalog_id: string;
  readonly catalog_name?: string | undefined;
  readonly product_count?: number | undefined;
  readonly shop_name?: string | undefined;
}

/** Reads a {@link ProductCatalog}. */
export const productCatalogSchema: Schema<ProductCatalog> = s.node({
  catalog_id: s.idSchema,
  catalog_name: s.text,
  product_count: s.number,
  shop_name: s.text,
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
export const catalogProductSchema: Schema<CatalogProduct> = s.node({
  product_id: s.idSchema,
  product_name: s.text,
  image_url: s.text,
  retailer_id: s.text,
  merchant_id: s.optionalId,
  review_status: s.text,
  is_checkout_flow: s.flag,
  product_variants: v.optional(v.unknown()),
});

/** A product that is tagged in a media. */
export interface MediaProductTag extends GraphObject {
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
}

/** Reads a {@link MediaProductTag}. */
export const mediaProductTagSchema: Schema<MediaProductTag> = s.node({
  product_id: s.idSchema,
  merchant_id: s.optionalId,
  name: s.text,
  price_string: s.text,
  stripped_price_string: s.text,
  stripped_sale_price_string: s.text,
  image_url: s.text,
  review_status: s.text,
  is_checkout: s.flag,
  x: s.number,
  y: s.number,
});
