import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, token as tokenRule } from '../core/options/check.ts';
import { type PublishingLimit, publishingLimitSchema } from '../models/media.ts';
import type { PicsContext } from './context.ts';
import { accountId, accountOf, type AccountOptions } from './internal/account.ts';

export interface PublishingLimitOptions extends AccountOptions {}

/**
 * Reads how many posts the account may still publish. Stories count; a carousel counts as one.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_content_publish`; in page mode: `pics_basic`,
 * `pics_content_publish`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, content publishing
 * limit.
 *
 * @example
 * const limit = await publishingLimit(context, { token });
 * if (limit.isOk()) console.log(limit.value.quota_usage, limit.value.quota_total);
 *
 * @example With a client, which throws
 * const limit = await client.publishingLimit({ token });
 */
export function publishingLimit(
  context: PicsContext,
  options: PublishingLimitOptions,
): ResultAsync<PublishingLimit, Failure> {
  const checked = check(context, options, () => ({ token: tokenRule, picsUserId: accountId(context) }));
  return perform(context, 'publishingLimit', checked, (call, { picsUserId }) =>
    send(context, {
      ...call,
      method: 'GET',
      path: path`${accountOf(picsUserId)}/content_publishing_limit`,
      query: { fields: 'quota_usage,config' },
      schema: publishingLimitSchema,
    }),
  );
}
