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

export interface PublishCommentOptions extends PicsCallOptions, KeyedOptions {
  /** Media of the account. */
  readonly mediaId: string;
  readonly message: string;
}

/**
 * Comments publicly on media of the account, as the account.
 *
 * Once-only: after a lost response, the comment that this call created is looked up among the account's own comments on
 * the media, by its text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, Media Comments.
 *
 * @example
 * const comment = await publishComment(context, { mediaId, token, message: 'Still available!' });
 * if (comment.isOk()) console.log(comment.value.id);
 *
 * @example With a client, which throws
 * const comment = await client.publishComment({ mediaId, token, message: 'Still available!' });
 */
export function publishComment(
  context: PicsContext,
  options: PublishCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, () => ({
    idempotencyKey: keyIn(context),
    mediaId: id,
    token,
    message: text,
  }));
  return perform(context, 'publishComment', checked, (call, own) => {
    const { mediaId, message } = own;
    const request = {
      ...call,
      path: path`${mediaId}/comments`,
    };
    return keyed(context, call, 'pics', own, (context) =>
      sendOnce(
        context,
        { ...request, method: 'POST', form: { message }, schema: createdSchema },
        findByText(context, {
          ...request,
          list: `${mediaId}/comments`,
          query: { fields: 'id,text,timestamp,user', limit: 50 },
          text: message,
          textField: 'text',
          timeField: 'timestamp',
          // The platform names the `user` of the account's own comments only.
          entriesIn: (comments) => comments.filter(({ user }) => Boolean(user)),
          ...asCreated,
        }),
      ),
    );
  });
}
