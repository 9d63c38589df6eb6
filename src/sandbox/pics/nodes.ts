interface Base {
  readonly id: string;
  /** Subjects (account, Page) whose tokens have access to it. */
  readonly owners: readonly string[];
  /** Sandbox clock, milliseconds. */
  readonly createdAt: number;
}

/** A professional account. It can be found by its professional id and by its app-scoped id. */
export interface PicsAccountNode extends Base {
  readonly kind: 'picsAccount';
  /** The 17-digit professional id. */
  readonly id: string;
  readonly scopedId: string;
  readonly pageId: string | undefined;
  readonly username: string;
  readonly name: string;
  /** Its messenger profile. */
  profile?: Record<string, unknown>;
  /** Hashtags that it searched for, and when, by their ids. */
  searches?: Map<string, number>;
  /** When it liked or unliked something recently. */
  likeCalls?: readonly number[];
  likesLockedUntil?: number;
  /** Webhook fields that login mode subscribed to; undefined when not subscribed. */
  subscribed?: readonly string[] | undefined;
}

export interface PicsMediaNode extends Base {
  readonly kind: 'picsMedia';
  readonly accountId: string;
  /** The carousel of which it is an item. */
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
  /** The username of an author who has no account in the sandbox. */
  readonly author?: string | undefined;
  /** Usernames that are tagged in it. */
  readonly tagged?: readonly string[];
  readonly collaborators?: readonly Collaboration[];
  productTags?: readonly ProductTag[];
  /** Accounts of the sandbox that liked it, in addition to `likes`. */
  likedBy?: Set<string>;
}

/** An account that was invited to publish a media together with its owner. */
export interface Collaboration {
  readonly id: string;
  readonly username: string;
  readonly createdAt: number;
  status: 'Pending' | 'Accepted' | 'Declined';
}

export interface ProductTag {
  readonly product_id: string;
  readonly x?: number;
  readonly y?: number;
}

/** A hashtag, under an id that is the same for everybody. */
export interface PicsHashtagNode extends Base {
  readonly kind: 'picsHashtag';
  /** In lower case, without its sign. */
  readonly name: string;
  /** The positions of walks over its media, by cursor. */
  readonly walks: Map<string, HashtagWalk>;
}

interface HashtagWalk {
  readonly edge: string;
  /** The remaining media. */
  readonly ids: readonly string[];
}

/** A track, or the sound of somebody's Reel. */
export interface PicsAudioNode extends Base {
  readonly kind: 'picsAudio';
  readonly type: 'music' | 'original_sound';
  readonly title: string;
  /** The artist, or the username of the author of the sound. */
  readonly by: string;
  readonly durationMs: number;
}

export interface PicsCatalogNode extends Base {
  readonly kind: 'picsCatalog';
  readonly accountId: string;
  readonly name: string;
  readonly shop: string;
}

export interface PicsProductNode extends Base {
  readonly kind: 'picsProduct';
  readonly catalogId: string;
  readonly name: string;
  readonly price: string;
  readonly reviewStatus: string;
  readonly retailerId: string;
}

/** The music or sound of a Reel. */
interface AddedAudio {
  readonly id: string;
  readonly audioVolume: number | undefined;
  readonly videoVolume: number | undefined;
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
  readonly userTags: readonly Readonly<Record<string, unknown>>[];
  readonly productTags: readonly ProductTag[];
  readonly coverUrl: string | undefined;
  /** Milliseconds. */
  readonly thumbOffset: number | undefined;
  readonly audioName: string | undefined;
  readonly audio: AddedAudio | undefined;
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
  /** Accounts of the sandbox that liked it, in addition to `likes`. */
  likedBy?: Set<string>;
  hidden: boolean;
}

/** Every kind of node of the photo-sharing platform, by the name of its kind. */
export interface PicsNodes {
  picsAccount: PicsAccountNode;
  picsMedia: PicsMediaNode;
  picsContainer: PicsContainerNode;
  picsComment: PicsCommentNode;
  picsHashtag: PicsHashtagNode;
  picsAudio: PicsAudioNode;
  picsCatalog: PicsCatalogNode;
  picsProduct: PicsProductNode;
}
