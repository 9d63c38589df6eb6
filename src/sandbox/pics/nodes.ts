interface Base {
  readonly id: string;
  /** Subjects (account, Page) whose tokens have access to it. */
  readonly owners: readonly string[];
  /** Sandbox clock, milliseconds. */
  readonly createdAt: number;
}

/** A professional account. Both its professional id and its app-scoped id lead to it. */
export interface PicsAccountNode extends Base {
  readonly kind: 'picsAccount';
  /** The 17-digit professional id. */
  readonly id: string;
  readonly scopedId: string;
  readonly pageId: string | undefined;
  readonly username: string;
  readonly name: string;
  /** What is shown beside the inbox. */
  profile?: Record<string, unknown>;
  /** Webhook fields that login mode subscribed to; undefined when not subscribed. */
  subscribed?: readonly string[] | undefined;
}

export interface PicsMediaNode extends Base {
  readonly kind: 'picsMedia';
  readonly accountId: string;
  /** The carousel that it is an item of. */
  readonly parentId: string | undefined;
  /** The container that it was published from; `undefined` if it was seeded. */
  readonly containerId: string | undefined;
  readonly type: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  readonly product: 'FEED' | 'REELS' | 'STORY';
  readonly caption: string | undefined;
  readonly altText: string | undefined;
  readonly aiGenerated: boolean;
  readonly url: string;
  readonly shortcode: string;
  readonly sharedToFeed: boolean | undefined;
  readonly likes: number;
  commentsEnabled: boolean;
  /** How many people saw it. */
  readonly viewers: number;
}

export interface PicsContainerNode extends Base {
  readonly kind: 'picsContainer';
  readonly accountId: string;
  /** `VIDEO` is an item of a carousel. */
  readonly type: 'IMAGE' | 'VIDEO' | 'REELS' | 'CAROUSEL' | 'STORIES';
  readonly carouselItem: boolean;
  readonly imageUrl: string | undefined;
  readonly videoUrl: string | undefined;
  readonly caption: string | undefined;
  readonly altText: string | undefined;
  readonly locationId: string | undefined;
  readonly collaborators: readonly string[];
  readonly aiGenerated: boolean;
  readonly userTags: readonly object[];
  readonly productTags: readonly object[];
  readonly coverUrl: string | undefined;
  /** Milliseconds. */
  readonly thumbOffset: number | undefined;
  readonly audioName: string | undefined;
  readonly trial: 'MANUAL' | 'SS_PERFORMANCE' | undefined;
  readonly sharedToFeed: boolean | undefined;
  readonly childIds: readonly string[];
  /** When it is ready, if the platform fetches its media. */
  readonly readyAt: number;
  /** Whether its video is uploaded. */
  readonly resumable: boolean;
  fileSize: number | undefined;
  fileUrl: string | undefined;
  /** When the last byte arrived. */
  uploadedAt: number | undefined;
  readonly failure: { readonly subcode: number; readonly text: string } | undefined;
  /** When it was published, sandbox clock. */
  publishedAt: number | undefined;
}

export interface PicsCommentNode extends Base {
  readonly kind: 'picsComment';
  readonly accountId: string;
  readonly mediaId: string;
  /** The comment that this one replies to. */
  readonly parentId: string | undefined;
  readonly from: { readonly id: string; readonly username: string };
  readonly text: string;
  readonly likes: number;
  hidden: boolean;
}

/** Every kind of node of the photo-sharing platform, by the name of its kind. */
export interface PicsNodes {
  picsAccount: PicsAccountNode;
  picsMedia: PicsMediaNode;
  picsContainer: PicsContainerNode;
  picsComment: PicsCommentNode;
}
