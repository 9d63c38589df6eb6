import { ok, okAsync, type Result, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, performRequest } from '../core/http/send.ts';
import { walk } from '../core/lists/list.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, performKeyed } from '../core/writes/keyed.ts';
import type { PicsContent } from '../messaging/content.ts';
import type { Conversations, Messages } from '../messaging/inbox.ts';
import * as inbox from '../messaging/inbox.ts';
import type { ActionReceipt, SenderAction } from '../messaging/sendMessage.ts';
import * as outgoing from '../messaging/sendMessage.ts';
import type { HostedAttachment, LocalAttachment, UploadedAttachment } from '../messaging/uploadFile.ts';
import { uploadFile, uploadFileRules } from '../messaging/uploadFile.ts';
import type { Contact, Conversation, Message, SentMessage } from '../models/inbox.ts';
import type { InboxOptions, RecipientOptions } from './accountOptions.ts';
import {
  accountOf,
  isPageMode,
  inboxRules,
  recipientRules,
  senderOf,
  checkKeyedAccount,
} from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export type * from '../messaging/content.ts';
export type { ActionReceipt, Conversations, Messages, SenderAction, UploadedAttachment };

/** The account whose inbox is read. */
interface OwnerOptions extends PicsCallOptions, Pick<InboxOptions, 'pageId'> {
  /** Professional account id. Pass it in both modes, to tell the account apart from its customers. */
  readonly picsUserId?: string | undefined;
}

export interface ConversationsOptions extends OwnerOptions, inbox.ConversationsQuery {}

/**
 * Reads one page of an account's conversations, each with its customer and its last message.
 * `iterateConversations` reads them all. With `messages`, each comes with its newest ones, in the same requests.
 *
 * The platform lists those first whose `updated_time` is newest: a message moves its conversation to the front.
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
  const checked = check(context, options, { ...inboxRules(context), ...inbox.conversationsRules });
  return perform(context, 'conversations', checked, (call, options) =>
    inbox.readConversations(context, call, inboxOf(context, options), options),
  );
}

export interface MessagesOptions extends PicsCallOptions, inbox.MessagesQuery {}

/**
 * Reads one page of a conversation's messages, newest first. `iterateMessages` reads them all. Of many conversations,
 * `conversations` reads the newest ones with `messages`, in its own requests.
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
  const checked = check(context, options, { ...inbox.messagesRules, token: rule.token });
  return perform(context, 'messages', checked, (call, options) =>
    inbox.readMessages(context, call, messageFields, options),
  );
}

export interface MessageDetailsOptions extends PicsCallOptions, inbox.MessageQuery {}

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
  const checked = check(context, options, { ...inbox.messageRules, token: rule.token });
  return performRequest(context, 'messageDetails', checked, (options) =>
    inbox.readMessage(messageFields, options),
  );
}

export interface IterateConversationsOptions extends OwnerOptions, inbox.ConversationsWalk {}

/**
 * Yields the conversations of an account one by one, as `conversations` returns them, and requests each page when it is
 * needed.
 *
 * Those come first whose `updated_time` is newest. So who wants what is new since a moment may leave the loop at the first
 * that is older, and no further page is requested. A conversation that gets a message meanwhile moves to the front, behind
 * the walk, and is not yielded again: the next walk reads as far back as the start of this one.
 *
 * Each profile is read once.
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
  const checked = check(context, options, {
    ...inboxRules(context),
    ...inbox.conversationsWalkRules,
  });
  return walk(context, 'iterateConversations', checked, (call, options) =>
    inbox.walkConversations(context, call, inboxOf(context, options), options),
  );
}

export interface IterateMessagesOptions extends PicsCallOptions, inbox.MessagesWalk {}

/**
 * Yields the messages of a conversation one by one, newest first, and requests each page when it is needed.
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
  const checked = check(context, options, { conversationId: rule.id, token: rule.token, ...inbox.walkRules });
  return walk(context, 'iterateMessages', checked, (call, options) =>
    inbox.walkMessages(context, call, messageFields, options),
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
  const checked = check(context, options, { igsid: rule.id, token: rule.token });
  if (checked.isErr())
    return okAsync(inbox.unavailable(inbox.givenId(options, 'igsid'), checked.error.message));
  return perform(context, 'contact', ok(checked.value), (call, { igsid }) =>
    inbox.readContact(context, igsid, contactFields, call),
  );
}

interface SendMessageCommon extends RecipientOptions, KeyedOptions, outgoing.MessageOptions {}

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
    {
      idempotencyKey: keyRule,
      ...recipientRules(context),
      replyTo: rule.optional(rule.id),
      humanAgent: rule.optional(rule.flag),
      ...contentRules,
    },
    checkKeyedAccount,
    outgoing.checkOneContent,
  );
  return performKeyed(
    context,
    'sendMessage',
    checked,
    'pics',
    (context, call, options) => outgoing.sendToInbox(context, call, inboxOf(context, options), options),
    { looksWhileHeld: true, lane: 'interact' },
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
 * is sent again; with an `idempotencyKey`, by a later call after `retryAfterMs`, more than `journalSettleMs`. If it had
 * taken effect, the error's `outcome` is `applied`: the person has a private reply, but its id is not known.
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
    { idempotencyKey: keyRule, commentId: rule.id, ...inboxRules(context), ...contentRules },
    checkKeyedAccount,
    outgoing.checkOneContent,
  );
  return performKeyed(
    context,
    'privateReply',
    checked,
    'pics',
    (context, call, options) => {
      const recipient = { comment_id: options.commentId };
      return outgoing.replyPrivately(context, call, inboxOf(context, options), recipient, options);
    },
    { lane: 'interact' },
  );
}

export interface SendActionOptions extends RecipientOptions, outgoing.ActionOptions {}

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
  const checked = check(context, options, { ...recipientRules(context), action: outgoing.senderAction });
  return performRequest(context, 'sendAction', checked, (options) =>
    outgoing.act(senderOf(context, options), options.recipientId, options),
  );
}

export interface SendReactionOptions extends RecipientOptions, outgoing.ReactionOptions {}

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
  const checked = check(context, options, { ...recipientRules(context), ...outgoing.reactionRules });
  return performRequest(context, 'sendReaction', checked, (options) =>
    outgoing.act(senderOf(context, options), options.recipientId, outgoing.toReaction(options)),
  );
}

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
    {
      ...inboxRules(context),
      ...uploadFileRules,
      ...(!isPageMode(context) && { file: noFile }),
    },
    exactlyOneOf('url', 'file'),
  );
  return perform(context, 'uploadAttachment', checked, (call, options) => {
    const platform = context.mode === 'page' ? context.platform.words.picsPlatform : undefined;
    return uploadFile(context, call, senderOf(context, options), platform, options);
  });
}

const messageFields = 'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

const contactFields =
  'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';

/**
 * The inbox of the Page's account, or of the token's. Call this after `accountId` has checked `pageId`.
 */
function inboxOf(context: PicsContext, options: InboxOptions): inbox.Inbox {
  const { picsUserId, pageId } = options;
  return {
    node: accountOf(context.mode === 'page' ? pageId : undefined),
    sender: senderOf(context, options),
    ownerIds: [picsUserId, pageId],
    platform: context.platform.words.picsPlatform,
    contactFields,
    messageFields,
  };
}

const noFile = rule.optional(rule.copying(() => 'is not supported in login mode: use url'));

const contentRules = {
  ...outgoing.contentRules(outgoing.textWithin('pics.message'), ['web_url', 'postback']),
  mediaId: rule.optional(rule.id),
  sticker: rule.optional(rule.satisfies((value) => value === 'like_heart', 'like_heart')),
};
