import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { deleteProfile } from '../messaging/profile.ts';
import type { Acknowledgement } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { profileNames, type ProfileProperty } from './internal/inbox.ts';

export interface DeleteMessengerProfileOptions extends PageCallOptions {
  readonly pageId: string;
  /** Properties to remove, in all languages. */
  readonly fields: readonly ProfileProperty[];
}

/**
 * Removes properties from the messenger profile of the Page's inbox. It is safe to repeat, so it is retried.
 *
 * The platform refuses to remove `get_started` while there is a menu: remove `persistent_menu` too.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Only an administrator of the Page may remove `whitelisted_domains`. At most 10 calls of the profile
 * functions in 10 minutes for each Page. Source: platform reference, Messenger Profile API.
 *
 * @example
 * const deleted = await deleteMessengerProfile(context, { pageId, pageToken, fields: ['ice_breakers'] });
 * if (deleted.isErr()) console.error(deleted.error.message);
 *
 * @example With a client, which throws
 * await client.deleteMessengerProfile({ pageId, pageToken, fields: ['get_started', 'persistent_menu'] });
 */
export function deleteMessengerProfile(
  context: PageContext,
  options: DeleteMessengerProfileOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ pageId: id, pageToken: token, fields: profileNames }));
  return perform(context, 'deleteMessengerProfile', checked, (call, { pageId, fields }) =>
    deleteProfile(context, { ...call, node: pageId }, fields),
  );
}
