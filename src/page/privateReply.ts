import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, exactlyOneOf, id, optional, token } from '../core/options/check.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import type { PageContent } from '../messaging/content.ts';
import { checkOneContent, contentRules } from '../messaging/contentRules.ts';
import { replyPrivately } from '../messaging/sendMessage.ts';
import type { SentMessage } from '../models/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { contentBounds, inboxOf } from './internal/inbox.ts';

interface PrivateReplyCommon extends PageCallOptions, KeyedOptions {
  readonly pageId: string;
}

/** What to reply to: a comment, or a post of a visitor. */
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
 * is sent again; if it had taken effect, the error's `outcome` is `applied`: the person has a private reply, but its id
 * is not known.
 *
 * Fails with ConfigurationError when there is not exactly one kind of content, or it is out of bounds.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, Private Replies.
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
  const checked = check(
    context,
    options,
    () => ({
      idempotencyKey: keyIn(context),
      pageId: id,
      pageToken: token,
      commentId: optional(id),
      postId: optional(id),
      ...contentRules(contentBounds),
    }),
    (own) => exactlyOneOf(own, 'commentId', 'postId') ?? checkOneContent(own),
  );
  return perform(context, 'privateReply', checked, (call, own) => {
    const { pageId, commentId, postId } = own;
    return keyed(context, call, 'page', own, (context) =>
      replyPrivately(context, {
        ...call,
        inbox: inboxOf(pageId),
        sender: pageId,
        recipient: postId === undefined ? { comment_id: commentId } : { post_id: postId },
        content: own,
      }),
    );
  });
}
