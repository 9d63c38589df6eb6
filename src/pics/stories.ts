import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check, countOrAll, fieldNames, optional, token as tokenRule } from '../core/options/check.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import { accountId, accountOf, checkMode } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { withMediaFields } from './mediaLists.ts';

export interface StoriesOptions extends PicsCallOptions {
  /** Id of the account. Required. */
  readonly picsUserId?: string | undefined;
  /**
   * Stories to return, over all pages.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request; `media_product_type` is always included.
   * @default the documented fields of {@link Media}
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the stories of the last 24 hours, without live and reshared ones. Page mode only.
 *
 * Source: platform reference, user stories.
 *
 * @example
 * const active = await stories(context, { token, picsUserId });
 * if (active.isOk()) console.log(active.value.length);
 */
export function stories(context: PicsContext, options: StoriesOptions): ResultAsync<List<Media>, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token: tokenRule,
      picsUserId: accountId(context),
      limit: optional(countOrAll),
      fields: optional(fieldNames),
    }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'stories', checked, (call, { picsUserId, limit = 25, fields: chosen }) => {
    const requested = chosen && [...new Set([...chosen, 'media_product_type'])];
    return withMediaFields(context, requested, (fields) =>
      list(context, {
        ...call,
        path: path`${accountOf(picsUserId)}/stories`,
        query: { fields },
        limit,
        item: mediaSchema,
      }),
    );
  });
}
