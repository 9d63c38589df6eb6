import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PagePost } from '../models/posts.ts';
import type { PageContext } from './context.ts';
import { pageListRules, postsOn } from './internal/lists.ts';
import type { PostsOptions } from './posts.ts';

export type VisitorPostsOptions = PostsOptions;

/**
 * Lists what visitors posted on a Page, newest first.
 *
 * The platform does not support this for Pages of the new experience, as it calls the present ones, and does not say
 * what it responds for those: the webhook field `feed` reports visitors' posts there.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform reference, Page visitor posts.
 *
 * @example
 * const found = await visitorPosts(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((post) => post.message));
 *
 * @example With a client, which throws
 * const found = await client.visitorPosts({ pageId, pageToken });
 */
export function visitorPosts(
  context: PageContext,
  options: VisitorPostsOptions,
): ResultAsync<List<PagePost>, Failure> {
  const checked = check(context, options, pageListRules);
  return perform(context, 'visitorPosts', checked, (call, own) => {
    const { limit = 25 } = own;
    return list(context, { ...call, ...postsOn(path`${own.pageId}/visitor_posts`, own), limit });
  });
}
