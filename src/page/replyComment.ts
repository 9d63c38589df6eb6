import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { check, id, text, token } from '../core/options/check.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type Created, createdSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { commentLookup } from './internal/lookups.ts';

export interface ReplyCommentOptions extends PageCallOptions, KeyedOptions {
  readonly commentId: string;
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
  readonly message: string;
}

/**
 * Replies to a comment, in the name of the Page.
 *
 * Once-only: after a lost response, the reply that this call created is looked up among the newest replies to the
 * comment, by its author, text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`;
 * that is always so for a reply to a reply, which the platform attaches to the top-level comment, and if the token may
 * not see who wrote a reply.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. Source:
 * platform reference, Object comments.
 *
 * @example
 * const reply = await replyComment(context, { commentId, pageToken, message: 'Thank you!' });
 * if (reply.isOk()) console.log(reply.value.id);
 *
 * @example With a client, which throws
 * const reply = await client.replyComment({ commentId, pageToken, message: 'Thank you!' });
 */
export function replyComment(
  context: PageContext,
  options: ReplyCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, () => ({
    idempotencyKey: keyIn(context),
    commentId: id,
    pageToken: token,
    message: text,
  }));
  return perform(context, 'replyComment', checked, (call, own) => {
    const { commentId, message } = own;
    return keyed(context, call, 'page', own, (context) =>
      sendOnce(
        context,
        {
          ...call,
          method: 'POST',
          path: path`${commentId}/comments`,
          form: { message },
          schema: createdSchema,
        },
        commentLookup(context, commentId, message, call),
      ),
    );
  });
}
