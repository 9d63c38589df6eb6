import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { idOf, walk, walkPages } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PageComment } from '../models/comments.ts';
import type { CommentsOptions } from './comments.ts';
import type { PageContext } from './context.ts';
import { commentRules, commentsOf } from './internal/lists.ts';

export interface IterateCommentsOptions extends CommentsOptions {
  /**
   * Comments to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
}

/**
 * Yields the comments on a post one by one, newest first, as `comments` lists them, and requests each page of 100 when
 * it is needed. A failure ends the walk.
 *
 * To walk the replies to a comment, pass its id as `postId`.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform reference, Object comments.
 *
 * @example
 * for await (const comment of iterateComments(context, { postId, pageToken })) {
 *   if (comment.isOk()) console.log(comment.value.from?.name, comment.value.message);
 * }
 *
 * @example With a client, which throws
 * for await (const { from, message } of client.iterateComments({ postId, pageToken })) {
 *   console.log(from?.name, message);
 * }
 */
export function iterateComments(
  context: PageContext,
  options: IterateCommentsOptions,
): AsyncGenerator<Result<PageComment, Failure>, void, undefined> {
  const checked = check(context, options, commentRules);
  return walk(context, 'iterateComments', checked, (call, own) =>
    walkPages(context, { ...call, ...commentsOf(own), limit: own.limit ?? Infinity, idOf }),
  );
}
