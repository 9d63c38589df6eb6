import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type Hashtag, hashtagSchema } from '../models/discovery.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountOf, checkMode } from './internal/account.ts';
import { accountListRules } from './internal/lists.ts';

/** The most that the platform returns at once, and counts in a week. */
const most = 30;

export interface RecentHashtagsOptions extends PicsCallOptions {
  /** Id of the account. Required. */
  readonly picsUserId?: string | undefined;
  /**
   * Hashtags to return, over all pages.
   * @default 30, as many as count
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default id, name
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the hashtags that the account has searched for in the last 7 days: those that count against its 30. Page mode
 * only.
 *
 * Permissions: `pics_basic`, `pages_read_engagement`, `pages_show_list`. Feature Public Content Access of the
 * photo-sharing platform. Source: platform reference, Recently Searched Hashtags.
 *
 * @example
 * const searched = await recentHashtags(context, { token, picsUserId });
 * if (searched.isOk()) console.log(`${30 - searched.value.length} more in this week`);
 *
 * @example With a client, which throws
 * for (const { id, name } of await client.recentHashtags({ token, picsUserId })) console.log(id, name);
 */
export function recentHashtags(
  context: PicsContext,
  options: RecentHashtagsOptions,
): ResultAsync<List<Hashtag>, Failure> {
  const checked = check(
    context,
    options,
    () => accountListRules(context),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'recentHashtags', checked, (call, own) => {
    const { picsUserId, limit = most, fields } = own;
    return list(context, {
      ...call,
      path: path`${accountOf(picsUserId)}/recently_searched_hashtags`,
      query: { fields: fields?.join(',') ?? 'id,name' },
      limit,
      pageSize: most,
      item: hashtagSchema,
    });
  });
}
