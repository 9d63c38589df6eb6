/** The members that all events have. */
interface EventBase {
  /** The Page or account that it happened to; in page mode, the photo-sharing platform may name the Page. */
  readonly accountId: string;
  /** When the platform sent it: the `time` of its entry. */
  readonly sentAt: Date | undefined;
  /** When it happened, if the event says so. */
  readonly at: Date | undefined;
  /**
   * The field or key in the delivery: the `type`, unless that is `unknown`, or it came among the changes, as `messages`
   * for a `message`. Empty if there is none.
   */
  readonly field: string;
  /**
   * Equal for the same event delivered again, and different for another event. It is short ASCII: store it for each
   * handled event. If the event does not say when it happened, as what is hidden, shown and hidden again does not, the key
   * has `sentAt` too, and how many equal events came before in the delivery.
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
  readonly leadgen_update: LeadgenUpdateData;
  readonly mention: MentionData;
  readonly ratings: RatingsData;
  readonly business_integrity: BusinessIntegrityData;
  readonly message_template_status_update: MessageTemplateStatusData;
  readonly agent_messages: AgentData;
  readonly agent_questions: AgentData;
}

/** Fields of a photo-sharing account, and the data of their events. */
export interface PicsFields {
  readonly comments: CommentsData;
  readonly live_comments: CommentsData;
  readonly mentions: MentionsData;
  readonly story_insights: StoryInsightsData;
  readonly agent_messages: AgentData;
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

/** Data of an event, which can have further members. */
interface OpenData {
  readonly [member: string]: unknown;
}

/** The author of something on a Page. */
export interface WebhookAuthor {
  readonly id: string;
  readonly name?: string | undefined;
}

/** A change on a Page. Its members depend on `item` and `verb`, which can have new values. */
export interface FeedData extends OpenData {
  /** Such as `post`, `comment`, `status`, `photo`, `video`, `share`, `reaction`, `album`, `event`. */
  readonly item?: string | undefined;
  /** Such as `add`, `edited`, `remove`, `hide`, `unhide`. */
  readonly verb?: string | undefined;
  /** Absent if the app may not see it, and in old forms, which have `sender_id`. */
  readonly from?: WebhookAuthor | undefined;
  readonly sender_id?: string | undefined;
  readonly sender_name?: string | undefined;
  readonly post_id?: string | undefined;
  readonly comment_id?: string | undefined;
  /** For a comment on the post, the `post_id`; for a reply, the comment that it replies to. */
  readonly parent_id?: string | undefined;
  readonly message?: string | undefined;
  readonly link?: string | undefined;
  /** Such as `like`, `love`, `haha`, `wow`, `sad`, `angry`, `care`. */
  readonly reaction_type?: string | undefined;
  readonly photo_id?: string | undefined;
  readonly photo_ids?: readonly string[] | undefined;
  /** Addresses of the pictures of a post. */
  readonly photos?: readonly string[] | undefined;
  readonly video_id?: string | undefined;
  readonly share_id?: string | undefined;
  readonly album_id?: string | undefined;
  readonly event_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly recipient_id?: string | undefined;
  /** Seconds since 1970. */
  readonly created_time?: number | undefined;
}

/**
 * Something of the platform's own AI agent. The platform names the fields, and does not document what they hold: all of
 * it is here as it was sent, unverified.
 */
export type AgentData = OpenData;

/** A person answered a lead form. Pass `leadgen_id` to `lead` for the answers. */
export interface LeadgenData extends OpenData {
  readonly leadgen_id: string;
  readonly page_id?: string | undefined;
  readonly form_id?: string | undefined;
  /** Absent for a lead without an ad, such as an organic one or a test lead, of which the platform sends 0. */
  readonly ad_id?: string | undefined;
  readonly adgroup_id?: string | undefined;
  /** Seconds since 1970. */
  readonly created_time?: number | undefined;
}

/** What is known of a lead has changed. Pass `leadgen_id` to `lead` for the lead. */
export interface LeadgenUpdateData extends OpenData {
  readonly leadgen_id: string;
  readonly page_id?: string | undefined;
  readonly form_id?: string | undefined;
  /** Absent for a lead without an ad, such as an organic one or a test lead, of which the platform sends 0. */
  readonly ad_id?: string | undefined;
  readonly adgroup_id?: string | undefined;
  /** Seconds since 1970, as a text: the `at` of the event. */
  readonly updated_time?: string | undefined;
  /** Where it changed, such as `ai_agent_updates`. */
  readonly area?: string | undefined;
  /** Such as `qualification_status_change`. */
  readonly event?: string | undefined;
  /** Such as `qualification_status`. */
  readonly updated_fields?: readonly string[] | undefined;
}

/** A post or comment of another Page mentions this one. It does not say who wrote it. */
export interface MentionData extends OpenData {
  /** `post` or `comment`. */
  readonly item?: string | undefined;
  readonly verb?: string | undefined;
  readonly post_id?: string | undefined;
  readonly comment_id?: string | undefined;
  readonly sender_id?: string | undefined;
  readonly message?: string | undefined;
  /** Seconds since 1970. */
  readonly created_time?: number | undefined;
}

/** A recommendation of a Page, or a comment or reaction on one. */
export interface RatingsData extends OpenData {
  /** `rating`, `comment`, `like` or `reaction`. */
  readonly item?: string | undefined;
  readonly verb?: string | undefined;
  /** 1 to 5, in old forms. */
  readonly rating?: number | undefined;
  readonly review_text?: string | undefined;
  /** `POSITIVE` or `NEGATIVE`. */
  readonly recommendation_type?: string | undefined;
  readonly reviewer_id?: string | undefined;
  readonly reviewer_name?: string | undefined;
  readonly open_graph_story_id?: string | undefined;
  readonly comment_id?: string | undefined;
  /** Seconds since 1970. */
  readonly created_time?: number | undefined;
}

/**
 * The platform judged the Page: what has changed since the last event. `pageStatus` reads the whole state. No live
 * event is known.
 */
export interface BusinessIntegrityData extends OpenData {
  /** `ok`, `warning`, `restricted` or `suspended`. It can be `ok` while a restriction begins. */
  readonly status?: string | undefined;
  readonly violations?: readonly IntegrityViolation[] | undefined;
  readonly restrictions?: readonly IntegrityRestriction[] | undefined;
  /** The response to an appeal, for example. `pageStatus` calls them `actions_events`. */
  readonly action_events?: readonly IntegrityAction[] | undefined;
}

export interface IntegrityViolation extends OpenData {
  /** Such as `SPAM`. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** Some samples call it `link`. */
  readonly url?: string | undefined;
}

export interface IntegrityRestriction extends OpenData {
  /** Such as `page_publish` or `page_messaging_api`. */
  readonly feature?: string | undefined;
  /** `RESTRICTED` or `UNRESTRICTED`. */
  readonly status?: string | undefined;
  readonly description?: string | undefined;
  /** Seconds since 1970, like `expiration_time`. */
  readonly applied_time?: number | undefined;
  readonly expiration_time?: number | undefined;
}

export interface IntegrityAction extends OpenData {
  /** Such as `FILE_APPEAL`. */
  readonly type?: string | undefined;
  /** `OPEN` or `CLOSED`. */
  readonly status?: string | undefined;
}

/**
 * The platform decided about a message template. The names are those of the sister platform's event: no live event of a
 * Page is known.
 */
export interface MessageTemplateStatusData extends OpenData {
  /** Such as `APPROVED`, `REJECTED`, `PAUSED` or `DISABLED`. */
  readonly event?: string | undefined;
  readonly message_template_id?: string | undefined;
  readonly message_template_name?: string | undefined;
  readonly message_template_language?: string | undefined;
  readonly reason?: string | undefined;
}

/** A comment on media, or on a live video. */
export interface CommentsData extends OpenData {
  /** The comment, also if the platform calls it `comment_id`. */
  readonly id: string;
  readonly text?: string | undefined;
  readonly from?: WebhookCommenter | undefined;
  readonly media?: WebhookMedia | undefined;
  /** The comment that this one replies to. */
  readonly parent_id?: string | undefined;
}

export interface WebhookCommenter {
  readonly id: string;
  readonly username?: string | undefined;
  readonly self_ig_scoped_id?: string | undefined;
}

export interface WebhookMedia {
  readonly id: string;
  /** Such as `FEED`, `REELS`, `LIVE`, `AD`. */
  readonly media_product_type?: string | undefined;
  readonly ad_id?: string | undefined;
  readonly ad_title?: string | undefined;
  readonly original_media_id?: string | undefined;
}

/** A caption, or with `comment_id` a comment, mentions the account. */
export interface MentionsData extends OpenData {
  readonly media_id?: string | undefined;
  readonly comment_id?: string | undefined;
}

/** Metrics of a story, when it ends. Values below 5 are sent as `-1`. */
export interface StoryInsightsData extends OpenData {
  readonly media_id?: string | undefined;
  readonly impressions?: number | undefined;
  readonly reach?: number | undefined;
  readonly taps_forward?: number | undefined;
  readonly taps_back?: number | undefined;
  readonly exits?: number | undefined;
  readonly replies?: number | undefined;
}

/** A message, or an echo of one that the account sent itself. */
export interface MessageData extends OpenData {
  readonly mid: string;
  readonly text?: string | undefined;
  readonly attachments?: readonly WebhookAttachment[] | undefined;
  readonly quick_reply?: { readonly payload?: string | undefined } | undefined;
  readonly reply_to?: WebhookReplyTo | undefined;
  readonly referral?: ReferralData | undefined;
  /** Whether the account sent it, with any app. */
  readonly is_echo?: boolean | undefined;
  /** Whether the account wrote to itself. */
  readonly is_self?: boolean | undefined;
  /** Whether the person deleted the message: only `mid` is then present. */
  readonly is_deleted?: boolean | undefined;
  /** Whether the platform does not show the content. */
  readonly is_unsupported?: boolean | undefined;
  /** The app that sent the message of an echo. */
  readonly app_id?: string | undefined;
  /** The metadata that the app sent with the message of an echo. */
  readonly metadata?: string | undefined;
  /** Whether the platform's own AI wrote the message of an echo. */
  readonly ai_generated?: boolean | undefined;
}

export interface WebhookAttachment extends OpenData {
  /**
   * Such as `image`, `video`, `audio`, `file`, `sticker`, `share`, `ig_post`, `ig_reel`, `ig_story`, `story_mention`,
   * `appointment_booking`, `template`, `fallback`.
   */
  readonly type?: string | undefined;
  readonly payload?: WebhookAttachmentPayload | null | undefined;
}

/** The content of an attachment. What it has depends on the type. */
export interface WebhookAttachmentPayload extends OpenData {
  /** Of a file, a share, a story or a story that mentions the account. It expires soon. */
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  /** Of an `ig_post`. */
  readonly ig_post_media_id?: string | undefined;
  /** Of an `appointment_booking`, like the three after it: unverified, no live event is known. */
  readonly status?: string | undefined;
  readonly start?: string | number | undefined;
  readonly end?: string | number | undefined;
  readonly timezone?: string | undefined;
}

/** What a message replies to: a message, or a story. */
export interface WebhookReplyTo extends OpenData {
  readonly mid?: string | undefined;
  readonly story?: { readonly url?: string | undefined; readonly id?: string | undefined } | undefined;
}

/** A reaction to a message. */
export interface ReactionData extends OpenData {
  readonly mid: string;
  /** `react` or `unreact`. */
  readonly action?: string | undefined;
  /** Such as `love`; absent when it is removed. */
  readonly reaction?: string | undefined;
  readonly emoji?: string | undefined;
}

/** A button, an ice breaker or a menu entry was tapped. */
export interface PostbackData extends OpenData {
  readonly mid?: string | undefined;
  readonly title?: string | undefined;
  readonly payload?: string | undefined;
  readonly referral?: ReferralData | undefined;
}

/** How a person came to the conversation. */
export interface ReferralData extends OpenData {
  readonly ref?: string | undefined;
  /** Such as `ADS` or `SHORTLINK`. */
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  readonly ad_id?: string | undefined;
}

/** The person read a message (`mid`, of the photo-sharing platform), or all messages up to `watermark` (of a Page). */
export interface ReadData extends OpenData {
  readonly mid?: string | undefined;
  /** Milliseconds since 1970. */
  readonly watermark?: number | undefined;
}

/** Messages of a Page were delivered: those of `mids`, and all up to `watermark`. */
export interface DeliveryData extends OpenData {
  readonly mids?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly watermark?: number | undefined;
}

/** A message was changed. */
export interface MessageEditData extends OpenData {
  readonly mid: string;
  readonly text?: string | undefined;
  /** Number of edits so far; some forms have it as a string. */
  readonly num_edit?: number | string | undefined;
}

/** A person agreed to receive messages. */
export interface OptinData extends OpenData {
  readonly type?: string | undefined;
  readonly ref?: string | undefined;
  readonly user_ref?: string | undefined;
}

/** A person linked an account, or removed the link. */
export interface AccountLinkingData extends OpenData {
  /** `linked` or `unlinked`. */
  readonly status?: string | undefined;
  readonly authorization_code?: string | undefined;
}

/** A conversation was passed from one app to another, or an app requests it. */
export interface ThreadControlData extends OpenData {
  readonly new_owner_app_id?: string | undefined;
  readonly previous_owner_app_id?: string | undefined;
  readonly requested_owner_app_id?: string | undefined;
  readonly metadata?: string | undefined;
}

/** The platform warned the Page, blocked it, or unblocked it. */
export interface PolicyEnforcementData extends OpenData {
  /** `block`, `unblock` or `warning`. */
  readonly action?: string | undefined;
  readonly reason?: string | undefined;
}
