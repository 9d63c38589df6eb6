/** A photo that was published, or uploaded to be. */
export interface PublishedPhoto {
  /** The photo. */
  readonly id: string;
  /** Its post. Absent while it is not published. */
  readonly post_id?: string | undefined;
}

/** A post of several photos. */
export interface PublishedPhotos {
  /** The post. */
  readonly id: string;
  /** The photos, in their order. */
  readonly photo_ids: readonly string[];
}
