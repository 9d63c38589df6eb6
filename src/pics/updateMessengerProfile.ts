import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { atLeastOneOf, check, id, optional, token } from '../core/options/check.ts';
import {
  type IceBreakers,
  iceBreakersRule,
  menuRule,
  type PersistentMenu,
  writeProfile,
} from '../messaging/profile.ts';
import type { Acknowledgement } from '../models/written.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { profileCall, type InboxOptions } from './internal/inbox.ts';

export interface UpdateMessengerProfileOptions extends InboxOptions {
  /** Questions to start a conversation with: 1 to 4 in each language, one of which is `default`. */
  readonly iceBreakers?: readonly IceBreakers[] | undefined;
  /** The menu, in each language. */
  readonly persistentMenu?: readonly PersistentMenu[] | undefined;
  readonly greeting?: undefined;
  readonly getStarted?: undefined;
  readonly whitelistedDomains?: undefined;
}

/**
 * Sets the ice breakers of the account's inbox, its menu, or both; one that is not given stays unchanged. It is safe to
 * repeat, so it is retried.
 *
 * Ice breakers only show in new conversations of the mobile apps; a menu does not change in an open conversation. A tap
 * arrives as the webhook event `messaging_postbacks`. A greeting, Get Started and domains are for Pages only.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. At most 10 calls of the
 * profile functions in 10 minutes for each Page. Source: platform guides, Ice Breakers, Persistent Menu.
 *
 * @example
 * const call_to_actions = [{ question: 'When are you open?', payload: 'HOURS' }];
 * const set = await updateMessengerProfile(context, { token, iceBreakers: [{ locale: 'default', call_to_actions }] });
 * if (set.isErr()) console.error(set.error.message);
 *
 * @example With a client, which throws
 * const call_to_actions = [{ type: 'web_url', title: 'The menu', url: 'https://example.com/menu' }];
 * await client.updateMessengerProfile({ token, persistentMenu: [{ locale: 'default', call_to_actions }] });
 */
export function updateMessengerProfile(
  context: PicsContext,
  options: UpdateMessengerProfileOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token,
      picsUserId: optional(id),
      pageId: accountId(context),
      iceBreakers: iceBreakersRule,
      persistentMenu: menuRule,
      greeting: forPages,
      getStarted: forPages,
      whitelistedDomains: forPages,
    }),
    (own) => atLeastOneOf(own, 'iceBreakers', 'persistentMenu'),
  );
  return perform(context, 'updateMessengerProfile', checked, (call, own) => {
    const { iceBreakers, persistentMenu } = own;
    return writeProfile(context, profileCall(context, own, call), {
      ice_breakers: iceBreakers,
      persistent_menu: persistentMenu,
      // The platform's guide shows it in the body, although its reference lists only the properties.
      ...(context.mode === 'login' && { platform: context.platform.words.picsPlatform }),
    });
  });
}

const forPages = optional(() => 'is for Pages only');
