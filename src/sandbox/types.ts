import type { Fetch } from '../core/http/types.ts';
import type { Platform } from '../core/platform.ts';

/** The hosts of the platform, as fault rules and the request log name them. Both login dialogs are `dialog`. */
export type HostKind = 'graph' | 'picsGraph' | 'upload' | 'dialog' | 'picsToken';

export interface SandboxOptions {
  /** Milliseconds since 1970 that the sandbox clock starts from and follows. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Seed of the random generator: equal seeds give equal runs. @default 1 */
  readonly seed?: number | undefined;
  /** Whether calls to the page graph need the right `appsecret_proof`. @default true */
  readonly requireProof?: boolean | undefined;
  /** Seeded Pages; the second one has no linked account. At least 3. @default 3 */
  readonly pages?: number | undefined;
  /** Published posts seeded on each of the first three Pages. @default 6 */
  readonly posts?: number | undefined;
  /** Top-level comments seeded on the first post of each of those Pages; each third one has a reply. @default 5 */
  readonly comments?: number | undefined;
  /** Leads seeded in the first form of each of those Pages. @default 4 */
  readonly leads?: number | undefined;
}

/** A change that a write really made. */
export interface Effect {
  readonly kind: string;
  /** Id of what was made, or of what was changed. */
  readonly id: string;
  /** Sandbox clock, milliseconds. */
  readonly at: number;
  /** What it was made in: a Page, a post, a comment, an account, a conversation. */
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
  /** A JSON body. */
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** Sandbox clock, milliseconds. */
  readonly at: number;
  /** Status answered; undefined while under way and when the connection was lost. */
  readonly status: number | undefined;
  readonly faulted: boolean;
}

/** An error envelope to answer with; what is left out is filled in. */
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
  /** Matching requests to let through first. @default 0 */
  readonly skip?: number;
  /** Requests to hit. @default 1 */
  readonly times?: number;
  /** Chance of hitting, 0 to 1, drawn from the seeded generator. @default 1 */
  readonly chance?: number;
  /** Whether the fault strikes before or after the request took effect. `truncate` and `addHeaders` always come after. @default 'before' */
  readonly when?: 'before' | 'after';
}

export type FaultAction =
  | {
      readonly status: number;
      readonly body?: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly error: FaultError;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is lost. */
  | { readonly drop: true }
  /** No answer ever comes. */
  | { readonly hang: true }
  /** Headers and this many bytes of the real answer, then the connection is reset. */
  | { readonly truncate: number }
  /** The upload host takes and keeps this many bytes of the body, then resets. */
  | { readonly cutUpload: number }
  /** The answer comes late, by real time. */
  | { readonly delayMs: number }
  /** The real answer with more headers. */
  | { readonly addHeaders: Readonly<Record<string, string>> };

export type FaultRule = FaultMatch & FaultAction;

/** How the platform behaves. `tune` changes parts of it; what is not named stays as it is. */
export interface Tuning {
  readonly containers: {
    /** From the making of a container to FINISHED. Images too. @default 0 */
    readonly processingMs: number;
    /** Containers made from now on end in ERROR. */
    readonly fail: { readonly subcode: number; readonly text: string } | undefined;
    /** So many `media_publish` calls are refused with 9007/2207027 although the container is ready. @default 0 */
    readonly notReadyOnPublish: number;
  };
  readonly videos: {
    /** From the last byte to `uploading_phase: complete`. @default 0 */
    readonly settleMs: number;
    /** From there to `processing_phase: complete`. @default 0 */
    readonly processingMs: number;
    /** Videos fail in this phase. */
    readonly failAt: 'uploading' | 'processing' | undefined;
    /** The failure's text. */
    readonly text: string;
    /** The documented low-resolution failure: upload complete, processing not started, an `error` inside. @default false */
    readonly lowQuality: boolean;
    /** Other spellings seen: `completed`, `bytes_transferred`, `errors`. @default false */
    readonly variantSpelling: boolean;
    /** Size of a file fetched from `file_url`. @default 1_000_000 */
    readonly hostedBytes: number;
    /** The fetch of `file_url` fails with this text. */
    readonly hostedFailure: string | undefined;
  };
  readonly lists: {
    /** New entries appear in lists only after this long. @default 0 */
    readonly lagMs: number;
    /** The second page of a walk is empty, the third short, and so on, with `next` all the same. @default false */
    readonly sparse: boolean;
  };
  readonly metrics: {
    /** Further metrics that are gone: asking for one of them fails the whole call. */
    readonly retired: readonly string[];
  };
  readonly writes: {
    /** A write whose answer a fault takes away lands only this much later. @default 0 */
    readonly landAfterMs: number;
  };
  readonly pics: {
    /** `config.quota_total`: publications that `media_publish` takes in 24 hours. @default 100 */
    readonly quotaTotal: number;
    /** Followers of the account; demographics need 100. @default 1280 */
    readonly followers: number;
    /** Login mode answers its profile and short-lived tokens inside `{ data: [...] }`, as some of its manual shows. @default false */
    readonly wrapped: boolean;
    /** Login mode shows the account in conversations by its app-scoped id. @default false */
    readonly scopedParticipants: boolean;
    /** Insights metrics that are refused from now on, besides the retired ones. @default [] */
    readonly retiredMetrics: readonly string[];
  };
}

export type TuningPatch = { readonly [K in keyof Tuning]?: Partial<Tuning[K]> };

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
  /** Leads of the first form, newest first. */
  readonly leadIds: readonly string[];
  readonly adId?: string;
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
  /** Live stories, newest first; the older one has fewer than 5 viewers. */
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

/** Somebody who wrote to the account, or commented only. */
export interface SandboxContact {
  readonly id: string;
  readonly username: string;
  /** The profile may be read. */
  readonly consent: boolean;
  /** Wrote within 24 hours before the sandbox was made, so that the account may answer. */
  readonly inWindow: boolean;
  /** Undefined: never wrote. */
  readonly conversationId: string | undefined;
}

/** What the upload host holds of a video. */
export interface SandboxUpload {
  readonly videoId: string;
  readonly bytes: number;
  readonly fileSize: number | undefined;
  /** Checksum of the bytes held. */
  readonly sha256: string;
  /** Every transfer that was let in: where it began and how many bytes arrived. */
  readonly transfers: readonly { readonly offset: number; readonly bytes: number }[];
  readonly fileUrl: string | undefined;
}

export interface Sandbox {
  /** The only way in. */
  readonly fetch: Fetch;
  /** Addresses that `fetch` answers at. */
  readonly platform: Platform;
  readonly app: { readonly id: string; readonly secret: string; readonly configId: string };
  /** The login-mode app of the photo-sharing platform. */
  readonly picsApp: { readonly id: string; readonly secret: string };
  /** A person who manages the Pages; the token is long-lived and has all scopes. */
  readonly user: { readonly id: string; readonly name: string; readonly token: string };
  readonly pages: readonly SandboxPage[];
  /** The professional account linked to the first Page, as login mode sees it. */
  readonly account: SandboxAccount;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** The address that a browser would be sent back to by a login dialog. Rejects where the dialog shows an error. */
  readonly authorize: (
    loginUrl: string,
    options?: { readonly deny?: boolean; readonly scopes?: readonly string[] },
  ) => Promise<URL>;
  /** Adds a fault; the answer removes it again. */
  readonly fault: (rule: FaultRule) => () => void;
  readonly effects: (kind?: string) => readonly Effect[];
  readonly requests: readonly RequestLog[];
  readonly tune: (patch: TuningPatch) => void;
  readonly upload: (videoId: string) => SandboxUpload | undefined;
  /** A user token (or, with `pageId`, a Page token) of the seeded user with these scopes only. */
  readonly issueToken: (options?: IssueTokenOptions) => string;
  /** Makes a token die: expired by default. Calls with it answer 190 with the reason's subcode. */
  readonly killToken: (token: string, reason?: TokenDeath) => void;
  /** The sandbox at other addresses, for a server in front of it: answers, or rejects, as `fetch` does. */
  readonly serveAt: (platform: Platform) => (request: Request) => Promise<Response>;
}

export interface IssueTokenOptions {
  readonly kind?: 'user' | 'page' | 'pics';
  /** The Page of a Page token. @default the first one */
  readonly pageId?: string;
  /** @default all */
  readonly scopes?: readonly string[];
  /** Life of the token. @default 60 days; a Page token has no end */
  readonly expiresInMs?: number;
}

export type TokenDeath = 'expired' | 'revoked' | 'password' | 'checkpoint';
