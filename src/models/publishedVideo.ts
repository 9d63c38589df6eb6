/** A video that was published, or is to be. */
export interface PublishedVideo {
  readonly video_id: string;
  /** Its post. Absent where the platform did not tell it in time, or where it is published later. */
  readonly post_id?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
}

/** A Reel that was published, or is to be. */
export interface PublishedReel {
  readonly video_id: string;
  /** Its post. Absent where the platform did not tell it in time, or where it is published later. */
  readonly post_id?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
  readonly success: true;
}
