import { arrayOf, idSchema, node, number, optionalId, part, type Raw, type Schema, text } from './fields.ts';

/** A photo of a Page. */
export interface PagePhoto {
  readonly id: string;
  /** Its text. */
  readonly name?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  /** Address of the photo on the platform. */
  readonly link?: string | undefined;
  /** Its post, if it was published alone. */
  readonly page_story_id?: string | undefined;
  /** Address of a small picture of it. It expires. */
  readonly picture?: string | undefined;
  /** The photo in its sizes, largest first; their addresses expire. */
  readonly images?: readonly PagePhotoImage[] | undefined;
  /** The photo as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

/** A photo in one size, in pixels. */
export interface PagePhotoImage {
  readonly source?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Reads a {@link PagePhoto}. */
export const pagePhotoSchema: Schema<PagePhoto> = node({
  id: idSchema,
  name: text,
  created_time: text,
  updated_time: text,
  link: text,
  page_story_id: optionalId,
  picture: text,
  images: part(arrayOf(part(node({ source: text, width: number, height: number })))),
});

/** A photo that was published, or uploaded to be published later. */
export interface PublishedPhoto {
  /** The photo. */
  readonly id: string;
  /** Its post, also if it is scheduled. Absent if it is unpublished, or if the platform does not show its post yet. */
  readonly post_id?: string | undefined;
}

/** A post of several photos. */
export interface PublishedPhotos {
  /** The post. */
  readonly id: string;
  /** The photos, in order. */
  readonly photo_ids: readonly string[];
}
