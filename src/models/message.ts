import * as v from 'valibot';

import { dataOf, flag, idSchema, listOf, node, optionalId, part, type Raw, text } from './fields.ts';

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
export interface Message {
  readonly id: string;
  /** When it was sent, such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly from?: Participant | undefined;
  readonly to?: { readonly data: readonly Participant[] } | undefined;
  /** Its text; empty or absent if it has none. */
  readonly message?: string | undefined;
  /** Address of its sticker. */
  readonly sticker?: string | undefined;
  readonly attachments?: { readonly data: readonly MessageAttachment[] } | undefined;
  /** The story that it replies to or mentions. */
  readonly story?: MessageStory | undefined;
  readonly reactions?: { readonly data: readonly MessageReaction[] } | undefined;
  /** `true` for a message whose kind the API does not support. */
  readonly is_unsupported?: boolean | undefined;
  /** The message as the platform sent it. Not enumerable. */
  readonly raw: Raw;
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

/** A reaction to a message, with the people who chose it. */
export interface MessageReaction {
  readonly reaction?: string | undefined;
  readonly users?: readonly Participant[] | undefined;
}

/** A message that the platform has accepted. */
export interface SentMessage {
  /** Empty for a private reply that a call under a key made which died before it had recorded more than its id. */
  readonly recipient_id: string;
  readonly message_id: string;
}

/** Reads a {@link Participant}. */
export const participantSchema: v.GenericSchema<unknown, Participant> = node({
  id: idSchema,
  username: text,
  name: text,
  user_id: optionalId,
});

const file = part(node({ url: text }));
const storyLink = part(node({ id: optionalId, link: text }));

/** Reads a {@link Message}. */
export const messageSchema: v.GenericSchema<unknown, Message> = node({
  id: idSchema,
  created_time: text,
  from: part(participantSchema),
  to: dataOf(participantSchema),
  message: text,
  sticker: text,
  attachments: dataOf(
    node({
      id: optionalId,
      name: text,
      mime_type: text,
      file_url: text,
      image_data: file,
      video_data: file,
    }),
  ),
  story: part(node({ reply_to: storyLink, mention: storyLink })),
  reactions: dataOf(node({ reaction: text, users: part(listOf(part(participantSchema))) })),
  is_unsupported: flag,
});

/** Reads a {@link SentMessage}. */
export const sentMessageSchema: v.GenericSchema<unknown, SentMessage> = v.looseObject({
  recipient_id: idSchema,
  message_id: idSchema,
});
