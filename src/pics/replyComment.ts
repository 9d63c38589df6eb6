import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { check, id, text, token } from '../core/options/check.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import { findByText } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { asCreated, type Created, createdSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export interface ReplyCommentOptions extends PicsCallOptions, KeyedOptions {
  readonly commentId: string;
  readonly message: string;
}

/**
 * Replies to a comment in public.
 *
 * Once-only: after a lost response, the reply that this call created is looked up among the replies to the comment, by
 * its text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform guide, Comment Moderation.
 *
 * @example
 * const reply = await replyComment(context, { commentId, token, message: 'Thank you!' });
 * if (reply.isOk()) console.log(reply.value.id);
 *
 * @example With a client, which throws
 * const reply = await client.replyComment({ commentId, token, message: 'Thank you!' });
 */
export function replyComment(
  context: PicsContext,
  options: ReplyCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, () => ({
    idempotencyKey: keyIn(context),
    commentId: id,
    token,
    message: text,
  }));
  return perform(context, 'replyComment', checked, (call, own) => {
    const { commentId, message } = own;
    return keyed(context, call, 'pics', own, (context) =>
      sendOnce(
        context,
        {
          ...call,
          method: 'POST',
          path: path`${commentId}/replies`,
          form: { message },
          schema: createdSchema,
        },
        findByText(context, {
          ...call,
          list: `${commentId}/replies`,
          path: path`${commentId}/replies`,
          query: { fields: 'id,text,timestamp,user', limit: 50 },
          text: message,
          textField: 'text',
          timeField: 'timestamp',
          // The platform names the `user` of the account's own replies only.
          entriesIn: (replies) => replies.filter(({ user }) => Boolean(user)),
          ...asCreated,
        }),
      ),
    );
  });
}
