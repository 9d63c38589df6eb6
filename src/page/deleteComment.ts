import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface DeleteCommentOptions extends PageCallOptions {
  /** A comment by the Page, or by anyone on a post of the Page. */
  readonly commentId: string;
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
}

/**
 * Deletes a comment. This cannot be undone.
 *
 * After a lost response it is sent again. If the platform then says that there is no such comment, the error's
 * `outcome` is `unknown`, as for `deletePost`.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. Source:
 * Graph API reference, Comment.
 *
 * @example
 * const deleted = await deleteComment(context, { commentId, pageToken });
 * if (deleted.isErr()) console.error(deleted.error.outcome);
 *
 * @example With a client, which throws
 * await client.deleteComment({ commentId, pageToken });
 */
export function deleteComment(
  context: PageContext,
  options: DeleteCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ commentId: id, pageToken: token }));
  return perform(context, 'deleteComment', checked, (call, { commentId }) =>
    send(context, {
      ...call,
      method: 'DELETE',
      path: path`${commentId}`,
      schema: acknowledgementSchema,
    }),
  );
}
