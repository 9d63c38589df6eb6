import type {
  AccountLinkingData,
  CommentsData,
  DeliveryData,
  FeedData,
  LeadgenData,
  MentionData,
  MentionsData,
  MessageData,
  MessageEditData,
  OptinData,
  PolicyEnforcementData,
  PostbackData,
  RatingsData,
  ReactionData,
  ReadData,
  ReferralData,
  StoryInsightsData,
  ThreadControlData,
} from './data.ts';

/** What all events have. */
interface EventBase {
  /** The Page or account that it happened to; in page mode, the photo-sharing platform may name the Page. */
  readonly accountId: string;
  /** When the platform sent it; at a second attempt that may be another time. */
  readonly sentAt: Date | undefined;
  /** When it happened, where the event says so itself. */
  readonly at: Date | undefined;
  /** The field or key that the delivery has it under: its type, unless that is `unknown`. Empty where there is none. */
  readonly field: string;
  /**
   * The same for the same event delivered again, and another one for another event: short ASCII, for a list of what
   * was handled already. An event without `data` has nothing to tell it from the next one of its kind.
   */
  readonly key: string;
  /** Another app has the conversation; this one only listens. */
  readonly standby: boolean;
  /** The item of the delivery, as it came. */
  readonly raw: unknown;
}

interface ChangeEvent<TType, TClient, TData> extends EventBase {
  readonly type: TType;
  readonly client: TClient;
  readonly data: TData;
}

interface MessagingEvent<TType, TData> extends ChangeEvent<TType, 'page' | 'pics', TData> {
  /** Who did it: a person, by the id that they have for this account; in an echo, the account. */
  readonly senderId: string | undefined;
  readonly recipientId: string | undefined;
}

/** Fields of a Page, and the data of their events. */
export interface PageFields {
  readonly feed: FeedData;
  readonly leadgen: LeadgenData;
  readonly mention: MentionData;
  readonly ratings: RatingsData;
}

/** Fields of a photo-sharing account, and the data of their events. */
export interface PicsFields {
  readonly comments: CommentsData;
  readonly live_comments: CommentsData;
  readonly mentions: MentionsData;
  readonly story_insights: StoryInsightsData;
}

/** What happens in conversations, of both platforms. */
export interface MessagingKeys {
  readonly message: MessageData;
  readonly reaction: ReactionData;
  readonly postback: PostbackData;
  readonly referral: ReferralData;
  readonly read: ReadData;
  readonly delivery: DeliveryData;
  readonly message_edit: MessageEditData;
  readonly optin: OptinData;
  readonly account_linking: AccountLinkingData;
  readonly pass_thread_control: ThreadControlData;
  readonly take_thread_control: ThreadControlData;
  readonly request_thread_control: ThreadControlData;
  readonly 'policy-enforcement': PolicyEnforcementData;
}

/** An event of another kind, or one whose data is not as documented. Nothing of it is lost. */
export interface UnknownEvent extends EventBase {
  readonly type: 'unknown';
  /** `undefined` for an object that is neither a Page nor a photo-sharing account. */
  readonly client: 'page' | 'pics' | undefined;
  readonly data: unknown;
  /** Of a messaging event only. */
  readonly senderId?: string | undefined;
  readonly recipientId?: string | undefined;
}

/** Something that happened. `switch (event.type)` types `event.data`. */
export type WebhookEvent =
  | { readonly [TType in keyof PageFields]: ChangeEvent<TType, 'page', PageFields[TType]> }[keyof PageFields]
  | { readonly [TType in keyof PicsFields]: ChangeEvent<TType, 'pics', PicsFields[TType]> }[keyof PicsFields]
  | {
      readonly [TType in keyof MessagingKeys]: MessagingEvent<TType, MessagingKeys[TType]>;
    }[keyof MessagingKeys]
  | UnknownEvent;

/** The event of a type: `EventOf<'message'>`. */
export type EventOf<TType extends WebhookEvent['type']> = Extract<WebhookEvent, { readonly type: TType }>;

/** What one request brought: events in their order, of one or more accounts. */
export interface Delivery {
  /** What the events are about: a Page, a photo-sharing account, or another kind of thing. */
  readonly object: string;
  readonly events: readonly WebhookEvent[];
}
