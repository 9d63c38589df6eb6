/** A photo that was published as a story. */
export interface PublishedPhotoStory {
  readonly photo_id: string;
  readonly post_id: string;
  readonly success: true;
}

/** A video that was published as a story. */
export interface PublishedVideoStory {
  readonly video_id: string;
  readonly post_id: string;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
  readonly success: true;
}
