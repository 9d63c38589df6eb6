import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PagePost } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { pageListRules, publishedPosts } from './internal/lists.ts';

export interface PostsOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Posts to return, over all pages of the list.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a post. An unknown one fails the whole call.
   * @default text, times, address, picture, kind, state, author and shares
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the posts that a Page has published, newest first, without posts by others.
 *
 * The platform returns about 600 posts for each year.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform reference, Page published posts.
 *
 * @example
 * const newest = await posts(context, { pageId, pageToken, limit: 5 });
 * if (newest.isOk()) console.log(newest.value.map((post) => post.message));
 *
 * @example With a client, which throws
 * const newest = await client.posts({ pageId, pageToken, limit: 5 });
 */
export function posts(context: PageContext, options: PostsOptions): ResultAsync<List<PagePost>, Failure> {
  const checked = check(context, options, pageListRules);
  return perform(context, 'posts', checked, (call, own) => {
    const { limit = 25 } = own;
    return list(context, { ...call, ...publishedPosts(own), limit });
  });
}
