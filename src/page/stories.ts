import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, collect } from '../core/lists/list.ts';
import { check, count, id, optional, token } from '../core/options/check.ts';
import { type Story, storySchema } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface StoriesOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Stories to return, over all pages of the list.
   * @default 25
   */
  readonly limit?: number | undefined;
}

/**
 * Lists the stories of a Page.
 *
 * A story lasts 24 hours. Archived ones are listed only if the Page has an archive.
 *
 * Permissions: `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source: Page stories guide.
 *
 * @example
 * const current = await stories(context, { pageId, pageToken });
 * if (current.isOk()) console.log(current.value.map((story) => story.url));
 *
 * @example With a client, which throws
 * const current = await client.stories({ pageId, pageToken });
 */
export function stories(context: PageContext, options: StoriesOptions): ResultAsync<List<Story>, Failure> {
  const checked = check(context, options, () => ({ pageId: id, pageToken: token, limit: optional(count) }));
  return perform(context, 'stories', checked, (call, { pageId, limit = 25 }) => {
    // Without `fields`, the platform returns all fields, and no unknown field can fail the call.
    return collect(context, {
      ...call,
      path: path`${pageId}/stories`,
      limit,
      item: storySchema,
      idOf: ({ post_id }) => post_id,
    });
  });
}
