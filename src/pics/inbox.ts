import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Failure } from '../core/errors.ts';
import { perform, performRequest } from '../core/http/send.ts';
import { walk } from '../core/lists/list.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyIn, performKeyed } from '../core/writes/keyed.ts';
import type { PicsContent } from '../messaging/content.ts';
import {
  type Conversations,
  type ConversationsQuery,
  type ConversationsWalk,
  givenId,
  type Inbox,
  type Messages,
  type MessagesQuery,
  type MessagesWalk,
  readContact,
  readConversations,
  readMessage,
  readMessages,
  unavailable,
  walkConversations,
  walkMessages,
} from '../messaging/inbox.ts';
import {
  act,
  type ActionReceipt,
  checkOneContent,
  type ContentBounds,
  contentRules,
  type MessageOptions,
  replyPrivately,
  type SenderAction,
  senderAction,
  sendToInbox,
  toReaction,
} from '../messaging/sendMessage.ts';
import {
  type HostedAttachment,
  type LocalAttachment,
  type UploadedAttachment,
  uploadFile,
  uploadFileRules,
} from '../messaging/uploadFile.ts';
import type { Contact, Conversation, Message, SentMessage } from '../models/inbox.ts';
import { accountId, accountOf, type InboxOptions, senderOf } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export type * from '../messaging/content.ts';

export type { Conversations };

export interface ConversationsOptions extends PicsCallOptions, ConversationsQuery {
  /** Professional account id. Pass it in both modes, to tell the account apart from its customers. */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
}

/**
 * Reads one page of an account's conversations, each with its customer and its last message.
 * `iterateConversations` reads them all.
 *
 * The account is recognized by `picsUserId` and `pageId`, or else as the only participant that all conversations of
 * this page share. If neither identifies it, `contact` is `undefined` and `contacts` holds all participants. A profile
 * that cannot be read does not fail the call.
 *
 * The platform leaves out message requests that were inactive for 30 days.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * const page = await conversations(context, { token, picsUserId });
 * if (page.isOk()) for (const { contact, last_message } of page.value.data) console.log(contact?.name, last_message);
 */
export function conversations(
  context: PicsContext,
  options: ConversationsOptions,
): ResultAsync<Conversations, Failure> {
  const checked = check(context, options, () => ({
    token: rule.token,
    picsUserId: rule.optional(rule.id),
    pageId: accountId(context),
    limit: rule.optional(rule.count),
    after: rule.optional(rule.text),
    userId: rule.optional(rule.id),
    enrich: rule.optional(rule.flag),
  }));
  return perform(context, 'conversations', checked, (call, options) =>
    readConversations(
      context,
      call,
      { inbox: inboxOf(context, options.pageId), ownerIds: [options.picsUserId, options.pageId] },
      options,
    ),
  );
}

export type { Messages };

export interface MessagesOptions extends PicsCallOptions, MessagesQuery {}

/**
 * Reads one page of a conversation's messages, newest first. `iterateMessages` reads them all.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * const page = await messages(context, { conversationId, token, limit: 20 });
 * if (page.isOk()) for (const { from, message } of page.value.data) console.log(from?.username, message);
 */
export function messages(context: PicsContext, options: MessagesOptions): ResultAsync<Messages, Failure> {
  const checked = check(context, options, () => ({
    conversationId: rule.id,
    token: rule.token,
    limit: rule.optional(rule.count),
    after: rule.optional(rule.text),
  }));
  return perform(context, 'messages', checked, (call, options) =>
    readMessages(context, call, messageFields, options),
  );
}

export interface MessageDetailsOptions extends PicsCallOptions {
  /** Such as the `mid` of a webhook event. */
  readonly messageId: string;
  /**
   * Fields of the message. An unknown one fails the whole call.
   * @default those of Message
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads one message, also with the message that it replies to, which lists leave out.
 *
 * Only the last 20 messages of a conversation have details. For older ones the platform says that they are deleted: an
 * ApiError.
 *
 * Where the platform puts what came since late 2025, such as generated stickers and booked appointments, is unverified:
 * look for it in `raw`.
 *
 * Source: platform reference, Message.
 *
 * @example
 * const message = await messageDetails(context, { messageId: 'mid of an event', token });
 * if (message.isOk()) console.log(message.value.from?.username, message.value.message, message.value.reply_to?.mid);
 */
export function messageDetails(
  context: PicsContext,
  options: MessageDetailsOptions,
): ResultAsync<Message, Failure> {
  const checked = check(context, options, () => ({
    messageId: rule.id,
    token: rule.token,
    fields: rule.optional(rule.fieldNames),
  }));
  return perform(context, 'messageDetails', checked, (call, options) =>
    readMessage(context, call, messageFields, options),
  );
}

export interface IterateConversationsOptions extends PicsCallOptions, ConversationsWalk {
  /** Professional account id. Pass it in both modes, to tell the account apart from its customers. */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
}

/**
 * Yields the conversations of an account one by one, as `conversations` returns them, and requests each page when it is
 * needed. A failure ends the walk, unless it concerns one entry only.
 *
 * A conversation that moves in the list meanwhile is yielded once. Each profile is read once.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * for await (const conversation of iterateConversations(context, { token, picsUserId })) {
 *   if (conversation.isOk()) console.log(conversation.value.contact?.name, conversation.value.last_message);
 * }
 */
export function iterateConversations(
  context: PicsContext,
  options: IterateConversationsOptions,
): AsyncGenerator<Result<Conversation, Failure>, void, undefined> {
  const checked = check(context, options, () => ({
    token: rule.token,
    picsUserId: rule.optional(rule.id),
    pageId: accountId(context),
    limit: rule.optional(rule.countOrAll),
    pageSize: rule.optional(rule.count),
    enrich: rule.optional(rule.flag),
  }));
  return walk(context, 'iterateConversations', checked, (call, options) =>
    walkConversations(
      context,
      call,
      { inbox: inboxOf(context, options.pageId), ownerIds: [options.picsUserId, options.pageId] },
      options,
    ),
  );
}

export interface IterateMessagesOptions extends PicsCallOptions, MessagesWalk {}

/**
 * Yields the messages of a conversation one by one, newest first, and requests each page when it is needed. A failure
 * ends the walk, unless it concerns one entry only.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError. With
 * `limit`, the walk ends before them.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * for await (const message of iterateMessages(context, { conversationId, token, limit: 20 })) {
 *   if (message.isOk()) console.log(message.value.from?.username, message.value.message);
 * }
 */
export function iterateMessages(
  context: PicsContext,
  options: IterateMessagesOptions,
): AsyncGenerator<Result<Message, Failure>, void, undefined> {
  const checked = check(context, options, () => ({
    conversationId: rule.id,
    token: rule.token,
    limit: rule.optional(rule.countOrAll),
    pageSize: rule.optional(rule.count),
  }));
  return walk(context, 'iterateMessages', checked, (call, options) =>
    walkMessages(context, call, messageFields, options),
  );
}

export interface ContactOptions extends PicsCallOptions {
  /** Messaging-scoped id of the partner, as conversations and message events hold it. */
  readonly igsid: string;
}

export type ContactFailure = never;

/**
 * Reads the profile of a conversation partner. It never fails: a profile that cannot be read has `available: false`,
 * and the message of the error as `reason`.
 *
 * The platform shows a profile once its owner has consented by writing to the account, or by tapping an icebreaker or
 * the persistent menu. A person who only commented has not consented.
 *
 * Source: platform guide, User Profile API.
 *
 * @example
 * const partner = await contact(context, { igsid, token });
 * if (partner.isOk()) console.log(partner.value.available ? partner.value.username : partner.value.reason);
 */
export function contact(context: PicsContext, options: ContactOptions): ResultAsync<Contact, ContactFailure> {
  const checked = check(context, options, () => ({ igsid: rule.id, token: rule.token }));
  if (checked.isErr()) return okAsync(unavailable(givenId(options, 'igsid'), checked.error.message));
  return perform(context, 'contact', ok(checked.value), (call, { igsid }) =>
    readContact(context, igsid, contactFields, call),
  );
}

interface SendMessageCommon extends InboxOptions, KeyedOptions, MessageOptions {
  /** Messaging-scoped id of the customer, as conversations and message events hold it. */
  readonly recipientId: string;
}

/** A message with exactly one kind of content: `text`, `attachment`, `images`, `template`, `mediaId` or `sticker`. */
export type SendMessageOptions = SendMessageCommon & PicsContent;

/**
 * Sends a message to a customer, within 24 hours of the customer's last message: a text, with quick replies or
 * without, a file, several images, a template, a post of the account, or a heart.
 *
 * Once-only: after a lost response, the newest messages of the conversation are looked up, and the one that this call
 * sent is returned: a text is identified by its words. If it cannot be identified, as all that has no text, the error's
 * `outcome` is `unknown`.
 *
 * Fails with PermissionError, of category `window`, when the 24 hours have passed. After that, `humanAgent` is still
 * allowed for up to 7 days, and so is a `privateReply` to a comment; otherwise the customer has to write first. Fails
 * with ConfigurationError when there is not exactly one kind of content, or it is out of bounds, and in page mode
 * without `pageId`.
 *
 * The platform fetches addresses during the call. For a large file, set a longer `timeoutMs` with `withOptions`.
 *
 * Source: platform guide, Send Messages.
 *
 * @example
 * const sent = await sendMessage(context, { recipientId, token, text: 'It is on its way.' });
 * if (sent.isOk()) console.log(sent.value.message_id);
 *
 * @example With a client, which throws
 * const sent = await client.sendMessage({ recipientId, token, attachment: { type: 'image', url: imageUrl } });
 */
export function sendMessage(
  context: PicsContext,
  options: SendMessageOptions,
): ResultAsync<SentMessage, Failure> {
  const checked = check(
    context,
    options,
    (options) => ({
      idempotencyKey: keyIn(context),
      recipientId: rule.id,
      token: rule.token,
      picsUserId: senderId(context, options),
      pageId: accountId(context),
      replyTo: rule.optional(rule.id),
      humanAgent: rule.optional(rule.flag),
      ...contentRules(contentBounds),
    }),
    checkOneContent,
  );
  return performKeyed(
    context,
    'sendMessage',
    checked,
    'pics',
    (context, call, options) => {
      const { recipientId, pageId } = options;
      return sendToInbox(context, {
        ...call,
        inbox: inboxOf(context, pageId),
        sender: senderOf(context, options),
        recipientId,
        content: options,
      });
    },
    { looksWhileHeld: true },
  );
}

interface PrivateReplyCommon extends InboxOptions, KeyedOptions {
  readonly commentId: string;
}

/**
 * A private reply with exactly one kind of content: `text`, `attachment`, `images`, `template`, `mediaId` or `sticker`.
 */
export type PrivateReplyOptions = PrivateReplyCommon & PicsContent;

/**
 * Replies in private to a comment on the account's media, within 7 days; to one on a live video, while it is live.
 * `recipient_id` is the person's id in the account's inbox. Further messages can be sent once the person has answered.
 *
 * The platform accepts only one private reply, and refuses a second: an ApiError of category `recipient`. So a lost one
 * is sent again; if it had taken effect, the error's `outcome` is `applied`: the person has a private reply, but its id
 * is not known.
 *
 * Fails with ConfigurationError when there is not exactly one kind of content, or it is out of bounds, and in page mode
 * without `pageId`.
 *
 * Source: platform guide, Private Replies.
 *
 * @example
 * const sent = await privateReply(context, { commentId, token, text: 'It costs ten.' });
 * if (sent.isOk()) console.log(sent.value.recipient_id);
 */
export function privateReply(
  context: PicsContext,
  options: PrivateReplyOptions,
): ResultAsync<SentMessage, Failure> {
  const checked = check(
    context,
    options,
    (options) => ({
      idempotencyKey: keyIn(context),
      commentId: rule.id,
      token: rule.token,
      picsUserId: senderId(context, options),
      pageId: accountId(context),
      ...contentRules(contentBounds),
    }),
    checkOneContent,
  );
  return performKeyed(context, 'privateReply', checked, 'pics', (context, call, options) => {
    const { commentId } = options;
    return replyPrivately(context, {
      ...call,
      inbox: inboxOf(context, options.pageId),
      sender: senderOf(context, options),
      recipient: { comment_id: commentId },
      content: options,
    });
  });
}

export type { ActionReceipt, SenderAction };

export interface SendActionOptions extends InboxOptions {
  /** Messaging-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
  /**
   * `typing_on` and `typing_off` show and hide the typing indicator; `mark_seen` marks the person's messages as seen.
   */
  readonly action: SenderAction;
}

/**
 * Shows a person that the account is typing, or has seen the messages. It is safe to repeat, so it is retried.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Source: platform guide, Sender Actions.
 *
 * @example
 * const seen = await sendAction(context, { recipientId, token, action: 'mark_seen' });
 * if (seen.isErr()) console.error(seen.error.message);
 */
export function sendAction(
  context: PicsContext,
  options: SendActionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, () => ({
    recipientId: rule.id,
    token: rule.token,
    action: senderAction,
    picsUserId: rule.optional(rule.id),
    pageId: accountId(context),
  }));
  return performRequest(context, 'sendAction', checked, (options) =>
    act(senderOf(context, options), options.recipientId, options),
  );
}

export interface SendReactionOptions extends InboxOptions {
  /** Messaging-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
  /** Message of the conversation with this person. */
  readonly messageId: string;
  /**
   * The platform's name of the reaction; `null` takes it back. In page mode, the platform documents only `love`.
   * @default 'love'
   */
  readonly reaction?: string | null | undefined;
}

/**
 * Reacts to a message, or takes the reaction back. It is safe to repeat, so it is retried.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Source: platform guide, Send Messages.
 *
 * @example
 * const reacted = await sendReaction(context, { recipientId, token, messageId: 'aWdf' });
 * if (reacted.isErr()) console.error(reacted.error.message);
 *
 * @example With a client, which throws
 * await client.sendReaction({ recipientId, token, messageId: 'aWdf', reaction: null });
 */
export function sendReaction(
  context: PicsContext,
  options: SendReactionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, () => ({
    recipientId: rule.id,
    token: rule.token,
    messageId: rule.id,
    reaction: v.nullable(rule.optional(rule.text)),
    picsUserId: rule.optional(rule.id),
    pageId: accountId(context),
  }));
  return performRequest(context, 'sendReaction', checked, (options) => {
    const { recipientId, messageId, reaction = 'love' } = options;
    return act(senderOf(context, options), recipientId, toReaction(messageId, reaction));
  });
}

export type { UploadedAttachment };

/** A file at an address, or its bytes, which login mode does not accept. */
export type UploadAttachmentOptions = InboxOptions & (HostedAttachment | LocalAttachment);

/**
 * Uploads a file that the account can send by its `attachment_id`, as often as needed, for 90 days. It is safe to
 * repeat, so it is retried.
 *
 * Fails with ConfigurationError when neither or both of `url` and `file` are given, when the file cannot be read, in
 * login mode with `file`, and in page mode without `pageId`.
 *
 * Source: platform guide, Upload Media.
 *
 * @example
 * const photo = await uploadAttachment(context, { token, pageId, type: 'image', url: imageUrl });
 * if (photo.isOk()) console.log(photo.value.attachment_id);
 *
 * @example With a client, which throws
 * const { attachment_id } = await client.uploadAttachment({ token, pageId, type: 'file', file: './menu.pdf' });
 */
export function uploadAttachment(
  context: PicsContext,
  options: UploadAttachmentOptions,
): ResultAsync<UploadedAttachment, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token: rule.token,
      picsUserId: rule.optional(rule.id),
      pageId: accountId(context),
      ...uploadFileRules,
      ...(context.mode === 'login' && {
        file: rule.optional(rule.refine(v.unknown(), () => 'is not supported in login mode: use url')),
      }),
    }),
    (options) => exactlyOneOf(options, 'url', 'file'),
  );
  return perform(context, 'uploadAttachment', checked, (call, options) => {
    const platform = context.mode === 'page' ? inboxOf(context, options.pageId).platform : undefined;
    return uploadFile(context, call, senderOf(context, options), platform, options);
  });
}

/** The fields of a message. */
const messageFields = 'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

/** The fields of a partner's profile. */
const contactFields =
  'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';

/**
 * The node that has the inbox: that of the Page's account, or of the token's. Call this after `accountId` has checked
 * `pageId`.
 */
function inboxOf({ mode, platform }: PicsContext, pageId: string | undefined): Inbox {
  return {
    node: accountOf(mode === 'page' ? pageId : undefined),
    platform: platform.words.picsPlatform,
    contactFields,
  };
}

/** The longest text that an account can send, in bytes of UTF-8. */
const maxBytes = 1000;

/** The bounds of what an account can send. */
const contentBounds: ContentBounds = {
  text: rule.refine(rule.text, (value) => {
    const bytes = new TextEncoder().encode(value).length;
    return bytes > maxBytes ? `must have at most ${maxBytes} bytes of UTF-8, not ${bytes}` : undefined;
  }),
  buttons: ['web_url', 'postback'],
  takesPosts: true,
};

/** The rule for the account that sends a message: in page mode, its Page does. */
function senderId(context: PicsContext, options: KeyedOptions): rule.Rule {
  return context.mode === 'login' ? accountId(context, options) : rule.optional(rule.id);
}
