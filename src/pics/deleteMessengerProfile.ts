import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, optional, token } from '../core/options/check.ts';
import { deleteProfile } from '../messaging/profile.ts';
import type { Acknowledgement } from '../models/written.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { profileCall, profileNames, type InboxOptions, type ProfileProperty } from './internal/inbox.ts';

export interface DeleteMessengerProfileOptions extends InboxOptions {
  /** Properties to remove, in all languages. */
  readonly fields: readonly ProfileProperty[];
}

/**
 * Removes the ice breakers of the account's inbox, its menu, or both. It is safe to repeat, so it is retried.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. At most 10 calls of the
 * profile functions in 10 minutes for each Page. Source: platform guides, Ice Breakers, Persistent Menu.
 *
 * @example
 * const deleted = await deleteMessengerProfile(context, { token, fields: ['persistent_menu'] });
 * if (deleted.isErr()) console.error(deleted.error.message);
 *
 * @example With a client, which throws
 * await client.deleteMessengerProfile({ token, fields: ['ice_breakers', 'persistent_menu'] });
 */
export function deleteMessengerProfile(
  context: PicsContext,
  options: DeleteMessengerProfileOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({
    token,
    picsUserId: optional(id),
    pageId: accountId(context),
    fields: profileNames,
  }));
  return perform(context, 'deleteMessengerProfile', checked, (call, own) => {
    const { fields } = own;
    return deleteProfile(context, profileCall(context, own, call), fields);
  });
}
