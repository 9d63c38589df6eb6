/** What was published. */
export interface Published {
  readonly container_id: string;
  readonly media_id: string;
}

/** A carousel that was published. */
export interface PublishedCarousel extends Published {
  /** Container ids of its images, in their order. */
  readonly children: readonly string[];
}
