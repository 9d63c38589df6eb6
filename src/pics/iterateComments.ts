import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { idOf, walk, walkPages } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PicsComment } from '../models/comments.ts';
import type { CommentsOptions } from './comments.ts';
import type { PicsContext } from './context.ts';
import { mediaListRules, commentsOf } from './internal/lists.ts';

export interface IterateCommentsOptions extends CommentsOptions {
  /**
   * Comments to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
}

/**
 * Yields the comments on a post one by one, newest first, as `comments` lists them, and requests each page of 50 when
 * it is needed. A failure ends the walk. Replies are in the `replies` of their comment.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform guide, Comments.
 *
 * @example
 * for await (const comment of iterateComments(context, { mediaId, token })) {
 *   if (comment.isOk()) console.log(comment.value.username, comment.value.text);
 * }
 *
 * @example With a client, which throws
 * for await (const { username, text } of client.iterateComments({ mediaId, token })) {
 *   console.log(username, text);
 * }
 */
export function iterateComments(
  context: PicsContext,
  options: IterateCommentsOptions,
): AsyncGenerator<Result<PicsComment, Failure>, void, undefined> {
  const checked = check(context, options, mediaListRules);
  return walk(context, 'iterateComments', checked, (call, own) =>
    walkPages(context, { ...call, ...commentsOf(own), limit: own.limit ?? Infinity, idOf }),
  );
}
