interface Base {
  readonly id: string;
  /** Subjects (user, Page, account) whose tokens have access to it. */
  readonly owners: readonly string[];
  /** Sandbox clock, milliseconds. */
  readonly createdAt: number;
  /** Whether the Page likes it. */
  liked?: boolean;
}

export interface UserNode extends Base {
  readonly kind: 'user';
  readonly name: string;
  readonly email: string;
}

export interface PageNode extends Base {
  readonly kind: 'page';
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
}

export interface BlockedPerson {
  readonly id: string;
  readonly name: string;
  /** When it blocked the person. */
  readonly createdAt: number;
}

/** The app itself, as its own token sees it. */
export interface AppNode extends Base {
  readonly kind: 'app';
  /** Its webhook subscriptions, by object. */
  readonly subscriptions: Map<string, AppSubscription>;
}

interface AppSubscription {
  readonly callbackUrl: string;
  readonly fields: readonly string[];
}

/** A business portfolio. */
export interface BusinessNode extends Base {
  readonly kind: 'business';
  readonly name: string;
  readonly ownedPages: readonly string[];
  readonly clientPages: readonly string[];
}

export interface PostNode extends Base {
  readonly kind: 'post';
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
  /** Whether it was written elsewhere, and only tags the Page. */
  readonly elsewhere?: boolean;
  /** The Page that it names as its place. */
  readonly placeId?: string | undefined;
  /** People who are tagged in it. */
  readonly tagIds?: readonly string[];
  readonly clicks: number;
}

export interface PhotoNode extends Base {
  readonly kind: 'photo';
  readonly pageId: string;
  readonly url: string;
  readonly message?: string | undefined;
  readonly altText?: string | undefined;
  /** Its post, if it was published alone. */
  postId?: string | undefined;
  /** Already part of a post or a story. */
  used: boolean;
}

export interface VideoNode extends Base {
  readonly kind: 'video';
  readonly pageId: string;
  fileSize: number | undefined;
  fileUrl: string | undefined;
  /** When the last byte arrived. */
  uploadedAt: number | undefined;
  finishedAt: number | undefined;
  readonly edge: 'video_stories' | 'video_reels' | 'videos';
  /** Its upload session, if it is sent in parts. */
  readonly sessionId?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  /** When it is to be published, by the sandbox clock. */
  scheduledAt?: number | undefined;
  isDraft?: boolean;
  postId?: string | undefined;
  /** The Page that it names as its place. */
  placeId?: string | undefined;
  /** Captions, by locale. */
  captions?: Map<string, Captions>;
  /** Pages and people who were invited to a Reel. */
  collaborators?: Map<string, Collaborator>;
  /** Pictures that stand for it, with the preferred one first. */
  thumbnails?: readonly Thumbnail[];
}

export interface Captions {
  readonly id: string;
  readonly locale: string;
  isDefault: boolean;
  readonly createdAt: number;
}

export interface Collaborator {
  readonly id: string;
  status: 'Pending' | 'Accepted' | 'Declined';
  /** When it was invited. */
  readonly createdAt: number;
}

export interface Thumbnail {
  readonly id: string;
  readonly createdAt: number;
  readonly bytes: number;
}

export interface StoryNode extends Base {
  readonly kind: 'story';
  readonly pageId: string;
  readonly mediaId: string;
  readonly mediaType: 'photo' | 'video';
}

export interface CommentNode extends Base {
  readonly kind: 'comment';
  readonly pageId: string;
  readonly postId: string;
  /** The comment that this one replies to. */
  readonly parentId: string | undefined;
  readonly from: { readonly id: string; readonly name: string };
  message: string | undefined;
  hidden: boolean;
  /** Its image: the address, and the photo if it is one of the Page's. */
  readonly attachment?: { readonly url: string; readonly photoId?: string | undefined } | undefined;
}

export interface AdNode extends Base {
  readonly kind: 'ad';
  readonly name: string;
  readonly adset: Readonly<Record<string, unknown>>;
  readonly campaign: Readonly<Record<string, unknown>>;
}

export interface FormNode extends Base {
  readonly kind: 'form';
  readonly pageId: string;
  readonly name: string;
  readonly status: string;
  readonly locale: string;
  readonly questions: readonly Readonly<Record<string, unknown>>[];
}

export interface LeadNode extends Base {
  readonly kind: 'lead';
  readonly formId: string;
  readonly fieldData: readonly { readonly name: string; readonly values: readonly string[] }[];
  /** Names and ids of the ad; none for an organic lead. */
  readonly ad: Readonly<Record<string, unknown>>;
}

/** Every kind of node of the page platform, by the name of its kind. */
export interface PageNodes {
  user: UserNode;
  app: AppNode;
  page: PageNode;
  business: BusinessNode;
  post: PostNode;
  photo: PhotoNode;
  video: VideoNode;
  story: StoryNode;
  comment: CommentNode;
  ad: AdNode;
  form: FormNode;
  lead: LeadNode;
}
