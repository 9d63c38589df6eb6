import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check, token } from '../core/options/check.ts';
import type { Page } from '../models/page.ts';
import type { PageContext, UserCallOptions } from './context.ts';
import { pageList } from './internal/lists.ts';

export type PagesOptions = UserCallOptions;

/**
 * Lists the Pages that a user manages, at most 500, each with its page token and its linked photo-sharing
 * professional account.
 *
 * A page token from a long-lived user token does not expire. Pages that the user can only reach through a business
 * portfolio may be missing: see `portfolioPages`.
 *
 * Permission: `pages_show_list`. Without `business_management`, a Page that a portfolio holds is left out; without
 * `pics_basic`, the linked account. Source: platform reference, User accounts.
 *
 * @example
 * const managed = await pages(context, { token });
 * if (managed.isOk()) console.log(managed.value.map((page) => page.name));
 *
 * @example With a client, which throws
 * const managed = await client.pages({ token });
 */
export function pages(context: PageContext, options: PagesOptions): ResultAsync<List<Page>, Failure> {
  const checked = check(context, options, () => ({ token }));
  return perform(context, 'pages', checked, (call) =>
    list(context, {
      ...call,
      ...pageList(context),
      path: 'me/accounts',
      limit: 500,
    }),
  );
}
