import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export interface DeleteCommentOptions extends PicsCallOptions {
  readonly commentId: string;
  /** User token in login mode, page token in page mode, of the account that owns the media. */
  readonly token: string;
}

/**
 * Deletes a comment. This cannot be undone.
 *
 * After a lost response it is sent again. If the platform then says that there is no such comment, the error's
 * `outcome` is `unknown`: either the first attempt deleted it, or the token may not see it. The platform has one code
 * for both.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, Comment.
 *
 * @example
 * const deleted = await deleteComment(context, { commentId, token });
 * if (deleted.isOk()) console.log('gone');
 *
 * @example With a client, which throws
 * const deleted = await client.deleteComment({ commentId, token });
 */
export function deleteComment(
  context: PicsContext,
  options: DeleteCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ commentId: id, token }));
  return perform(context, 'deleteComment', checked, (call, { commentId }) =>
    send(context, {
      ...call,
      method: 'DELETE',
      path: path`${commentId}`,
      schema: acknowledgementSchema,
    }),
  );
}
