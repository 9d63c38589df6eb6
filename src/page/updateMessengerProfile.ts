import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import {
  atLeastOneOf,
  check,
  fields,
  id,
  listOf,
  optional,
  text,
  token,
  url,
} from '../core/options/check.ts';
import {
  type Greeting,
  type IceBreakers,
  iceBreakersRule,
  menuRule,
  type PersistentMenu,
  writeProfile,
} from '../messaging/profile.ts';
import type { Acknowledgement } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface UpdateMessengerProfileOptions extends PageCallOptions {
  readonly pageId: string;
  /** What people read before a conversation begins, in each language, one of which should be `default`. */
  readonly greeting?: readonly Greeting[] | undefined;
  /** A button that begins a conversation. A menu requires it. Its payload comes when it is tapped. */
  readonly getStarted?: { readonly payload: string } | undefined;
  /** Questions to start a conversation with: 1 to 4 in each language, one of which is `default`. */
  readonly iceBreakers?: readonly IceBreakers[] | undefined;
  /** The menu, in each language. */
  readonly persistentMenu?: readonly PersistentMenu[] | undefined;
  /** Web addresses, with full host names, that may be shown within a conversation: 1 to 50, by `https`. */
  readonly whitelistedDomains?: readonly string[] | undefined;
}

/**
 * Sets properties of the messenger profile of the Page's inbox; one that is not given stays unchanged. It is safe to
 * repeat, so it is retried.
 *
 * The platform refuses a menu without a Get Started button, with 100/2018145. A tap arrives as the webhook event
 * `messaging_postbacks`. Where there are ice breakers, they are shown in place of Get Started. The menu of a Page may
 * take a day to show. The platform's guides have `greeting`, and its specification has not.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Only an administrator of the Page may set `whitelistedDomains`. At most 10 calls of the profile functions
 * in 10 minutes for each Page. Source: platform reference, Messenger Profile API.
 *
 * @example
 * const greeting = [{ locale: 'default', text: 'Hello {{user_first_name}}!' }];
 * const set = await updateMessengerProfile(context, { pageId, pageToken, greeting, getStarted: { payload: 'START' } });
 * if (set.isErr()) console.error(set.error.message);
 *
 * @example With a client, which throws
 * const call_to_actions = [{ question: 'When are you open?', payload: 'HOURS' }];
 * await client.updateMessengerProfile({ pageId, pageToken, iceBreakers: [{ locale: 'default', call_to_actions }] });
 */
export function updateMessengerProfile(
  context: PageContext,
  options: UpdateMessengerProfileOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      pageId: id,
      pageToken: token,
      greeting: optional(listOf(fields({ locale: text, text }), 1)),
      getStarted: optional(fields({ payload: text })),
      iceBreakers: iceBreakersRule,
      persistentMenu: menuRule,
      whitelistedDomains: optional(listOf(url, 1, 50)),
    }),
    (own) =>
      atLeastOneOf(own, 'greeting', 'getStarted', 'iceBreakers', 'persistentMenu', 'whitelistedDomains'),
  );
  return perform(context, 'updateMessengerProfile', checked, (call, own) =>
    writeProfile(
      context,
      { ...call, node: own.pageId },
      {
        greeting: own.greeting,
        get_started: own.getStarted,
        ice_breakers: own.iceBreakers,
        persistent_menu: own.persistentMenu,
        whitelisted_domains: own.whitelistedDomains,
      },
    ),
  );
}
