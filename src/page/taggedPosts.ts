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

export type TaggedPostsOptions = PostsOptions;

/**
 * Lists public posts that tag a Page, newest first.
 *
 * Posts of other Pages are listed only if the platform holds those for authentic.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: platform reference, Page tagged.
 *
 * @example
 * const found = await taggedPosts(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((post) => post.message));
 *
 * @example With a client, which throws
 * const found = await client.taggedPosts({ pageId, pageToken });
 */
export function taggedPosts(
  context: PageContext,
  options: TaggedPostsOptions,
): ResultAsync<List<PagePost>, Failure> {
  const checked = check(context, options, pageListRules);
  return perform(context, 'taggedPosts', checked, (call, own) => {
    const { limit = 25 } = own;
    return list(context, { ...call, ...postsOn(path`${own.pageId}/tagged`, own), limit });
  });
}
