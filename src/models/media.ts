import type * as v from 'valibot';

import { dataOf, flag, idSchema, node, number, part, type Raw, text } from './fields.ts';

/** A post or a story. Fields that were not requested, or are empty, are absent. */
export interface Media {
  readonly id: string;
  readonly caption?: string | undefined;
  /** `IMAGE`, `VIDEO` or `CAROUSEL_ALBUM`; a Reel is a `VIDEO`. */
  readonly media_type?: string | undefined;
  /** `FEED`, `REELS`, `STORY` or `AD`. */
  readonly media_product_type?: string | undefined;
  /** Absent where the platform withholds it, for example over copyright. */
  readonly media_url?: string | undefined;
  readonly thumbnail_url?: string | undefined;
  readonly permalink?: string | undefined;
  readonly shortcode?: string | undefined;
  /** Time of publication, such as `2026-01-02T03:04:05+0000`. */
  readonly timestamp?: string | undefined;
  readonly username?: string | undefined;
  /** Absent where its owner hides it. */
  readonly like_count?: number | undefined;
  readonly comments_count?: number | undefined;
  readonly alt_text?: string | undefined;
  readonly is_comment_enabled?: boolean | undefined;
  readonly is_shared_to_feed?: boolean | undefined;
  readonly owner?: { readonly id: string } | undefined;
  /** The images and videos of a carousel. */
  readonly children?: { readonly data: readonly MediaChild[] } | undefined;
  /** The object as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

/** An image or a video of a carousel. */
export type MediaChild = Pick<
  Media,
  'id' | 'media_type' | 'media_url' | 'thumbnail_url' | 'permalink' | 'timestamp'
>;

const child = {
  id: idSchema,
  media_type: text,
  media_url: text,
  thumbnail_url: text,
  permalink: text,
  timestamp: text,
};

/** Reads a {@link Media}. */
export const mediaSchema: v.GenericSchema<unknown, Media> = node({
  ...child,
  caption: text,
  media_product_type: text,
  shortcode: text,
  username: text,
  alt_text: text,
  is_comment_enabled: flag,
  is_shared_to_feed: flag,
  owner: part(node({ id: idSchema })),
  children: dataOf(node(child)),
  like_count: number,
  comments_count: number,
});
