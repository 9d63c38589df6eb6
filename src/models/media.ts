import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A post or a story, as the platform sent it. Fields that were not requested, or are empty, are absent. */
export interface Media {
  readonly id: string;
  readonly caption?: string | null | undefined;
  /** `IMAGE`, `VIDEO` or `CAROUSEL_ALBUM`; a Reel is a `VIDEO`. */
  readonly media_type?: string | null | undefined;
  /** `FEED`, `REELS`, `STORY` or `AD`. */
  readonly media_product_type?: string | null | undefined;
  /** Absent where the platform withholds it, for example over copyright. */
  readonly media_url?: string | null | undefined;
  readonly thumbnail_url?: string | null | undefined;
  readonly permalink?: string | null | undefined;
  readonly shortcode?: string | null | undefined;
  /** Time of publication, such as `2026-01-02T03:04:05+0000`. */
  readonly timestamp?: string | null | undefined;
  readonly username?: string | null | undefined;
  /** Absent where its owner hides it. */
  readonly like_count?: number | null | undefined;
  readonly comments_count?: number | null | undefined;
  readonly [field: string]: unknown;
}

const text = v.nullish(v.string());
const count = v.nullish(v.number());

/** Reads a {@link Media}. Other fields are kept. */
export const mediaSchema: v.GenericSchema<unknown, Media> = v.looseObject({
  id: idSchema,
  caption: text,
  media_type: text,
  media_product_type: text,
  media_url: text,
  thumbnail_url: text,
  permalink: text,
  shortcode: text,
  timestamp: text,
  username: text,
  like_count: count,
  comments_count: count,
});
