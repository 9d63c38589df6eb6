import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type ScheduledPost, scheduledPostSchema } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { pageListRules } from './internal/lists.ts';

export interface ScheduledPostsOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Posts to return, over all pages of the list.
   * @default all of them
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a post. An unknown one fails the whole call.
   * @default text, times, state and address
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the scheduled posts of a Page, without drafts and other unpublished posts.
 *
 * Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`,
 * `MANAGE` or `MODERATE`. Source: Graph API reference, Page scheduled posts.
 *
 * @example
 * const planned = await scheduledPosts(context, { pageId, pageToken });
 * if (planned.isOk()) console.log(planned.value.map((post) => post.scheduled_publish_time));
 *
 * @example With a client, which throws
 * const planned = await client.scheduledPosts({ pageId, pageToken });
 */
export function scheduledPosts(
  context: PageContext,
  options: ScheduledPostsOptions,
): ResultAsync<List<ScheduledPost>, Failure> {
  const checked = check(context, options, pageListRules);
  return perform(context, 'scheduledPosts', checked, (call, { pageId, limit = Infinity, fields }) =>
    list(context, {
      ...call,
      path: path`${pageId}/scheduled_posts`,
      query: { fields: fields?.join(',') ?? defaultFields },
      limit,
      item: scheduledPostSchema,
    }),
  );
}

const defaultFields = 'id,message,story,created_time,scheduled_publish_time,is_published,permalink_url';
