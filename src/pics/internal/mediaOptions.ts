/** A public account that is seen in a video. */
export interface UserTag {
  /** Without the `@`. */
  readonly username: string;
  readonly x?: undefined;
  readonly y?: undefined;
}

/** A public account that is seen in an image. */
export interface PlacedUserTag {
  /** Without the `@`. */
  readonly username: string;
  /** Where it is, from 0 (left) to 1 (right). */
  readonly x: number;
  /** Where it is, from 0 (top) to 1 (bottom). */
  readonly y: number;
}

/** A public account that is seen in a story. The tag does not show. */
export interface StoryUserTag {
  /** Without the `@`. */
  readonly username: string;
  /** Where it is, from 0 (left) to 1 (right). */
  readonly x?: number | undefined;
  /** Where it is, from 0 (top) to 1 (bottom). */
  readonly y?: number | undefined;
}

/** A product that is seen in an image. */
export interface ProductTag {
  /** Id of a product of the account's catalog. */
  readonly productId: string;
  /** Where it is, from 0 (left) to 1 (right). */
  readonly x?: number | undefined;
  /** Where it is, from 0 (top) to 1 (bottom). */
  readonly y?: number | undefined;
}

/** Options of every post. */
export interface PostOptions {
  /** At most 2200 characters, 30 hashtags and 20 mentions. */
  readonly caption?: string | undefined;
  /** Id of a Page that has a location. */
  readonly locationId?: string | undefined;
  /** Usernames of accounts that are invited as co-authors. The platform documents 3, and 5 elsewhere. */
  readonly collaborators?: readonly string[] | undefined;
  /** Labels the post as made with AI. */
  readonly isAiGenerated?: boolean | undefined;
}

/** Options of an image, alone or in a carousel. */
export interface ImageOptions {
  /** A description for people who cannot see it. At most 1000 characters. */
  readonly altText?: string | undefined;
  /** At most 20. */
  readonly userTags?: readonly PlacedUserTag[] | undefined;
  /** At most 5. Page mode only; permissions `catalog_management`, `pics_shopping_tag_products`. */
  readonly productTags?: readonly ProductTag[] | undefined;
}

/** Options of a Reel. */
export interface ReelOptions {
  /** Public HTTPS address of a JPEG of at most 8 MB; wins over `thumbOffsetMs`. */
  readonly coverUrl?: string | undefined;
  /**
   * The frame that is the cover: whole milliseconds from the beginning, within the video.
   * @default 0
   */
  readonly thumbOffsetMs?: number | undefined;
  /** Names the video's own audio. It can be named once. */
  readonly audioName?: string | undefined;
  /**
   * Shows the Reel to people who do not follow the account at first: it goes to the followers when the account says
   * so (`MANUAL`), or when it does well (`SS_PERFORMANCE`).
   */
  readonly trial?: 'MANUAL' | 'SS_PERFORMANCE' | undefined;
  /** At most 20. */
  readonly userTags?: readonly UserTag[] | undefined;
  /**
   * `true` without `shareToFeed` leaves it to the platform whether a video is shown in the feed.
   * @default false
   */
  readonly isReel?: boolean | undefined;
  /**
   * Whether a video is shown in the feed too.
   * @default true; not sent with `isReel`
   */
  readonly shareToFeed?: boolean | undefined;
}

/** What an option is that belongs to other media. */
export type Without<TOptions> = { readonly [TName in keyof TOptions]?: undefined };
