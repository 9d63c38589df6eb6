import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { Media } from '../models/media.ts';
import type { PicsContext } from './context.ts';
import type { AccountOptions } from './internal/account.ts';
import { accountListRules, mediaOf, withMediaFields } from './internal/lists.ts';

export interface MediaOptions extends AccountOptions {
  /**
   * Posts to return, over all pages.
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
 * Lists the posts of the account, newest first, without stories.
 *
 * Permissions in login mode: `pics_business_basic`; in page mode: `pics_basic`, `pages_read_engagement`,
 * `pages_show_list`. Source: platform reference, user media.
 *
 * @example
 * const posts = await media(context, { token, limit: 10 });
 * if (posts.isOk()) for (const { permalink } of posts.value) console.log(permalink);
 *
 * @example With a client, which throws
 * const posts = await client.media({ token, limit: 10 });
 */
export function media(context: PicsContext, options: MediaOptions): ResultAsync<List<Media>, Failure> {
  const checked = check(context, options, () => accountListRules(context));
  return perform(context, 'media', checked, (call, own) => {
    const { limit = 25, fields: chosen } = own;
    return withMediaFields(context, chosen, (fields) =>
      list(context, { ...call, ...mediaOf(own), query: { fields }, limit }),
    );
  });
}
