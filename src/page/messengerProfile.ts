import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, id, optional, token } from '../core/options/check.ts';
import { type MessengerProfile, readProfile } from '../messaging/profile.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { profileNames, type ProfileProperty, profileProperties } from './internal/inbox.ts';

export interface MessengerProfileOptions extends PageCallOptions {
  readonly pageId: string;
  /**
   * Properties to read.
   * @default all of them
   */
  readonly fields?: readonly ProfileProperty[] | undefined;
}

/**
 * Reads the messenger profile of the Page's inbox: its greeting, its Get Started button, ice breakers and menu.
 *
 * Ice breakers that were set in the older form, without languages, have the locale `default`. The platform's guides
 * have `greeting`, and its specification has not: should it be refused, name the other `fields`.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. At most 10 calls of the profile functions in 10 minutes for each Page. Source: platform reference,
 * Messenger Profile API.
 *
 * @example
 * const profile = await messengerProfile(context, { pageId, pageToken });
 * if (profile.isOk()) console.log(profile.value.greeting?.[0]?.text);
 *
 * @example With a client, which throws
 * const { persistent_menu } = await client.messengerProfile({ pageId, pageToken, fields: ['persistent_menu'] });
 */
export function messengerProfile(
  context: PageContext,
  options: MessengerProfileOptions,
): ResultAsync<MessengerProfile, Failure> {
  const checked = check(context, options, () => ({
    pageId: id,
    pageToken: token,
    fields: optional(profileNames),
  }));
  return perform(context, 'messengerProfile', checked, (call, { pageId, fields = profileProperties }) =>
    readProfile(context, { ...call, node: pageId }, fields),
  );
}
