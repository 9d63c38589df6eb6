import * as v from 'valibot';

import type { GraphNode, InnerList, Raw, Schema } from './fields.ts';
import * as s from './fields.ts';

/** The profile of a person who wrote to the account or the Page. Further fields of the platform are kept. */
export interface ContactProfile {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** For a person who wrote to a Page. */
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  /** For a person who wrote to a photo-sharing account, like `follower_count` and the fields after it. */
  readonly username?: string | undefined;
  /** Address of the profile picture. It expires within days. */
  readonly profile_pic?: string | undefined;
  readonly follower_count?: number | undefined;
  readonly is_user_follow_business?: boolean | undefined;
  readonly is_business_follow_user?: boolean | undefined;
  readonly is_verified_user?: boolean | undefined;
}

/** A conversation partner, whether or not the profile could be read. */
export interface Contact extends ContactProfile {
  readonly id: string;
  /** Whether the profile could be read. */
  readonly available: boolean;
  /** Why the profile could not be read: the message of the error. */
  readonly reason?: string | undefined;
}

/** Reads a {@link ContactProfile}. */
export const contactProfileSchema: Schema<ContactProfile> = v.pipe(
  s.node({
    id: s.optionalId,
    name: s.text,
    first_name: s.text,
    last_name: s.text,
    username: s.text,
    profile_pic: s.text,
    follower_count: s.number,
    is_user_follow_business: s.flag,
    is_business_follow_user: s.flag,
    is_verified_user: s.flag,
  }),
  v.check(
    // An empty response is not a profile, and neither is a list.
    ({ id, name, username, first_name }) => (id ?? name ?? username ?? first_name) !== undefined,
    'expected a profile',
  ),
);

/** A participant of a conversation. */
export interface Participant {
  readonly id: string;
  /** In a photo-sharing inbox. */
  readonly username?: string | undefined;
  /** In the inbox of a Page. */
  readonly name?: string | undefined;
  /** A second id of the same account, if the platform gives one. */
  readonly user_id?: string | undefined;
}

/** A direct message. */
export interface Message extends GraphNode {
  /** When it was sent, such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly from?: Participant | undefined;
  readonly to?: InnerList<Participant> | undefined;
  /** Its text; empty or absent if it has none. */
  readonly message?: string | undefined;
  /** Address of its sticker. */
  readonly sticker?: string | undefined;
  readonly attachments?: InnerList<MessageAttachment> | undefined;
  /** The story that it replies to or mentions. */
  readonly story?: MessageStory | undefined;
  readonly reactions?: InnerList<MessageReaction> | undefined;
  /** The message that it replies to; absent in lists. */
  readonly reply_to?: RepliedMessage | undefined;
  /** `true` for a message whose kind the API does not support. */
  readonly is_unsupported?: boolean | undefined;
}

/** A file in a message. Its addresses expire within days. */
export interface MessageAttachment {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly mime_type?: string | undefined;
  readonly file_url?: string | undefined;
  readonly image_data?: { readonly url?: string | undefined } | undefined;
  readonly video_data?: { readonly url?: string | undefined } | undefined;
}

/** A story that a message replies to or mentions. */
export interface MessageStory {
  readonly reply_to?: StoryLink | undefined;
  readonly mention?: StoryLink | undefined;
}

/** The address of a story. It expires with the story. */
export interface StoryLink {
  readonly id?: string | undefined;
  readonly link?: string | undefined;
}

/** A message that another one replies to. */
export interface RepliedMessage {
  readonly mid?: string | undefined;
  /** Whether both have the same author. */
  readonly is_self_reply?: boolean | undefined;
}

/** A reaction to a message, with the people who chose it. */
export interface MessageReaction {
  readonly reaction?: string | undefined;
  readonly users?: readonly Participant[] | undefined;
}

/** A message that the platform has accepted. */
export interface SentMessage {
  /**
   * Empty for a private reply that an earlier call under the same key sent, if only the id of the reply was recorded; and
   * for a message to a `userRef`, unless the platform says whose it is.
   */
  readonly recipient_id: string;
  readonly message_id: string;
}

/** Reads a {@link Participant}. */
export const participantSchema: Schema<Participant> = s.node({
  id: s.idSchema,
  username: s.text,
  name: s.text,
  user_id: s.optionalId,
});

const file = s.optionalObject({ url: s.text });

const storyLink = s.optionalObject({ id: s.optionalId, link: s.text });

/** Reads a {@link Message}. */
export const messageSchema: Schema<Message> = s.node({
  id: s.idSchema,
  created_time: s.text,
  from: s.part(participantSchema),
  to: s.dataOf(participantSchema),
  message: s.text,
  sticker: s.text,
  attachments: s.dataOf(
    s.node({
      id: s.optionalId,
      name: s.text,
      mime_type: s.text,
      file_url: s.text,
      image_data: file,
      video_data: file,
    }),
  ),
  story: s.optionalObject({ reply_to: storyLink, mention: storyLink }),
  reactions: s.dataOf(s.node({ reaction: s.text, users: s.listOf(participantSchema) })),
  reply_to: s.optionalObject({ mid: s.optionalId, is_self_reply: s.flag }),
  is_unsupported: s.flag,
});

/** Reads a {@link SentMessage}. */
export const sentMessageSchema: Schema<SentMessage> = s.objectOf({
  recipient_id: s.idSchema,
  message_id: s.idSchema,
});

/** A conversation as the platform sends it. Further fields are kept. */
export interface Thread extends GraphNode {
  /** The time of the last activity, such as `2026-01-02T03:04:05+0000`. */
  readonly updated_time?: string | undefined;
  /** Messages of the customer that nobody at the business has seen. */
  readonly unread_count?: number | undefined;
  readonly participants?: InnerList<Participant> | undefined;
  /** Its newest message. */
  readonly messages?: InnerList<Message> | undefined;
}

/** A partner in a conversation, with the profile if it was requested. */
export interface Partner extends ContactProfile {
  readonly id: string;
  /** Whether the profile could be read; `undefined` if it was not requested. */
  readonly available?: boolean | undefined;
  /** Why the profile could not be read. */
  readonly reason?: string | undefined;
}

/** A conversation, with the partners of the account or the Page. */
export interface Conversation extends Thread {
  /** The customer; `undefined` if it is not known which participant is the account. */
  readonly contact: Partner | undefined;
  /** All partners, more than one in a group. They include the account if it is not known which participant that is. */
  readonly contacts: readonly Partner[];
  readonly last_message: Message | undefined;
  readonly updated_time: string | undefined;
}

/** Reads a {@link Thread}. */
export const threadSchema: Schema<Thread> = s.node({
  id: s.idSchema,
  updated_time: s.text,
  unread_count: s.number,
  participants: s.dataOf(participantSchema),
  messages: s.dataOf(messageSchema),
});

/** The position of a page in a list. */
export interface Paging {
  /**
   * Cursors of the page's first and last entry. The last page of the list has them as well: only a missing `next` marks
   * the end.
   */
  readonly cursors?:
    | { readonly before?: string | undefined; readonly after?: string | undefined }
    | undefined;
  /** Address of the next page, without the token; absent on the last page. */
  readonly next?: string | undefined;
  /** Address of the previous page, without the token. */
  readonly previous?: string | undefined;
}

/** Reads a {@link Paging}; its links are still as the platform sent them. */
export const pagingSchema: Schema<Paging> = s.node({
  cursors: s.optionalObject({ before: s.text, after: s.text }),
  next: s.text,
  previous: s.text,
});

/** The app that controls a conversation. */
export interface ThreadOwner {
  /** Absent unless it is your app, or your app is the default one. */
  readonly app_id: string | undefined;
  /** When its control ends, as the platform sends it: the unit is documented nowhere. */
  readonly expiration: number | undefined;
}

/** Reads the app that controls a conversation from a list of one, which is empty if no app does. */
export const threadOwnerSchema: Schema<ThreadOwner> = s.objectTo(
  {
    data: s.arrayOf(
      s.node({ thread_owner: s.optionalObject({ app_id: s.optionalId, expiration: s.number }) }),
    ),
  },
  ({ data }) => {
    const { app_id, expiration } = data[0]?.thread_owner ?? {};
    return { app_id, expiration };
  },
);

/** A template of a Page for messages outside the 24-hour window. Further fields of the platform are kept. */
export interface MessageTemplate extends GraphNode {
  readonly name?: string | undefined;
  /** Such as `en_US`. */
  readonly language?: string | undefined;
  /**
   * `APPROVED` if it can be sent; else such as `PENDING`, `REJECTED`, `PAUSED`, `DISABLED`, `IN_APPEAL`,
   * `LIMIT_EXCEEDED`, `ARCHIVED`, `PENDING_DELETION` or `DELETED`.
   */
  readonly status?: string | undefined;
  /** `UTILITY`. */
  readonly category?: string | undefined;
  /** Its header, body and buttons, as the platform describes them. */
  readonly components?: readonly Raw[] | undefined;
  /** `POSITIONAL` or `NAMED`. */
  readonly parameter_format?: string | undefined;
  /** Why it was rejected. */
  readonly rejected_reason?: string | undefined;
  /** The template of the platform's library that it was made from. */
  readonly library_template_name?: string | undefined;
}

/** A template that was created. */
export interface CreatedTemplate {
  readonly id: string;
  /** `APPROVED` if it can be sent at once; the platform decides in seconds. */
  readonly status?: string | undefined;
}

/** Reads a {@link MessageTemplate}. */
export const messageTemplateSchema: Schema<MessageTemplate> = s.node({
  id: s.idSchema,
  name: s.text,
  language: s.text,
  status: s.text,
  category: s.text,
  components: s.part(s.arrayOf(s.object)),
  parameter_format: s.text,
  rejected_reason: s.text,
  library_template_name: s.text,
});

/** Reads a {@link CreatedTemplate}. */
export const createdTemplateSchema: Schema<CreatedTemplate> = s.objectOf({ id: s.idSchema, status: s.text });
