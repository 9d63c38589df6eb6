/** What lists can page through. */
export interface Entry {
  readonly id: string;
  /** Sandbox clock, milliseconds. */
  readonly createdAt: number;
}

/** What every node has. */
interface Base extends Entry {
  /** Subjects (user, Page, account) whose tokens have access to it. */
  readonly owners: readonly string[];
}

interface Likable {
  /** Whether the Page likes it. */
  liked?: boolean;
}

/** A person whom a Page blocked, and since when. */
export interface BlockedPerson extends Entry {
  readonly name: string;
}

interface AppSubscription {
  readonly callbackUrl: string;
  readonly fields: readonly string[];
}

export interface Captions extends Entry {
  readonly locale: string;
  isDefault: boolean;
}

/** A Page or a person who was invited to a Reel, and when. */
export interface Collaborator extends Entry {
  status: 'Pending' | 'Accepted' | 'Declined';
}

/** An account that was invited to publish a media together with its owner. */
export interface Collaboration extends Collaborator {
  readonly username: string;
}

export interface Thumbnail extends Entry {
  readonly bytes: number;
}

export interface ProductTag {
  readonly product_id: string;
  readonly x?: number;
  readonly y?: number;
}

interface HashtagWalk {
  readonly edge: string;
  /** The remaining media. */
  readonly ids: readonly string[];
}

/** The music or sound of a Reel. */
interface AddedAudio {
  readonly id: string;
  readonly audioVolume: number | undefined;
  readonly videoVolume: number | undefined;
}

/** What a container holds, as it was requested. */
export interface ContainerContent extends ContainerDetails {
  /** `VIDEO` is an item of a carousel. */
  readonly type: 'IMAGE' | 'VIDEO' | 'REELS' | 'CAROUSEL' | 'STORIES';
  readonly carouselItem: boolean;
  readonly imageUrl: string | undefined;
  readonly videoUrl: string | undefined;
  readonly caption: string | undefined;
  readonly childIds: readonly string[];
  /** Whether its video is uploaded in a session, not fetched from an address. */
  readonly resumable: boolean;
}

/** Details of the media of a container. */
export interface ContainerDetails {
  readonly altText: string | undefined;
  readonly locationId: string | undefined;
  readonly collaborators: readonly string[];
  readonly aiGenerated: boolean;
  readonly sponsorIds: readonly string[];
  readonly paidPartnership: boolean;
  readonly userTags: readonly Readonly<Record<string, unknown>>[];
  readonly productTags: readonly ProductTag[];
  readonly coverUrl: string | undefined;
  /** Milliseconds. */
  readonly thumbOffset: number | undefined;
  readonly audioName: string | undefined;
  readonly audio: AddedAudio | undefined;
  readonly trial: 'MANUAL' | 'SS_PERFORMANCE' | undefined;
  readonly sharedToFeed: boolean | undefined;
  readonly poll: Poll | undefined;
  readonly prompted: boolean;
}

/** A poll below a media. */
interface Poll {
  readonly options: readonly string[];
  readonly isEndless: boolean;
}

/** What each kind of node has: those of the page platform, of the photo-sharing platform, and of the inboxes. */
export interface Kinds {
  readonly user: {
    readonly name: string;
    readonly email: string;
    /** The permissions that the person declined in the last dialog. */
    declined?: readonly string[];
  };
  readonly page: {
    readonly name: string;
    picsId: string | undefined;
    /** Whether `accounts` of its people lists it. Other Pages are reached only through a business portfolio. */
    readonly isDirect: boolean;
    /** Whether expired stories stay readable, as `ARCHIVED`. */
    readonly archives: boolean;
    /** Its messenger profile. */
    profile?: Record<string, unknown>;
    /** People whom it blocked, by id. */
    blocked?: Map<string, BlockedPerson>;
    /** Fields that the app subscribed the Page to; undefined when it is not subscribed. */
    subscribed: readonly string[] | undefined;
  };
  /** The app itself, as its own token sees it. */
  readonly app: {
    /** Its webhook subscriptions, by object. */
    readonly subscriptions: Map<string, AppSubscription>;
  };
  /** A business portfolio. */
  readonly business: {
    readonly name: string;
    readonly ownedPages: readonly string[];
    readonly clientPages: readonly string[];
  };
  readonly post: Likable & {
    readonly pageId: string;
    message: string | undefined;
    readonly link: string | undefined;
    /** Whether it was published by a call; a scheduled one is also published once its time has come. */
    published: boolean;
    /** When it is to be published, by the sandbox clock. */
    scheduledAt?: number | undefined;
    hidden?: boolean;
    readonly callToAction?: unknown;
    readonly targeting?: unknown;
    readonly feedTargeting?: unknown;
    /** Photos or the video that it shows. */
    readonly media?: readonly string[] | undefined;
    /** The Page itself, or a visitor. */
    readonly from: { readonly id: string; readonly name: string };
    /** Whether the app published it, and not a person. */
    readonly byApp?: boolean;
    /** Whether it was written elsewhere, and only tags the Page. */
    readonly elsewhere?: boolean;
    /** The Page of the place that it is tagged with. */
    readonly placeId?: string | undefined;
    /** People who are tagged in it. */
    readonly tagIds?: readonly string[];
    readonly clicks: number;
  };
  readonly photo: Likable & {
    readonly pageId: string;
    readonly url: string;
    readonly message?: string | undefined;
    readonly altText?: string | undefined;
    /** Its post, if it was published alone. */
    postId?: string | undefined;
    /** Already part of a post or a story. */
    used: boolean;
  };
  readonly video: Likable & {
    readonly pageId: string;
    fileSize?: number | undefined;
    fileUrl?: string | undefined;
    /** When the last byte arrived. */
    uploadedAt?: number | undefined;
    finishedAt?: number | undefined;
    readonly edge: 'video_stories' | 'video_reels' | 'videos';
    /** Its upload session, if it is sent in parts. */
    readonly sessionId?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    /** When it is to be published, by the sandbox clock. */
    scheduledAt?: number | undefined;
    isDraft?: boolean;
    postId?: string | undefined;
    /** The Page of the place that it is tagged with. */
    placeId?: string | undefined;
    /** Captions, by locale. */
    captions?: Map<string, Captions>;
    /** Pages and people who were invited to a Reel. */
    collaborators?: Map<string, Collaborator>;
    /** Thumbnails, the preferred one first. */
    thumbnails?: readonly Thumbnail[];
  };
  readonly story: {
    readonly pageId: string;
    readonly mediaId: string;
    readonly mediaType: 'photo' | 'video';
  };
  readonly comment: Likable & {
    readonly pageId: string;
    readonly postId: string;
    /** The comment that this one replies to. */
    readonly parentId: string | undefined;
    readonly from: { readonly id: string; readonly name: string };
    message: string | undefined;
    hidden: boolean;
    /** Its image: the address, and the photo if it is one of the Page's. */
    readonly attachment?: { readonly url: string; readonly photoId?: string | undefined } | undefined;
  };
  readonly ad: {
    readonly name: string;
    readonly adset: Readonly<Record<string, unknown>>;
    readonly campaign: Readonly<Record<string, unknown>>;
  };
  readonly form: {
    readonly pageId: string;
    readonly name: string;
    readonly status: string;
    readonly locale: string;
    readonly questions: readonly Readonly<Record<string, unknown>>[];
  };
  readonly lead: {
    readonly formId: string;
    readonly fieldData: readonly { readonly name: string; readonly values: readonly string[] }[];
    /** Names and ids of the ad; none for an organic lead. */
    readonly ad: Readonly<Record<string, unknown>>;
    /** Whether it is the test lead of its form. */
    readonly isTest?: boolean;
  };
  /** A professional account. It can be found by its professional id, which has 17 digits, and by its app-scoped id. */
  readonly picsAccount: {
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
  };
  readonly picsMedia: {
    readonly accountId: string;
    /** The carousel of which it is an item. */
    readonly parentId?: string | undefined;
    /** The container that it was published from; a seeded one has none. */
    readonly containerId?: string | undefined;
    readonly type: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
    readonly product: 'FEED' | 'REELS' | 'STORY';
    readonly caption?: string | undefined;
    readonly altText?: string | undefined;
    readonly aiGenerated: boolean;
    readonly url: string;
    readonly shortcode: string;
    readonly sharedToFeed?: boolean | undefined;
    readonly likes: number;
    commentsEnabled: boolean;
    /** How many people saw it. */
    readonly viewers: number;
    /** The username of an author who has no account in the sandbox. */
    readonly author?: string | undefined;
    /** Usernames that are tagged in it. */
    readonly tagged?: readonly string[];
    readonly collaborators?: readonly Collaboration[];
    readonly poll?: Poll | undefined;
    /** Whether it asks for comments. */
    readonly prompted?: boolean;
    productTags?: readonly ProductTag[];
    /** Accounts of the sandbox that liked it, in addition to `likes`. */
    likedBy?: Set<string>;
  };
  /** A hashtag, under an id that is the same for everybody. */
  readonly picsHashtag: {
    /** In lower case, without its sign. */
    readonly name: string;
    /** The positions of walks over its media, by cursor. */
    readonly walks: Map<string, HashtagWalk>;
  };
  /** A track, or the sound of somebody's Reel. */
  readonly picsAudio: {
    readonly type: 'music' | 'original_sound';
    readonly title: string;
    /** The artist, or the username of the author of the sound. */
    readonly by: string;
    readonly durationMs: number;
  };
  readonly picsCatalog: { readonly accountId: string; readonly name: string; readonly shop: string };
  readonly picsProduct: {
    readonly catalogId: string;
    readonly name: string;
    readonly price: string;
    readonly reviewStatus: string;
    readonly retailerId: string;
  };
  readonly picsContainer: ContainerContent & {
    readonly accountId: string;
    /** When it is ready, if the platform fetches its media. */
    readonly readyAt: number;
    fileSize?: number | undefined;
    fileUrl?: string | undefined;
    /** When the last byte arrived. */
    uploadedAt?: number | undefined;
    readonly failure: { readonly subcode: number; readonly text: string } | undefined;
    /** When it was published, sandbox clock. */
    publishedAt?: number | undefined;
  };
  readonly picsComment: {
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
  };
  /** A person who writes to an account or a Page, under an id that only this account or Page knows. */
  readonly contact: {
    /** The account or the Page. */
    readonly ownerId: string;
    /** The id under which the person comments, if it differs. */
    readonly personId: string | undefined;
    /** Only for a person who writes to an account. */
    readonly username: string | undefined;
    readonly name: string | null;
    readonly picture: string | null;
    readonly followers: number;
    readonly consent: boolean;
    /** Whether the person left the platform, so that the id is refused. */
    readonly gone: boolean;
  };
  readonly conversation: {
    /** The account or the Page. */
    readonly ownerId: string;
    readonly contactId: string;
    /** The account or the Page has seen the messages up to this time. */
    seenAt: number;
    /** The app that took control last; see `controllerOf`. */
    controller?: string | undefined;
  };
  readonly message: {
    readonly conversationId: string;
    /** Whether the contact sent it, not the account or the Page. */
    readonly inbound: boolean;
    readonly text: string;
    /** What the app gets back in the echo. */
    metadata?: string | undefined;
    /** Attachments, reactions and the like, as the wire shows them. */
    extra: Readonly<Record<string, unknown>>;
  };
  /** A file that was uploaded to be sent. */
  readonly attachment: { readonly ownerId: string; readonly type: string; readonly url: string };
  /** A template of a Page for messages outside of the window. */
  readonly template: {
    readonly pageId: string;
    readonly name: string;
    readonly language: string;
    readonly format: string;
    /** The template of the library that it was made from. */
    readonly libraryName: string | undefined;
    readonly status: string;
    readonly components: readonly Readonly<Record<string, unknown>>[];
  };
  /** A name and a picture that a Page writes under. */
  readonly persona: { readonly pageId: string; readonly name: string; readonly picture: string };
}

export type NodeKind = keyof Kinds;
type Nodes = { [K in NodeKind]: Base & Kinds[K] & { readonly kind: K } };

/** A node of one of these kinds; of any, if none is named. */
export type Node<K extends NodeKind = NodeKind> = Nodes[K];
