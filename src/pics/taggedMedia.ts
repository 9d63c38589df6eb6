import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import type { PicsContext } from './context.ts';
import { accountOf, type AccountOptions } from './internal/account.ts';
import { accountListRules, withMediaFields } from './internal/lists.ts';

export interface TaggedMediaOptions extends AccountOptions {
  /**
   * Media to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default the documented fields of {@link Media}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the media of others in which the account is tagged, newest first. Those of private accounts are left out.
 *
 * The list ends where the platform has no more entries, so that one request more is sent than there are pages.
 * `hasMore` says that there may be more. No webhook reports tags, and a tag cannot be replied to.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, User Tags.
 *
 * @example
 * const tagged = await taggedMedia(context, { token, limit: 10 });
 * if (tagged.isOk()) for (const { username, permalink } of tagged.value) console.log(username, permalink);
 *
 * @example With a client, which throws
 * const tagged = await client.taggedMedia({ token, limit: 10 });
 */
export function taggedMedia(
  context: PicsContext,
  options: TaggedMediaOptions,
): ResultAsync<List<Media>, Failure> {
  const checked = check(context, options, () => accountListRules(context));
  return perform(context, 'taggedMedia', checked, (call, own) => {
    const { picsUserId, limit = 25, fields: chosen } = own;
    return withMediaFields(context, chosen, (fields) =>
      list(context, {
        ...call,
        path: path`${accountOf(picsUserId)}/tags`,
        query: { fields },
        limit,
        byCursor: true,
        item: mediaSchema,
      }),
    );
  });
}
