import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, token as tokenRule } from '../core/options/check.ts';
import { type PicsProfile, picsProfileSchema } from '../models/profile.ts';
import { accountId, accountOf, type AccountOptions } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

export interface ProfileOptions extends AccountOptions {}

const fields =
  'id,username,name,profile_picture_url,biography,website,followers_count,follows_count,media_count';

/**
 * Reads the profile of the account.
 *
 * Page mode has neither `user_id` nor `account_type`.
 *
 * Source: platform reference, user node.
 *
 * @example
 * const account = await profile(context, { token });
 * if (account.isOk()) console.log(account.value.username, account.value.followers_count);
 */
export function profile(context: PicsContext, options: ProfileOptions): ResultAsync<PicsProfile, Failure> {
  const checked = check(context, options, () => ({ token: tokenRule, picsUserId: accountId(context) }));
  return perform(context, 'profile', checked, (call, { picsUserId }) =>
    send(context, {
      ...call,
      method: 'GET',
      path: path`${accountOf(picsUserId)}`,
      query: { fields: context.mode === 'login' ? `${fields},user_id,account_type` : fields },
      schema: picsProfileSchema,
    }),
  );
}
