import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type BlockedUser, blockedUserSchema } from '../models/profiles.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { pageListRules } from './internal/lists.ts';

export interface BlockedUsersOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * People to return, over all pages of the list.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a person. An unknown one fails the whole call.
   * @default id and name
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the people whom a Page blocks.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. The
 * platform documents the task and not the permissions. Source: platform reference, Page blocked.
 *
 * @example
 * const blocked = await blockedUsers(context, { pageId, pageToken, limit: 100 });
 * if (blocked.isOk()) console.log(blocked.value.map((user) => user.name));
 *
 * @example With a client, which throws
 * const blocked = await client.blockedUsers({ pageId, pageToken });
 */
export function blockedUsers(
  context: PageContext,
  options: BlockedUsersOptions,
): ResultAsync<List<BlockedUser>, Failure> {
  const checked = check(context, options, pageListRules);
  return perform(context, 'blockedUsers', checked, (call, { pageId, limit = 25, fields }) =>
    list(context, {
      ...call,
      path: path`${pageId}/blocked`,
      query: { fields: fields?.join(',') ?? 'id,name' },
      limit,
      item: blockedUserSchema,
    }),
  );
}
