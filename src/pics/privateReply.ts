import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import type { PicsContent } from '../messaging/content.ts';
import { checkOneContent, contentRules } from '../messaging/contentRules.ts';
import { replyPrivately } from '../messaging/sendMessage.ts';
import type { SentMessage } from '../models/inbox.ts';
import type { PicsContext } from './context.ts';
import { accountId, senderId } from './internal/account.ts';
import { contentBounds, inboxOf, senderOf, type InboxOptions } from './internal/inbox.ts';

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
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`, `pics_business_manage_messages`;
 * in page mode: `pics_basic`, `pics_manage_comments`, `pics_manage_messages`, `pages_manage_metadata`,
 * `pages_messaging`, `pages_read_engagement`, `pages_show_list`. Source: platform guide, Private Replies.
 *
 * @example
 * const sent = await privateReply(context, { commentId, token, text: 'It costs ten.' });
 * if (sent.isOk()) console.log(sent.value.recipient_id);
 *
 * @example With a client, which throws
 * const sent = await client.privateReply({ commentId, token, text: 'It costs ten.' });
 */
export function privateReply(
  context: PicsContext,
  options: PrivateReplyOptions,
): ResultAsync<SentMessage, Failure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      commentId: id,
      token,
      picsUserId: senderId(context, own),
      pageId: accountId(context),
      ...contentRules(contentBounds),
    }),
    checkOneContent,
  );
  return perform(context, 'privateReply', checked, (call, own) => {
    const { commentId } = own;
    return keyed(context, call, 'pics', own, (context) =>
      replyPrivately(context, {
        ...call,
        inbox: inboxOf(context, own.pageId),
        sender: senderOf(context, own),
        recipient: { comment_id: commentId },
        content: own,
      }),
    );
  });
}
