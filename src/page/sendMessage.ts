import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, flag, id, optional, token } from '../core/options/check.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import type { PageContent } from '../messaging/content.ts';
import { checkOneContent, contentRules } from '../messaging/contentRules.ts';
import { type MessageOptions, sendToInbox } from '../messaging/sendMessage.ts';
import type { SentMessage } from '../models/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { contentBounds, inboxOf } from './internal/inbox.ts';

export type * from '../messaging/content.ts';

interface SendMessageCommon extends PageCallOptions, KeyedOptions, MessageOptions {
  readonly pageId: string;
  /** Page-scoped id of the customer, as conversations and message events hold it. */
  readonly recipientId: string;
}

/** A message with exactly one kind of content: `text`, `attachment`, `images` or `template`. */
export type SendMessageOptions = SendMessageCommon & PageContent;

/**
 * Sends a message to a customer of a Page, within 24 hours of the customer's last message: a text, with quick replies
 * or without, a file, several images, or a template.
 *
 * Once-only: after a lost response, the newest messages of the conversation are looked up, and the one that this call
 * sent is returned: a text is identified by its words, anything else by being the only new message of its kind at the
 * last of four lookups. If it cannot be identified, the error's `outcome` is `unknown`.
 *
 * Fails with PermissionError, of category `window`, when the 24 hours have passed. After that, `humanAgent` is still
 * allowed for up to 7 days, and so is a `privateReply` to a comment; otherwise the customer has to write first. Fails
 * with ConfigurationError when there is not exactly one kind of content, or it is out of bounds.
 *
 * The platform fetches addresses during the call. For a large file, set a longer `timeoutMs` with `withOptions`.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Send API.
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
  const checked = check(
    context,
    options,
    () => ({
      idempotencyKey: keyIn(context),
      pageId: id,
      pageToken: token,
      recipientId: id,
      replyTo: optional(id),
      humanAgent: optional(flag),
      ...contentRules(contentBounds),
    }),
    checkOneContent,
  );
  return perform(context, 'sendMessage', checked, (call, own) => {
    const { pageId, recipientId } = own;
    return keyed(
      context,
      call,
      'page',
      own,
      (context) =>
        sendToInbox(context, {
          ...call,
          inbox: inboxOf(pageId),
          sender: pageId,
          recipientId,
          content: own,
        }),
      { looksWhileHeld: true },
    );
  });
}
