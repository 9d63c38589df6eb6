import type { Result } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { idOf, walk, walkPages } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PagePost } from '../models/posts.ts';
import type { PageContext } from './context.ts';
import { pageListRules, publishedPosts } from './internal/lists.ts';
import type { PostsOptions } from './posts.ts';

export interface IteratePostsOptions extends PostsOptions {
  /**
   * Posts to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
}

/**
 * Yields the posts that a Page has published one by one, newest first, as `posts` lists them, and requests each page of
 * 100 when it is needed. A failure ends the walk.
 *
 * The platform returns about 600 posts for each year.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform reference, Page published posts.
 *
 * @example
 * for await (const post of iteratePosts(context, { pageId, pageToken })) {
 *   if (post.isOk()) console.log(post.value.created_time, post.value.message);
 * }
 *
 * @example With a client, which throws
 * for await (const { created_time, message } of client.iteratePosts({ pageId, pageToken })) {
 *   console.log(created_time, message);
 * }
 */
export function iteratePosts(
  context: PageContext,
  options: IteratePostsOptions,
): AsyncGenerator<Result<PagePost, Failure>, void, undefined> {
  const checked = check(context, options, pageListRules);
  return walk(context, 'iteratePosts', checked, (call, own) =>
    walkPages(context, { ...call, ...publishedPosts(own), limit: own.limit ?? Infinity, idOf }),
  );
}
