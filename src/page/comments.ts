import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PageComment } from '../models/comments.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { commentRules, commentsOf } from './internal/lists.ts';

export interface CommentsOptions extends PageCallOptions {
  readonly postId: string;
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
  /**
   * Comments to return, over all pages of the list.
   * @default 50
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a comment. An unknown one fails the whole call.
   * @default text, time, author, counts, state, rights, address, parent and attachment
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the comments on a post, newest first, without the replies to them.
 *
 * To list the replies to a comment, pass its id as `postId`.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform reference, Object comments.
 *
 * @example
 * const newest = await comments(context, { postId, pageToken, limit: 10 });
 * if (newest.isOk()) console.log(newest.value.map((comment) => comment.message));
 *
 * @example With a client, which throws
 * const newest = await client.comments({ postId, pageToken, limit: 10 });
 */
export function comments(
  context: PageContext,
  options: CommentsOptions,
): ResultAsync<List<PageComment>, Failure> {
  const checked = check(context, options, commentRules);
  return perform(context, 'comments', checked, (call, own) => {
    const { limit = 50 } = own;
    return list(context, { ...call, ...commentsOf(own), limit });
  });
}
