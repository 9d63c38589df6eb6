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

/** The members that all events have. */
interface EventBase {
  /** The Page or account that it happened to; in page mode, the photo-sharing platform may name the Page. */
  readonly accountId: string;
  /** When the platform sent it. A second delivery may have another time. */
  readonly sentAt: Date | undefined;
  /** When it happened, if the event says so. */
  readonly at: Date | undefined;
  /** The field or key in the delivery: the `type`, unless that is `unknown`. Empty if there is none. */
  readonly field: string;
  /**
   * Equal for the same event delivered again, and different for another event. It is short ASCII: store it for each
   * handled event. An event without `data` looks the same as the next one of its kind.
   */
  readonly key: string;
  /** Whether another app controls the conversation, and this one only listens. */
  readonly standby: boolean;
  /** The item of the delivery, as the platform sent it. */
  readonly raw: unknown;
}

interface ChangeEvent<TType, TClient, TData> extends EventBase {
  readonly type: TType;
  readonly client: TClient;
  readonly data: TData;
}

interface MessagingEvent<TType, TData> extends ChangeEvent<TType, 'page' | 'pics', TData> {
  /** The sender: a person, by the id for this account; in an echo, the account. */
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

/** Events of conversations on both platforms. */
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

/** An event of another kind, or one whose data is not as documented. `data` and `raw` hold all of it. */
export interface UnknownEvent extends EventBase {
  readonly type: 'unknown';
  /** `undefined` for an object that is neither a Page nor a photo-sharing account. */
  readonly client: 'page' | 'pics' | undefined;
  readonly data: unknown;
  /** In messaging events only. */
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

/** The events of one request, in order, of one or more accounts. */
export interface Delivery {
  /** The platform's name for the object: a Page, a photo-sharing account, or another kind. */
  readonly object: string;
  readonly events: readonly WebhookEvent[];
}
