/** A media that was published. */
export interface Published {
  readonly container_id: string;
  readonly media_id: string;
}

/** A carousel that was published. */
export interface PublishedCarousel extends Published {
  /** Container ids of its images, in order. */
  readonly children: readonly string[];
}
