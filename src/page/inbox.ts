import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, performRequest } from '../core/http/send.ts';
import { walk } from '../core/lists/list.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { pagePlatform } from '../core/platform.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, performKeyed } from '../core/writes/keyed.ts';
import type { PageContent, UtilityContent } from '../messaging/content.ts';
import type { Conversations, Messages } from '../messaging/inbox.ts';
import * as inbox from '../messaging/inbox.ts';
import type { ActionReceipt, SenderAction } from '../messaging/sendMessage.ts';
import * as outgoing from '../messaging/sendMessage.ts';
import type { HostedAttachment, LocalAttachment, UploadedAttachment } from '../messaging/uploadFile.ts';
import { uploadFile, uploadFileRules } from '../messaging/uploadFile.ts';
import type { Contact, Conversation, Message, SentMessage } from '../models/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { type OnePageOptions, pageRules, type RecipientOptions, recipientRules } from './pageOptions.ts';

export type * from '../messaging/content.ts';
export type { ActionReceipt, Conversations, Messages, SenderAction, UploadedAttachment };

export interface ConversationsOptions extends OnePageOptions, inbox.ConversationsQuery {}

/**
 * Reads one page of a Page's conversations, each with its customer and its last message.
 * `iterateConversations` reads them all. With `messages`, each comes with its newest ones, in the same requests.
 *
 * The platform lists those first whose `updated_time` is newest: a message moves its conversation to the front.
 *
 * A profile that cannot be read does not fail the call.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * const inbox = await conversations(context, { pageId, pageToken });
 * if (inbox.isOk()) for (const { contact, last_message } of inbox.value.data) console.log(contact?.name, last_message);
 */
export function conversations(
  context: PageContext,
  options: ConversationsOptions,
): ResultAsync<Conversations, Failure> {
  const checked = check(context, options, { ...pageRules, ...inbox.conversationsRules });
  return perform(context, 'conversations', checked, (call, options) =>
    inbox.readConversations(context, call, inboxOf(options.pageId), options),
  );
}

export interface MessagesOptions extends PageCallOptions, inbox.MessagesQuery {}

/**
 * Reads one page of a conversation's messages, newest first. `iterateMessages` reads them all. Of many conversations,
 * `conversations` reads the newest ones with `messages`, in its own requests.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * const thread = await messages(context, { conversationId, pageToken, limit: 20 });
 * if (thread.isOk()) for (const { from, message } of thread.value.data) console.log(from?.name, message);
 */
export function messages(context: PageContext, options: MessagesOptions): ResultAsync<Messages, Failure> {
  const checked = check(context, options, { ...inbox.messagesRules, pageToken: rule.token });
  return perform(context, 'messages', checked, (call, options) =>
    inbox.readMessages(context, call, messageFields, options),
  );
}

export interface MessageDetailsOptions extends PageCallOptions, inbox.MessageQuery {}

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
 * const message = await messageDetails(context, { messageId: 'mid of an event', pageToken });
 * if (message.isOk()) console.log(message.value.from?.name, message.value.message, message.value.reply_to?.mid);
 */
export function messageDetails(
  context: PageContext,
  options: MessageDetailsOptions,
): ResultAsync<Message, Failure> {
  const checked = check(context, options, { ...inbox.messageRules, pageToken: rule.token });
  return performRequest(context, 'messageDetails', checked, (options) =>
    inbox.readMessage(messageFields, options),
  );
}

export interface IterateConversationsOptions extends OnePageOptions, inbox.ConversationsWalk {}

/**
 * Yields the conversations of a Page one by one, as `conversations` returns them, and requests each page when it is
 * needed.
 *
 * Those come first whose `updated_time` is newest. So who wants what is new since a moment may leave the loop at the first
 * that is older, and no further page is requested. A conversation that gets a message meanwhile moves to the front, behind
 * the walk, and is not yielded again: the next walk reads as far back as the start of this one.
 *
 * Each profile is read once.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * for await (const conversation of iterateConversations(context, { pageId, pageToken })) {
 *   if (conversation.isOk()) console.log(conversation.value.contact?.name, conversation.value.last_message);
 * }
 */
export function iterateConversations(
  context: PageContext,
  options: IterateConversationsOptions,
): AsyncGenerator<Result<Conversation, Failure>, void, undefined> {
  const checked = check(context, options, {
    ...pageRules,
    ...inbox.conversationsWalkRules,
  });
  return walk(context, 'iterateConversations', checked, (call, options) =>
    inbox.walkConversations(context, call, inboxOf(options.pageId), options),
  );
}

export interface IterateMessagesOptions extends PageCallOptions, inbox.MessagesWalk {}

/**
 * Yields the messages of a conversation one by one, newest first, and requests each page when it is needed.
 *
 * Only the last 20 messages have details. For older ones the platform says that they are deleted: an ApiError. With
 * `limit`, the walk ends before them.
 *
 * Source: platform guide, Conversations API.
 *
 * @example
 * for await (const message of iterateMessages(context, { conversationId, pageToken, limit: 20 })) {
 *   if (message.isOk()) console.log(message.value.from?.name, message.value.message);
 * }
 */
export function iterateMessages(
  context: PageContext,
  options: IterateMessagesOptions,
): AsyncGenerator<Result<Message, Failure>, void, undefined> {
  const checked = check(context, options, {
    conversationId: rule.id,
    pageToken: rule.token,
    ...inbox.walkRules,
  });
  return walk(context, 'iterateMessages', checked, (call, options) =>
    inbox.walkMessages(context, call, messageFields, options),
  );
}

export interface ContactOptions extends PageCallOptions {
  /** Page-scoped id of the partner, as conversations and message events hold it. */
  readonly psid: string;
}

export type ContactFailure = never;

/**
 * Reads the profile of a person who wrote to the Page. It never fails: a profile that cannot be read has
 * `available: false`, and the message of the error as `reason`.
 *
 * Source: platform guide, User Profile API.
 *
 * @example
 * const partner = await contact(context, { psid: recipientId, pageToken });
 * if (partner.isOk()) console.log(partner.value.available ? partner.value.first_name : partner.value.reason);
 */
export function contact(context: PageContext, options: ContactOptions): ResultAsync<Contact, ContactFailure> {
  const checked = check(context, options, { psid: rule.id, pageToken: rule.token });
  if (checked.isErr())
    return okAsync(inbox.unavailable(inbox.givenId(options, 'psid'), checked.error.message));
  return perform(context, 'contact', ok(checked.value), (call, { psid }) =>
    inbox.readContact(context, psid, contactFields, call),
  );
}

interface SendMessageCommon extends OnePageOptions, KeyedOptions, outgoing.PageMessageOptions {}

type MessageRecipient =
  | {
      /** Page-scoped id of the person, as conversations and message events hold it. */
      readonly recipientId: string;
      readonly userRef?: undefined;
    }
  | {
      /**
       * In place of `recipientId`: a person who agreed in the checkbox plugin, by its `user_ref`, as the event `optin` has it.
       * Unverified, since no live response is known.
       */
      readonly userRef: string;
      readonly recipientId?: undefined;
    };

/**
 * A message to exactly one of `recipientId` and `userRef`, with exactly one kind of content: `text`, `attachment`, `images`,
 * `template` or `utility`.
 */
export type SendMessageOptions = SendMessageCommon & MessageRecipient & (PageContent | UtilityContent);

/**
 * Sends a message to a customer of a Page, within 24 hours of the customer's last message: a text, with quick replies
 * or without, a file, several images, or a template. `utility`, a message by an approved template of the Page, is also
 * accepted later; it is unverified, since no live response is known.
 *
 * Once-only: after a lost response, the newest messages of the conversation are looked up, and the one that this call
 * sent is returned: a text is identified by its words. If it cannot be identified, as all that has no text, the error's
 * `outcome` is `unknown`; its echo, a webhook event, has its `metadata`. So it is with all messages to a `userRef`, for which
 * `recipient_id` is empty where the platform does not say whose it is.
 *
 * It is sent as `messaging_type: RESPONSE`; with `humanAgent` as `MESSAGE_TAG`, and `utility` as `UTILITY`.
 *
 * Fails with PermissionError, of category `window`, when the 24 hours have passed. After that, `utility` is still
 * allowed, `humanAgent` for up to 7 days, and so is a `privateReply` to a comment; otherwise the customer has to write
 * first. Fails with ConfigurationError when there is not exactly one recipient or kind of content, or it is out of bounds.
 *
 * The platform fetches addresses during the call. For a large file, set a longer `timeoutMs` with `withOptions`.
 *
 * Source: platform guide, Send API.
 *
 * @example
 * const sent = await sendMessage(context, { pageId, pageToken, recipientId, text: 'It is on its way.' });
 * if (sent.isOk()) console.log(sent.value.message_id);
 *
 * @example With a client, which throws
 * const attachment = { type: 'image', url: imageUrl } as const;
 * const sent = await client.sendMessage({ pageId, pageToken, recipientId, attachment });
 */
export function sendMessage(
  context: PageContext,
  options: SendMessageOptions,
): ResultAsync<SentMessage, Failure> {
  const isOneRecipient = exactlyOneOf<SendMessageOptions>('recipientId', 'userRef');
  const checked = check(context, options, messageRules, isOneRecipient, outgoing.checkPageMessage);
  return performKeyed(
    context,
    'sendMessage',
    checked,
    'page',
    (context, call, options) => outgoing.sendToInbox(context, call, inboxOf(options.pageId), options),
    { looksWhileHeld: true, lane: 'interact' },
  );
}

interface PrivateReplyCommon extends OnePageOptions, KeyedOptions {}

type PrivateReplyTarget =
  | { readonly commentId: string; readonly postId?: undefined }
  | { readonly postId: string; readonly commentId?: undefined };

/** A private reply with exactly one kind of content: `text`, `attachment`, `images` or `template`. */
export type PrivateReplyOptions = PrivateReplyCommon & PrivateReplyTarget & PageContent;

/**
 * Replies in private to a comment, or to a post of a visitor, within 7 days. `recipient_id` is the person's id in the
 * Page's inbox. Further messages can be sent once the person has answered.
 *
 * The platform accepts only one private reply, and refuses a second: an ApiError of category `recipient`. So a lost one
 * is sent again; with an `idempotencyKey`, by a later call after `retryAfterMs`, more than `journalSettleMs`. If it had
 * taken effect, the error's `outcome` is `applied`: the person has a private reply, but its id is not known.
 *
 * Fails with ConfigurationError when there is not exactly one kind of content, or it is out of bounds.
 *
 * Source: platform guide, Private Replies.
 *
 * @example
 * const sent = await privateReply(context, { pageId, pageToken, commentId, text: 'It costs ten.' });
 * if (sent.isOk()) console.log(sent.value.recipient_id);
 *
 * @example With a client, which throws
 * const sent = await client.privateReply({ pageId, pageToken, postId, text: 'Welcome!' });
 */
export function privateReply(
  context: PageContext,
  options: PrivateReplyOptions,
): ResultAsync<SentMessage, Failure> {
  const isOneTarget = exactlyOneOf<PrivateReplyOptions>('commentId', 'postId');
  const checked = check(context, options, replyRules, isOneTarget, outgoing.checkOneContent);
  return performKeyed(
    context,
    'privateReply',
    checked,
    'page',
    (context, call, options) => {
      const { pageId, commentId, postId } = options;
      const recipient = postId === undefined ? { comment_id: commentId } : { post_id: postId };
      return outgoing.replyPrivately(context, call, inboxOf(pageId), recipient, options);
    },
    { lane: 'interact' },
  );
}

export interface SendActionOptions extends RecipientOptions, outgoing.ActionOptions {}

/**
 * Shows a person that the Page is typing, or has seen the messages. It is safe to repeat, so it is retried.
 *
 * Source: platform guide, Sender Actions.
 *
 * @example
 * const seen = await sendAction(context, { pageId, pageToken, recipientId, action: 'mark_seen' });
 * if (seen.isErr()) console.error(seen.error.message);
 */
export function sendAction(
  context: PageContext,
  options: SendActionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, { ...recipientRules, action: outgoing.senderAction });
  return performRequest(context, 'sendAction', checked, (options) =>
    outgoing.act(options.pageId, options.recipientId, options),
  );
}

export interface SendReactionOptions extends RecipientOptions, outgoing.ReactionOptions {}

/**
 * Reacts to a message, or takes the reaction back. It is safe to repeat, so it is retried.
 *
 * Source: platform guide, Reactions.
 *
 * @example
 * const reacted = await sendReaction(context, { pageId, pageToken, recipientId, messageId: 'm_1' });
 * if (reacted.isErr()) console.error(reacted.error.message);
 *
 * @example With a client, which throws
 * await client.sendReaction({ pageId, pageToken, recipientId, messageId: 'm_1', reaction: null });
 */
export function sendReaction(
  context: PageContext,
  options: SendReactionOptions,
): ResultAsync<ActionReceipt, Failure> {
  const checked = check(context, options, { ...recipientRules, ...outgoing.reactionRules });
  return performRequest(context, 'sendReaction', checked, (options) =>
    outgoing.act(options.pageId, options.recipientId, outgoing.toReaction(options)),
  );
}

/** A file at an address, or its bytes. */
export type UploadAttachmentOptions = OnePageOptions & (HostedAttachment | LocalAttachment);

/**
 * Uploads a file that the Page can send by its `attachment_id`, as often as needed, for 90 days. It is safe to repeat,
 * so it is retried.
 *
 * Fails with ConfigurationError when neither or both of `url` and `file` are given, and when the file cannot be read.
 *
 * Source: platform guide, Attachment Upload API.
 *
 * @example
 * const menu = await uploadAttachment(context, { pageId, pageToken, type: 'file', file: './menu.pdf' });
 * if (menu.isOk()) console.log(menu.value.attachment_id);
 *
 * @example With a client, which throws
 * const { attachment_id } = await client.uploadAttachment({ pageId, pageToken, type: 'image', url: imageUrl });
 */
export function uploadAttachment(
  context: PageContext,
  options: UploadAttachmentOptions,
): ResultAsync<UploadedAttachment, Failure> {
  const checked = check(context, options, uploadRules, exactlyOneOf('url', 'file'));
  return perform(context, 'uploadAttachment', checked, (call, options) =>
    uploadFile(context, call, options.pageId, pagePlatform, options),
  );
}

const messageFields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';

/** The fields of a partner's profile. The photo-sharing ones would be refused. */
const contactFields = 'first_name,last_name,name,profile_pic';

function inboxOf(pageId: string): inbox.Inbox {
  const ownerIds = [pageId];
  return { node: pageId, sender: pageId, ownerIds, platform: pagePlatform, contactFields, messageFields };
}

const contentRules = outgoing.contentRules(outgoing.textWithin('page.message'), [
  'web_url',
  'postback',
  'phone_number',
  'account_link',
]);

const messageRules = {
  idempotencyKey: keyRule,
  ...pageRules,
  recipientId: rule.optional(rule.id),
  userRef: rule.optional(rule.text),
  ...contentRules,
  ...outgoing.pageMessageRules,
  utility: rule.optional(outgoing.utilityRule),
};

const replyRules = {
  idempotencyKey: keyRule,
  ...pageRules,
  commentId: rule.optional(rule.id),
  postId: rule.optional(rule.id),
  ...contentRules,
};

const uploadRules = { ...pageRules, ...uploadFileRules };
