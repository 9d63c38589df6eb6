import type { Fetch } from '../core/http/types.ts';
import type { Clock } from '../core/options/clock.ts';
import type { Platform } from '../core/platform.ts';

/** The hosts of the platform, as fault rules and the request log name them. Both login dialogs are `dialog`. */
export type HostKind = 'graph' | 'picsGraph' | 'upload' | 'dialog' | 'picsToken';

export interface SandboxOptions {
  /** Milliseconds since 1970 that the sandbox clock starts from and follows. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Seed of the random generator: equal seeds give equal runs. @default 1 */
  readonly seed?: number | undefined;
  /** Whether calls to the page graph need an `appsecret_proof`. A wrong one is always refused. @default true */
  readonly requireProof?: boolean | undefined;
  /**
   * Refuses every parameter and field that the sandbox does not know, so that a client's typo shows. By default they
   * are ignored where the platform ignores them. @default false
   */
  readonly strict?: boolean | undefined;
  /**
   * When the app was created: a Date, or milliseconds since 1970. From 2026-11-04 on, the platform keeps new apps, on
   * every version, from what it will end for all: several `ids` in one call, `date_format`, the parameter `method` of a
   * POST, `.as()` in `fields`, `callback`, and asynchronous batches. @default an older app
   */
  readonly appCreatedAt?: Date | number | undefined;
  /**
   * Answers requests that the platform sends to the app's callback addresses: the handshake of `POST
   * /{app}/subscriptions`. A handler from `createWebhookHandler` will do. @default fetch, for addresses on this machine
   */
  readonly callbacks?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * How many calls each limit allows in its rolling window. Responses then report the usage in headers, and calls over
   * the limit are refused; refused calls count too. @default no limits
   */
  readonly quotas?: SandboxQuotas | undefined;
  /** Seeded Pages; the second one has no linked account. At least 3. @default 3 */
  readonly pages?: number | undefined;
  /** Further Pages that the user reaches through a business portfolio only. @default 1 */
  readonly portfolioPages?: number | undefined;
  /** Published posts seeded on each of the first three Pages. @default 6 */
  readonly posts?: number | undefined;
  /** Top-level comments seeded on the first post of each of those Pages; each third one has a reply. @default 5 */
  readonly comments?: number | undefined;
  /** Leads seeded in one form of each of those Pages, which `leadForms` lists last. @default 4 */
  readonly leads?: number | undefined;
}

/**
 * A limit: of the `app`, and of each person (`user`), in an hour; in a day, of each Page, of each photo-sharing account
 * (`pics`), and of the `messages` and the `leads` of each Page. In addition, each Page and account has rates that no
 * header reports: reads of `conversations`, `sends` and those of audio and video (`media`) in a second,
 * `privateReplies` in an hour, calls to the messenger profile in ten minutes (`messengerProfile`).
 */
export type QuotaKind =
  | 'app'
  | 'user'
  | 'page'
  | 'pics'
  | 'messages'
  | 'leads'
  | 'conversations'
  | 'sends'
  | 'media'
  | 'privateReplies'
  | 'messengerProfile';

export interface SandboxQuotaOptions {
  /** Calls allowed in the window. */
  readonly calls: number;
  /** Milliseconds of the rolling window. @default that of the live platform */
  readonly windowMs?: number | undefined;
  /**
   * Calls in the window before responses report the usage: the live platform omits it for the first ones.
   * @default 0
   */
  readonly headersAfter?: number | undefined;
}

/** Quotas by limit. A number stands for `calls`. */
export type SandboxQuotas = Readonly<Partial<Record<QuotaKind, number | SandboxQuotaOptions>>>;

/** The usage of a limit. */
export interface SandboxQuota {
  readonly kind: QuotaKind;
  /** The app, person, Page or account whose limit it is. */
  readonly id: string;
  /** Calls in the rolling window, refused ones too. */
  readonly calls: number;
  readonly limit: number;
  /** In whole percent, as in the headers. From 100 on, calls are refused. */
  readonly percent: number;
  /** When the next call is allowed, in milliseconds of the sandbox clock, unless more calls are made before. */
  readonly blockedUntil: number | undefined;
}

/** What a write has made or changed. */
export type EffectKind =
  /** The app subscribed to events of an object. */
  | 'app_subscribe'
  /** The app ended such a subscription. */
  | 'app_unsubscribe'
  /** A file for messages was uploaded, to be sent by its id. */
  | 'attachment'
  /** A Page blocked a person. */
  | 'block'
  /** Captions of a video were added or removed. */
  | 'captions'
  /** A Page was invited to a Reel, or the invitation was withdrawn. */
  | 'collaborator'
  /** A comment on a post, a photo, a video or a media. Replies are `reply`. */
  | 'comment'
  /** A comment on a Page's post was hidden or shown; those of accounts are `hide`. */
  | 'comment_hide'
  /** Comments on a media were turned on or off. */
  | 'comment_toggle'
  /** The text of a Page's comment was changed. */
  | 'comment_update'
  /** A container was made; `media` follows when it is published. */
  | 'container'
  /** Something was deleted; the `id` says what. */
  | 'delete'
  /** A comment on an account's media was hidden or shown. */
  | 'hide'
  /** An account accepted or declined to be a collaborator of a media. */
  | 'invite_answer'
  /** A Page or an account liked something, or withdrew it. */
  | 'like'
  /** A media of an account was published: an image, a video, a Reel, a carousel or a story. */
  | 'media'
  /** A message was sent. */
  | 'message'
  /** A photo of a Page, also one that waits unpublished to become part of a post or a story. */
  | 'photo'
  /** A photo story of a Page; its photo was a `photo` before. */
  | 'photo_story'
  /** A persona of a Page was made. */
  | 'persona'
  /** A post of a Page, also a draft or a scheduled one; photos, videos and Reels have kinds of their own. */
  | 'post'
  /** A post was changed: its text, its schedule, or whether it is published. */
  | 'post_update'
  /** A Reel of a Page was finished: published, scheduled or a draft. */
  | 'reel'
  /** A video of a Page was finished: published, scheduled or a draft. */
  | 'video'
  /** A comment was answered privately. The message itself is a `message`, so that one private reply is two effects. */
  | 'private_reply'
  /** Products were tagged in a media. */
  | 'product_tags'
  /** The messenger profile was changed, or parts of it deleted. */
  | 'profile'
  /** A message got a reaction, or lost it. */
  | 'reaction'
  /** A reply to a comment. */
  | 'reply'
  /** A person took permissions back, or the app as a whole. */
  | 'revoke'
  /** A conversation was marked as seen, or shows that somebody is typing. */
  | 'sender_action'
  /** A Page or an account was subscribed to events. */
  | 'subscribe'
  /** A message template was made. */
  | 'template'
  /** A test lead was made. `leads` does not list it. */
  | 'test_lead'
  /** Control of a conversation was taken, passed, requested or released. */
  | 'thread_control'
  /** A thumbnail of a video was added. */
  | 'thumbnail'
  /** A Page unblocked a person. */
  | 'unblock'
  /** A Page or an account was unsubscribed from events. */
  | 'unsubscribe'
  /** The last byte of a video arrived, or its address did. */
  | 'upload'
  /** The upload of a video began. */
  | 'video_session'
  /** A video story of a Page. */
  | 'video_story';

/** A change that a write has made. */
export interface Effect {
  readonly kind: EffectKind;
  /** Id of what was made or changed. */
  readonly id: string;
  /** Sandbox clock, milliseconds. */
  readonly at: number;
  /** Id of the Page, post, comment, account or conversation that it belongs to. */
  readonly parentId: string | undefined;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface RequestLog {
  readonly method: string;
  readonly host: HostKind;
  /** Path below the version: `/me/accounts`. */
  readonly path: string;
  readonly version: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a form body. */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** A JSON body, read again each time. A body of more than a million characters is not kept, nor is a form. */
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Sandbox clock, milliseconds. */
  readonly at: number;
  /** Status of the response; `undefined` while the request runs and when its connection was lost. */
  readonly status: number | undefined;
  /** Whether a fault was applied to it. */
  readonly faulted: boolean;
}

/** An error envelope to respond with. Members that are left out get usual values. */
export interface FaultError {
  readonly code: number;
  readonly error_subcode?: number;
  readonly message?: string;
  readonly type?: string;
  readonly is_transient?: boolean;
  readonly error_user_title?: string;
  readonly error_user_msg?: string;
  readonly error_data?: unknown;
}

export interface FaultMatch {
  readonly method?: string;
  /** The path below the version, or its end (`/feed`). */
  readonly path?: string | RegExp;
  readonly host?: HostKind;
  /** Matching requests to leave alone first. @default 0 */
  readonly skip?: number;
  /** Matching requests to apply the fault to. @default 1 */
  readonly times?: number;
  /** Probability from 0 to 1 that it applies, drawn from the seeded generator. @default 1 */
  readonly chance?: number;
  /**
   * Whether the fault applies before or after the request took effect. `truncate` and `addHeaders` always apply after
   * it.
   * @default 'before'
   */
  readonly when?: 'before' | 'after';
}

interface FaultActions {
  /** Refuses with an error envelope. */
  readonly error: {
    readonly error: FaultError;
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Any status and body; without a body, the error page of a gateway. */
  readonly status: {
    readonly status: number;
    readonly body?: string | object;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** The connection is lost. */
  readonly drop: { readonly drop: true };
  /** No response ever comes. */
  readonly hang: { readonly hang: true };
  /** The headers and this many bytes of the real response, then the connection is reset. */
  readonly truncate: { readonly truncate: number };
  /** The upload host, which is the `host` of such a rule, keeps this many bytes of the body, then resets the connection. */
  readonly cutUpload: { readonly cutUpload: number };
  /** The response is late by this many milliseconds of real time. */
  readonly delayMs: { readonly delayMs: number };
  /** The real response with more headers. */
  readonly addHeaders: { readonly addHeaders: Readonly<Record<string, string>> };
}

type MemberOf<T> = T extends unknown ? keyof T : never;
/** One of the actions, without a member of any other. */
type Exactly<T, All = T> = T extends unknown
  ? T & { readonly [K in Exclude<MemberOf<All>, keyof T>]?: undefined }
  : never;

export type FaultAction = Exactly<FaultActions[keyof FaultActions]>;

export type FaultRule = FaultMatch & FaultAction;

/** Behaviour observed on the live platform; the manual describes each scenario and how long it lasts. */
export type ScenarioName =
  | 'app-restricted'
  | 'duplicate-post-refused'
  | 'failed-without-code'
  | 'lost-and-listed-late'
  | 'media-fetch-fails-once'
  | 'media-not-ready'
  | 'message-window-closed'
  | 'metric-retired'
  | 'page-throttled'
  | 'partial-grant'
  | 'published-though-refused'
  | 'reads-refused'
  | 'token-expires-midway'
  | 'webhooks-repeated';

/** How the platform behaves. `tune` changes parts of it; parts that it does not name keep their values. */
export interface Tuning {
  /**
   * `strict`: uploaded files are judged by the rules of `pagepics/media`, and refused where the platform refuses them:
   * photos and videos that are sent in one request, at once; others when they are processed. Addresses are not fetched.
   * @default 'lenient'
   */
  readonly media: 'lenient' | 'strict';
  readonly containers: {
    /** Milliseconds from the creation of a container, images included, to `FINISHED`. @default 0 */
    readonly processingMs: number;
    /** Containers that are created from now on end in `ERROR`. */
    readonly fail: { readonly subcode: number; readonly text: string } | undefined;
    /**
     * Whether the `status_code` of a failed container is empty, so that only the text of its `status` shows it.
     * @default false
     */
    readonly codeless: boolean;
    /** Whether videos of containers that are created from now on have no sound. @default false */
    readonly silent: boolean;
    /** How many `media_publish` calls are refused with 9007/2207027 although the container is ready. @default 0 */
    readonly notReadyOnPublish: number;
  };
  readonly videos: {
    /** Milliseconds from the last byte to `uploading_phase: complete`. @default 0 */
    readonly settleMs: number;
    /** Milliseconds from there to `processing_phase: complete`. @default 0 */
    readonly processingMs: number;
    /** Videos fail in this phase. */
    readonly failAt: 'uploading' | 'processing' | undefined;
    /** The failure's text. */
    readonly text: string;
    /** The documented failure of a low resolution: uploaded, not processed, with an `error`. @default false */
    readonly lowQuality: boolean;
    /** Other spellings that the platform has used: `completed`, `bytes_transferred`, `errors`. @default false */
    readonly variantSpelling: boolean;
    /** Size of a file fetched from `file_url`. @default 1_000_000 */
    readonly hostedBytes: number;
    /** Bytes that the platform asks for at once, of a video that is sent in parts. @default 1_048_576 */
    readonly partBytes: number;
    /**
     * Bytes that the upload host takes in a second of real time, whatever the clock says, so that a progress bar can be
     * watched. @default as many as come
     */
    readonly bytesPerSecond: number | undefined;
    /** The platform's fetch of `file_url` fails with this text. */
    readonly hostedFailure: string | undefined;
  };
  readonly lists: {
    /** A larger `limit` is refused with code 1, "reduce the amount of data". @default no such limit */
    readonly mostPerPage: number | undefined;
    /** Ids of entries that fail each page they are on in the same way, unless only ids are requested. @default [] */
    readonly undeliverable: readonly string[];
    /**
     * A page of more characters, as JSON, is refused in the same way: a list with much inside of its entries. @default no
     * such limit
     */
    readonly mostCharacters: number | undefined;
    /** Milliseconds until a new entry appears in lists. @default 0 */
    readonly lagMs: number;
    /** The second page of a walk is empty, the third one half full, and so on, all with a `next`. @default false */
    readonly sparse: boolean;
  };
  readonly posts: {
    /**
     * Milliseconds for which a post with the text of an earlier one of the Page is refused with code 506.
     * @default 0
     */
    readonly refuseDuplicatesForMs: number;
  };
  readonly pages: {
    /**
     * Whether Pages keep the platform's rules, as `pageStatus` tells. Anything but `ok` names a violation, and
     * `restricted` and `suspended` restrictions; they restrict nothing in the sandbox.
     * @default 'ok'
     */
    readonly status: 'ok' | 'warning' | 'restricted' | 'suspended';
    /** Whether Pages list their visitors' posts apart. New ones refuse it with a permissions error. @default true */
    readonly visitorPosts: boolean;
    /**
     * Whether a Page's own posts are listed without `pages_read_user_content`: then only what people wrote and did there is
     * refused, such as `comments` and `reactions` among the fields. @default false
     */
    readonly openPosts: boolean;
  };
  readonly threads: {
    /**
     * Whether Conversation Routing is set up: then apps can take control of conversations, and not request it.
     * @default false
     */
    readonly routing: boolean;
  };
  readonly templates: {
    /** What the platform decides about a new message template. @default 'APPROVED' */
    readonly status: 'APPROVED' | 'PENDING' | 'REJECTED';
  };
  readonly batch: {
    /** Only so many parts of a batch finish in time; the others come back as `null`. @default all */
    readonly finishes: number | undefined;
    /** Whether parts that do not finish in time still take effect. @default false */
    readonly lands: boolean;
  };
  readonly metrics: {
    /** Further retired metrics: a call that names one fails. */
    readonly retired: readonly string[];
    /** Milliseconds from the end of a day until Pages and accounts have numbers of it. @default 0 */
    readonly lagMs: number;
    /** Days of which Pages and accounts never have numbers, `YYYY-MM-DD`. @default [] */
    readonly missingDays: readonly string[];
    /** Ids of posts without numbers, as some old ones of videos: within a list, they lack `insights`. @default [] */
    readonly postsWithout: readonly string[];
    /**
     * Whether a token without `read_insights` is refused the insights of posts as a field. By default they are empty, as
     * the platform was seen to do, too. @default false
     */
    readonly refuseUnread: boolean;
  };
  readonly writes: {
    /** Milliseconds until a write takes effect whose response a fault takes away. @default 0 */
    readonly landAfterMs: number;
  };
  readonly pics: {
    /** `config.quota_total`: how many times `media_publish` succeeds in 24 hours. @default 100 */
    readonly quotaTotal: number;
    /** Whether media keep the polls and comment prompts that they are published with. @default true */
    readonly addOns: boolean;
    /** Followers of the account; demographics need 100. @default 1280 */
    readonly followers: number;
    /**
     * Login mode wraps profiles and short-lived tokens in `{ data: [...] }`, as parts of its manual show.
     * @default false
     */
    readonly wrapped: boolean;
    /** In login mode, conversations name the account by its app-scoped id. @default false */
    readonly scopedParticipants: boolean;
    /** Insights metrics that are refused from now on, in addition to the retired ones. @default [] */
    readonly retiredMetrics: readonly string[];
    /**
     * When the account was made a professional one, milliseconds since 1970: older media have no numbers, and as a field of
     * a list they fail the whole list in page mode. @default before all media
     */
    readonly convertedAt: number;
    /**
     * Whether media within a list lack the `insights` that the platform refuses for them, instead of failing the whole
     * list. @default in login mode
     */
    readonly omitsInsights: boolean | undefined;
    /** Ids of comments that are counted, and that no list shows. @default [] */
    readonly heldComments: readonly string[];
    /** Whether accounts are linked to their Pages; without it, page mode knows no account. @default true */
    readonly linked: boolean;
    /**
     * Whether Page tokens are refused containers and media that are read by their ids; lists show them.
     * @default false
     */
    readonly barred: boolean;
  };
}

export type TuningPatch = { readonly [K in keyof Tuning]?: Partial<Tuning[K]> };

export interface SandboxUser {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

export interface AddPageOptions {
  /** @default 'Page' and a number */
  readonly name?: string;
  /** The person who manages it. @default the seeded user */
  readonly userId?: string;
}

export interface AddAccountOptions {
  readonly pageId: string;
  /** @default 'account' and a number */
  readonly username?: string;
}

/** An account that was added: its ids, as `account` has them, and its login-mode token. */
export type AddedAccount = Pick<SandboxAccount, 'id' | 'userId' | 'username' | 'token'>;

/** Additions appear at once, and cause neither an effect nor an event; `happen` causes events. */
interface AddOptions {
  /** When it was made, milliseconds since 1970. @default now */
  readonly at?: number;
}

export interface AddPostOptions extends AddOptions {
  readonly pageId: string;
  readonly message: string;
  /** The visitor's name. @default the Page itself */
  readonly by?: string;
  /** Somebody wrote it elsewhere, and tagged the Page in it. @default false */
  readonly tagged?: boolean;
}

export interface AddCommentOptions extends AddOptions {
  /** Id of the post, media or comment. */
  readonly on: string;
  readonly message: string;
  /** The person's name, or username. */
  readonly by?: string;
}

export interface AddMediaOptions extends AddOptions {
  /** The username of a person, or of an account of the sandbox. @default the seeded account; in `happen`, `wim` */
  readonly by?: string;
  /** Its hashtags are found by their search, and accounts that it mentions (`@harbour`) are mentioned. */
  readonly caption?: string;
  /** Usernames of the accounts that are tagged in it. */
  readonly tags?: readonly string[];
  /** Usernames of the accounts that are invited to be its collaborators. */
  readonly invites?: readonly string[];
  /** @default 0 */
  readonly likes?: number;
}

export interface AddLeadOptions extends AddOptions {
  readonly formId: string;
  /** By the keys of the questions. */
  readonly answers?: Readonly<Record<string, string>>;
}

export interface SandboxPage {
  readonly id: string;
  readonly name: string;
  /** Page token with all scopes, no expiry. */
  readonly token: string;
  readonly picsId?: string;
  readonly picsUsername?: string;
  /** Published posts, newest first. */
  readonly postIds: readonly string[];
  /** Top-level comments of the first post, newest first. */
  readonly commentIds: readonly string[];
  readonly formIds: readonly string[];
  /** Leads of the form with the id `formIds[0]`, newest first. */
  readonly leadIds: readonly string[];
  readonly adId?: string;
  /** Its conversations, newest first; those of the first Page only. */
  readonly conversationIds: readonly string[];
  /** People who wrote to the Page. */
  readonly contacts: readonly SandboxPageContact[];
}

/** A person who wrote to a Page. */
export interface SandboxPageContact {
  readonly id: string;
  readonly name: string;
  /** Whether the profile can be read. */
  readonly consent: boolean;
  /** Wrote in the last 24 hours before the sandbox was made, so that the Page may reply. */
  readonly inWindow: boolean;
  readonly conversationId: string | undefined;
}

export interface SandboxAccount {
  /** App-scoped id. */
  readonly id: string;
  /** The 17-digit professional id: `picsId` of the first Page. */
  readonly userId: string;
  readonly username: string;
  /** Login-mode token with all scopes. */
  readonly token: string;
  /** Newest first: an image, a carousel of three, a reel, two more images. */
  readonly mediaIds: readonly string[];
  /** Items of the carousel. */
  readonly carouselItemIds: readonly string[];
  /** Stories of the last 24 hours, newest first; the older one has fewer than 5 viewers. */
  readonly storyIds: readonly string[];
  /** Top-level comments of the newest media, newest first; the last one has a reply. */
  readonly commentIds: readonly string[];
  readonly replyId: string;
  /** Newest first; the first one has 25 messages. */
  readonly conversationIds: readonly string[];
  readonly contacts: readonly SandboxContact[];
  /** Id of a contact that left the platform. */
  readonly goneContactId: string;
}

/** A person who wrote to the account, or only commented. */
export interface SandboxContact {
  readonly id: string;
  readonly username: string;
  /** Whether the profile can be read. */
  readonly consent: boolean;
  /** Wrote in the last 24 hours before the sandbox was made, so that the account may reply. */
  readonly inWindow: boolean;
  /** `undefined`: never wrote. */
  readonly conversationId: string | undefined;
}

/** The part of a video that the upload host holds. */
export interface SandboxUpload {
  readonly videoId: string;
  readonly bytes: number;
  readonly fileSize: number | undefined;
  /** Checksum of the bytes held; `undefined` in browsers, which cannot compute it bit by bit. */
  readonly sha256: string | undefined;
  /** Every transfer that was accepted: where it began, and how many bytes arrived. */
  readonly transfers: readonly { readonly offset: number; readonly bytes: number }[];
  readonly fileUrl: string | undefined;
}

export interface Sandbox {
  /** Sends requests to the sandbox, for a context's `fetch`. Any other address is unreachable. */
  readonly fetch: Fetch;
  /** The sandbox's addresses, for a context's `platform`. */
  readonly platform: Platform;
  readonly app: { readonly id: string; readonly secret: string; readonly configId: string };
  /** The login-mode app of the photo-sharing platform. */
  readonly picsApp: { readonly id: string; readonly secret: string };
  /** A person who manages the Pages; the token is long-lived and has all scopes. */
  readonly user: SandboxUser;
  readonly pages: readonly SandboxPage[];
  /** The professional account linked to the first Page, as login mode sees it. */
  readonly account: SandboxAccount;
  /** The sandbox clock, milliseconds since 1970. */
  readonly now: () => number;
  /** For a context's `clock`: waits take no real time, and advance the sandbox clock instead. */
  readonly clock: Clock;
  /** Moves the sandbox clock forward. */
  readonly advance: (ms: number) => void;
  /** Decides a login dialog, and returns the callback address. Rejects where the dialog shows an error. */
  readonly authorize: (loginUrl: string, decision?: Decision) => Promise<URL>;
  /** Adds a fault. The returned function removes it. */
  readonly fault: (rule: FaultRule) => () => void;
  /**
   * Begins a scenario that was observed on the live platform, on top of the effects of `fault` and `tune`. The returned
   * function ends it.
   */
  readonly scenario: (name: ScenarioName) => () => void;
  /** What writes have changed, oldest first. */
  readonly effects: (kind?: EffectKind) => readonly Effect[];
  /** The requests, oldest first: at least the newest 10,000, of fewer than 16 MiB in all. */
  readonly requests: readonly RequestLog[];
  /** The usage of the limits in the option `quotas`. */
  readonly quotas: readonly SandboxQuota[];
  /** Changes how the platform behaves from now on. */
  readonly tune: (patch: TuningPatch) => void;
  /**
   * Lets a person act: comment, answer a lead form, write, tap a button, react, read. Returns the id of what was made:
   * the post, comment, lead, message (also of `postback` and `aiAnswer`) or media; of `reaction` and `read` the message's,
   * of `leadUpdate` the lead's, of `collaboration` and `agent` that in `on`, and of `integrity` the Page's. `deliver` then
   * sends the event.
   */
  readonly happen: (act: SandboxAct) => string;
  /** Lets a customer write to the account or the Page. Returns the id of the message. */
  readonly receiveMessage: (message: ReceivedMessage) => string;
  /**
   * Delivers the events since the last delivery, including the app's own actions, to a handler or an address. As on the
   * live platform, only events that a Page or account is subscribed to are delivered; and what no response with a 2xx
   * took in all `attempts` is delivered again at the next call, with the time of the first, for 36 hours.
   */
  readonly deliver: (to: DeliveryTarget, options?: DeliverOptions) => Promise<readonly SandboxDelivery[]>;
  /**
   * Lets a person remove the app, which ends the person's tokens, and sends the `signed_request` of the deauthorization
   * or of the data deletion to a handler or an address.
   */
  readonly callBack: (
    kind: 'deauthorize' | 'deletion',
    to: DeliveryTarget,
    options?: CallBackOptions,
  ) => Promise<SandboxCallback>;
  /** The part of a video that the upload host holds, by the id of the video, or of the container it fills. */
  readonly upload: (videoId: string) => SandboxUpload | undefined;
  /** A user token (or, with `pageId`, a Page token) with these scopes only. */
  readonly issueToken: (options?: IssueTokenOptions) => string;
  /** Adds a person, with a long-lived token that has all scopes. */
  readonly addUser: (options?: { readonly name?: string }) => SandboxUser;
  /** Adds a Page with a lead form and nothing else. */
  readonly addPage: (options?: AddPageOptions) => SandboxPage;
  /** Adds a professional account without content, and links it to a Page that has none. */
  readonly addAccount: (options: AddAccountOptions) => AddedAccount;
  /** Adds a post to a Page: the Page's own, or with `by` a visitor's. Returns its id, as `posts` and `feed` list it. */
  readonly addPost: (options: AddPostOptions) => string;
  /** Adds a comment to a post, to media, or to a comment of either. Returns its id, as `comments` and `replies` list it. */
  readonly addComment: (options: AddCommentOptions) => string;
  /** Adds an image to the seeded account, or with `by` to another one or to a person. Returns its id, as `media` lists it. */
  readonly addMedia: (options?: AddMediaOptions) => string;
  /** Adds the answers of a person to a lead form. Returns the id of the lead, as `leads` lists it. */
  readonly addLead: (options: AddLeadOptions) => string;
  /** Invalidates a token. Calls with it are refused with 190 and the subcode of the reason. @default 'expired' */
  readonly killToken: (token: string, reason?: TokenDeath) => void;
  /** Drops the connections of requests in progress and of all later ones. */
  readonly close: () => void;
  /**
   * Adds addresses, for a server in front of the sandbox. The returned function responds or rejects as `fetch` does.
   */
  readonly serveAt: (platform: Platform) => (request: Request) => Promise<Response>;
}

/** A person's decision in a login dialog. */
export interface Decision {
  /** Cancels. @default false */
  readonly deny?: boolean;
  /** Scopes that the person grants. @default all that are requested */
  readonly scopes?: readonly string[];
  /** Id of the person, or in login mode of the account. @default the seeded one */
  readonly as?: string;
}

export interface IssueTokenOptions {
  /** @default 'page' with a `pageId`, else 'user' */
  readonly kind?: 'user' | 'page' | 'pics';
  /** The person who granted it. @default the seeded user */
  readonly userId?: string;
  /** The Page of a Page token. @default the first one */
  readonly pageId?: string;
  /** @default all */
  readonly scopes?: readonly string[];
  /**
   * Pages and accounts that single scopes are limited to, those that the person ticked in the dialog. A scope that is
   * not named holds for all of them.
   */
  readonly granularScopes?: readonly { readonly scope: string; readonly target_ids: readonly string[] }[];
  /** What the person may do on their Pages, such as `MODERATE`. @default everything */
  readonly tasks?: readonly string[];
  /** Milliseconds until the token expires. @default 60 days; a Page token does not expire */
  readonly expiresInMs?: number;
  /** Milliseconds until the data access ends; 0 if it has ended. @default 90 days */
  readonly dataAccessExpiresInMs?: number;
}

/**
 * Why a token died: it expired, or the person removed the app, changed the password, must log in, or lost the role.
 */
export type TokenDeath = 'expired' | 'revoked' | 'password' | 'checkpoint' | 'role';

/** Where to deliver to: a handler, such as `createWebhookHandler` makes, or an address. */
export type DeliveryTarget = ((request: Request) => Promise<Response>) | string;

export interface DeliverOptions {
  /** Events in one request, 1 to 1,000. @default 1000 */
  readonly batch?: number;
  /** How often a request is sent until it gets a 2xx response; the live platform retries for 36 hours. @default 3 */
  readonly attempts?: number;
  /** Sends each request again after its 2xx response. @default false */
  readonly duplicates?: boolean;
  /** Sends the newest events first. @default false */
  readonly reorder?: boolean;
  /** Secret to sign with. @default the secret of the app whose platform it is */
  readonly secret?: string;
  /**
   * How events of conversations come: in `messaging`, in `changes` as the dashboard's test button sends them, or each as
   * its `entry` itself, as some do in login mode, where changes of accounts come so too.
   * @default 'messaging'
   */
  readonly form?: 'messaging' | 'changes' | 'entry';
}

/** One request, and its responses. */
export interface SandboxDelivery {
  readonly body: string;
  /** The value of `X-Hub-Signature-256`. */
  readonly signature: string;
  /** The status of the response to each attempt; `undefined` without one. With `duplicates`, the last one is the duplicate's. */
  readonly statuses: readonly (number | undefined)[];
}

export interface CallBackOptions {
  /** Id of the person, or in login mode of the account. @default the seeded person */
  readonly userId?: string;
  /** Secret to sign with. @default the secret of the app that the person removes */
  readonly secret?: string;
}

/** A request with a `signed_request`, and the response to it; `undefined` without one. */
export interface SandboxCallback {
  readonly signedRequest: string;
  readonly status: number | undefined;
  readonly body: string | undefined;
}

/** Something that a person does on the platform. */
export type SandboxAct =
  /** Writes on a Page, or elsewhere with a tag of the Page. */
  | ({ readonly kind: 'post' } & Omit<AddPostOptions, 'at'>)
  /** Comments on a post of a Page or on a media, or replies to a comment on it. */
  | ({ readonly kind: 'comment' } & Omit<AddCommentOptions, 'at'>)
  /** Answers a lead form. The names of the answers are those of the form. */
  | { readonly kind: 'lead'; readonly formId: string; readonly answers?: Readonly<Record<string, string>> }
  /** The platform's own agent changes what is known of a lead. Without the other members, it is as in the platform's sample. */
  | {
      readonly kind: 'leadUpdate';
      readonly leadId: string;
      readonly area?: string;
      readonly event?: string;
      readonly updatedFields?: readonly string[];
    }
  /** Writes to the account or the Page. A contact that never wrote begins a conversation. */
  | ({ readonly kind: 'message' } & ReceivedMessage)
  /** Taps a button of a template, which sends its payload. */
  | {
      readonly kind: 'postback';
      readonly contactId: string;
      readonly payload: string;
      readonly title?: string;
    }
  /** Reacts to a message with a heart, or removes the reaction. */
  | { readonly kind: 'reaction'; readonly messageId: string; readonly undo?: boolean }
  /** Publishes an image, which may mention accounts, tag them, or invite them to collaborate. */
  | ({ readonly kind: 'media' } & Omit<AddMediaOptions, 'at'>)
  /** Accepts or declines to be a collaborator of a Page's Reel or an account's media. `by` is the id or username that was invited. */
  | { readonly kind: 'collaboration'; readonly on: string; readonly by: string; readonly accept: boolean }
  /** Reads the messages of the account or the Page up to this one. */
  | { readonly kind: 'read'; readonly messageId: string }
  /** The platform's own AI answers a person in the inbox. */
  | { readonly kind: 'aiAnswer'; readonly contactId: string; readonly text: string }
  /** The platform itself judges a Page. The lists have the platform's names. */
  | {
      readonly kind: 'integrity';
      readonly pageId: string;
      readonly status: 'ok' | 'warning' | 'restricted' | 'suspended';
      readonly violations?: readonly Readonly<Record<string, unknown>>[];
      readonly restrictions?: readonly Readonly<Record<string, unknown>>[];
      readonly action_events?: readonly Readonly<Record<string, unknown>>[];
    }
  /**
   * The platform's own AI agent does something for a Page or an account. What the event holds is yours to say: the
   * platform does not document it.
   */
  | {
      readonly kind: 'agent';
      readonly on: string;
      /** Accounts have `agent_messages` only. */
      readonly field: 'agent_messages' | 'agent_questions';
      readonly value: Readonly<Record<string, unknown>>;
    };

/** A message from a person: a text, files, or both. The person is a contact, or new `to` this inbox. */
export type ReceivedMessage = ReceivedContent &
  (
    | { readonly contactId: string }
    | {
        /** The account, or the Page. */
        readonly to: string;
        /** The person's name. @default 'Wim Prins', 'wim' */
        readonly by?: string;
      }
  );

/** A file; a story that the person shares, or that mentions the account; or an appointment with the Page. */
type ReceivedAttachment =
  | {
      readonly type: 'image' | 'video' | 'audio' | 'file' | 'ig_story' | 'story_mention';
      readonly url: string;
    }
  | { readonly type: 'appointment_booking' };

interface ReceivedContent {
  readonly text?: string;
  readonly attachments?: readonly ReceivedAttachment[];
  /** The payload of the quick reply that was tapped. */
  readonly quickReply?: string;
  /** The message that it replies to. */
  readonly replyTo?: string;
}
