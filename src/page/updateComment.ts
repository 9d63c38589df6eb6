import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, text, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface UpdateCommentOptions extends PageCallOptions {
  /** A comment by the Page. */
  readonly commentId: string;
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
  /** The new text. */
  readonly message: string;
}

/**
 * Changes the text of a comment that the Page wrote. It only sets a state, so it is sent again after a lost response.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. Source:
 * Graph API reference, Comment.
 *
 * @example
 * const changed = await updateComment(context, { commentId, pageToken, message: 'Sold out.' });
 * if (changed.isErr()) console.error(changed.error.message);
 *
 * @example With a client, which throws
 * await client.updateComment({ commentId, pageToken, message: 'Sold out.' });
 */
export function updateComment(
  context: PageContext,
  options: UpdateCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ commentId: id, pageToken: token, message: text }));
  return perform(context, 'updateComment', checked, (call, { commentId, message }) =>
    send(context, {
      ...call,
      method: 'POST',
      path: path`${commentId}`,
      form: { message },
      schema: acknowledgementSchema,
    }),
  );
}
