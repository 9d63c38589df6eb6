import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, flag, id, optional, token } from '../core/options/check.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import type { PicsContent } from '../messaging/content.ts';
import { checkOneContent, contentRules } from '../messaging/contentRules.ts';
import { type MessageOptions, sendToInbox } from '../messaging/sendMessage.ts';
import type { SentMessage } from '../models/inbox.ts';
import type { PicsContext } from './context.ts';
import { accountId, senderId } from './internal/account.ts';
import { contentBounds, inboxOf, senderOf, type InboxOptions } from './internal/inbox.ts';

export type * from '../messaging/content.ts';

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
 * sent is returned: a text is identified by its words, anything else by being the only new message of its kind at the
 * last of four lookups. If it cannot be identified, the error's `outcome` is `unknown`.
 *
 * Fails with PermissionError, of category `window`, when the 24 hours have passed. After that, `humanAgent` is still
 * allowed for up to 7 days, and so is a `privateReply` to a comment; otherwise the customer has to write first. Fails
 * with ConfigurationError when there is not exactly one kind of content, or it is out of bounds, and in page mode
 * without `pageId`.
 *
 * The platform fetches addresses during the call. For a large file, set a longer `timeoutMs` with `withOptions`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * Send Messages.
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
    (own) => ({
      idempotencyKey: keyIn(context),
      recipientId: id,
      token,
      picsUserId: senderId(context, own),
      pageId: accountId(context),
      replyTo: optional(id),
      humanAgent: optional(flag),
      ...contentRules(contentBounds),
    }),
    checkOneContent,
  );
  return perform(context, 'sendMessage', checked, (call, own) => {
    const { recipientId, pageId } = own;
    return keyed(
      context,
      call,
      'pics',
      own,
      (context) =>
        sendToInbox(context, {
          ...call,
          inbox: inboxOf(context, pageId),
          sender: senderOf(context, own),
          recipientId,
          content: own,
        }),
      { looksWhileHeld: true },
    );
  });
}
