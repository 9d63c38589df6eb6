import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, optional, token } from '../core/options/check.ts';
import { type MessengerProfile, readProfile } from '../messaging/profile.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import {
  profileCall,
  profileNames,
  type InboxOptions,
  profileProperties,
  type ProfileProperty,
} from './internal/inbox.ts';

export interface MessengerProfileOptions extends InboxOptions {
  /**
   * Properties to read.
   * @default both
   */
  readonly fields?: readonly ProfileProperty[] | undefined;
}

/**
 * Reads the messenger profile of the account's inbox: its ice breakers and its menu.
 *
 * Ice breakers that were set in the older form, without languages, have the locale `default`.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. At most 10 calls of the
 * profile functions in 10 minutes for each Page. Source: platform guides, Ice Breakers, Persistent Menu.
 *
 * @example
 * const profile = await messengerProfile(context, { token });
 * if (profile.isOk()) console.log(profile.value.ice_breakers?.[0]?.call_to_actions);
 *
 * @example With a client, which throws
 * const { persistent_menu } = await client.messengerProfile({ token });
 */
export function messengerProfile(
  context: PicsContext,
  options: MessengerProfileOptions,
): ResultAsync<MessengerProfile, Failure> {
  const checked = check(context, options, () => ({
    token,
    picsUserId: optional(id),
    pageId: accountId(context),
    fields: optional(profileNames),
  }));
  return perform(context, 'messengerProfile', checked, (call, own) => {
    const { fields = profileProperties } = own;
    return readProfile(context, profileCall(context, own, call), fields);
  });
}
