import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check, id, oneOf } from '../core/options/check.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMode } from './internal/account.ts';
import { accountListRules } from './internal/lists.ts';

export interface HashtagMediaOptions extends PicsCallOptions {
  /** Id of the account that looks. Required. */
  readonly picsUserId?: string | undefined;
  /** From `hashtagId`. */
  readonly hashtagId: string;
  /** `recent`: those of the last 24 hours; `top`: the most popular ones, as the platform ranks them. */
  readonly order: 'top' | 'recent';
  /**
   * Media to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those that the platform documents: neither `username` nor `owner`
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields =
  'id,caption,media_type,media_url,permalink,timestamp,like_count,comments_count,children{id,media_type,media_url,permalink}';

/**
 * Lists public media with a hashtag, of all accounts; whose they are is not told. Page mode only.
 *
 * The list ends where the platform has no more entries, so that one request more is sent than there are pages. Its
 * cursor can stay the same from page to page; one that brings nothing new any more is an ApiError. `hasMore` tells that
 * there may be more.
 *
 * Permissions: `pics_basic`, `pages_read_engagement`, `pages_show_list`. Feature Public Content Access of the
 * photo-sharing platform. Source: platform reference, Hashtag Recent Media, Hashtag Top Media.
 *
 * @example
 * const found = await hashtagMedia(context, { token, picsUserId, hashtagId: '17843', order: 'recent', limit: 100 });
 * if (found.isOk()) for (const { permalink, caption } of found.value) console.log(permalink, caption);
 *
 * @example With a client, which throws
 * const found = await client.hashtagMedia({ token, picsUserId, hashtagId: '17843', order: 'top' });
 */
export function hashtagMedia(
  context: PicsContext,
  options: HashtagMediaOptions,
): ResultAsync<List<Media>, Failure> {
  const checked = check(
    context,
    options,
    () => ({ ...accountListRules(context), hashtagId: id, order }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'hashtagMedia', checked, (call, own) => {
    const { picsUserId, hashtagId, order: wanted, limit = 25, fields } = own;
    return list(context, {
      ...call,
      path: `${path`${hashtagId}`}/${wanted}_media`,
      query: { user_id: picsUserId, fields: fields?.join(',') ?? defaultFields },
      limit,
      // The most that the platform returns at once.
      pageSize: 50,
      byCursor: true,
      item: mediaSchema,
    });
  });
}

const order = oneOf('top', 'recent');
