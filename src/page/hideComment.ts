import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, flag, id, optional, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface HideCommentOptions extends PageCallOptions {
  readonly commentId: string;
  /**
   * `false` shows the comment again.
   * @default true
   */
  readonly hidden?: boolean | undefined;
}

/**
 * Hides a comment on a post of the Page, or shows it again. Its author and the author's friends can still see it.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. Source:
 * platform reference, Comment.
 *
 * @example
 * const hidden = await hideComment(context, { commentId, pageToken });
 * if (hidden.isErr()) console.error(hidden.error.message);
 *
 * @example With a client, which throws
 * const hidden = await client.hideComment({ commentId, pageToken });
 */
export function hideComment(
  context: PageContext,
  options: HideCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({
    commentId: id,
    pageToken: token,
    hidden: optional(flag),
  }));
  return perform(context, 'hideComment', checked, (call, { commentId, hidden = true }) =>
    send(context, {
      ...call,
      method: 'POST',
      path: path`${commentId}`,
      form: { is_hidden: hidden },
      schema: acknowledgementSchema,
    }),
  );
}
