import type { AddCommentOptions, AddMediaOptions, AddPostOptions } from '../types.ts';

/** Something that webhooks report. */
export interface Happening {
  readonly object: 'page' | 'instagram';
  /** The Page or account that it happened to. */
  readonly accountId: string;
  /** The field that a Page has to be subscribed to. */
  readonly field:
    | 'feed'
    | 'leadgen'
    | 'comments'
    | 'mentions'
    | 'messages'
    | 'message_echoes'
    | 'message_reactions'
    | 'message_reads'
    | 'messaging_postbacks';
  /** Whether it is a change of a field, not an event in a conversation. */
  readonly isChange: boolean;
  /** The value of the change, or the item of the conversation. */
  readonly item: object;
}

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
  | {
      readonly kind: 'collaboration';
      readonly on: string;
      readonly by: string;
      readonly accept: boolean;
    }
  /** Reads the messages of the account or the Page up to this one. */
  | { readonly kind: 'read'; readonly messageId: string };

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

interface ReceivedContent {
  readonly text?: string;
  readonly attachments?: readonly {
    readonly type: 'image' | 'video' | 'audio' | 'file';
    readonly url: string;
  }[];
  /** The payload of the quick reply that was tapped. */
  readonly quickReply?: string;
  /** The message that it replies to. */
  readonly replyTo?: string;
}
