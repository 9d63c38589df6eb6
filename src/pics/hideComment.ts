import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, flag, id, optional, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

export interface HideCommentOptions extends PicsCallOptions {
  readonly commentId: string;
  /**
   * `false` shows the comment again.
   * @default true
   */
  readonly hidden?: boolean | undefined;
}

/**
 * Hides a comment, or shows it again.
 *
 * For the account's own comments the platform reports success, but does not hide them.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, Comment.
 *
 * @example
 * const hidden = await hideComment(context, { commentId, token });
 * if (hidden.isErr()) console.error(hidden.error.message);
 *
 * @example With a client, which throws
 * const hidden = await client.hideComment({ commentId, token });
 */
export function hideComment(
  context: PicsContext,
  options: HideCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ commentId: id, token, hidden: optional(flag) }));
  return perform(context, 'hideComment', checked, (call, { commentId, hidden = true }) =>
    send(context, {
      ...call,
      method: 'POST',
      path: path`${commentId}`,
      // Not in the body, where the platform accepts it and ignores it.
      query: { hide: hidden },
      schema: acknowledgementSchema,
    }),
  );
}
