import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { performRequest } from '../core/http/send.ts';
import { fieldRules } from '../core/lists/list.ts';
import { atLeastOneOf, check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { Greeting, MenuOptions, MessengerProfile } from '../messaging/profile.ts';
import { deleteProfile, menuRules, readProfile, writeProfile } from '../messaging/profile.ts';
import type { Acknowledgement } from '../models/fields.ts';
import type { PageContext } from './context.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';

export interface MessengerProfileOptions extends OnePageOptions {
  /**
   * Properties to read. Which ones there are is the platform's to say.
   * @default all of them
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads the messenger profile of the Page's inbox: its greeting, its Get Started button, ice breakers and menu.
 *
 * Ice breakers that were set in the older form, without languages, have the locale `default`. The platform's guides
 * document `greeting`, but its specification does not: if it is refused, request the other `fields`.
 *
 * At most 10 calls of the profile functions in 10 minutes for each Page. Source: platform reference, Messenger Profile
 * API.
 *
 * @example
 * const profile = await messengerProfile(context, { pageId, pageToken });
 * if (profile.isOk()) console.log(profile.value.greeting?.[0]?.text);
 */
export function messengerProfile(
  context: PageContext,
  options: MessengerProfileOptions,
): ResultAsync<MessengerProfile, Failure> {
  const checked = check(context, options, { ...pageRules, ...fieldRules });
  return performRequest(context, 'messengerProfile', checked, ({ pageId, fields = profileProperties }) =>
    readProfile({ node: pageId }, fields),
  );
}

export interface UpdateMessengerProfileOptions extends OnePageOptions, MenuOptions {
  /** What people read before a conversation begins, in each language, one of which should be `default`. */
  readonly greeting?: readonly Greeting[] | undefined;
  /** A button that begins a conversation. A menu requires it. Its payload comes when it is tapped. */
  readonly getStarted?: { readonly payload: string } | undefined;
  /** Web addresses, with full host names, that may be shown within a conversation: 1 to 50, by `https`. */
  readonly whitelistedDomains?: readonly string[] | undefined;
}

/**
 * Sets properties of the messenger profile of the Page's inbox; one that is not given stays unchanged. It is safe to
 * repeat, so it is retried.
 *
 * The platform refuses a menu without a Get Started button, with 100/2018145. A tap arrives as the webhook event
 * `messaging_postbacks`. Where there are ice breakers, they are shown in place of Get Started. The menu of a Page may
 * take a day to show. The platform's guides document `greeting`, but its specification does not.
 *
 * Only an administrator of the Page may set `whitelistedDomains`. At most 10 calls of the profile functions in 10
 * minutes for each Page. Source: platform reference, Messenger Profile API.
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
    profileRules,
    atLeastOneOf('greeting', 'getStarted', 'iceBreakers', 'persistentMenu', 'whitelistedDomains'),
  );
  return performRequest(context, 'updateMessengerProfile', checked, (options) =>
    writeProfile(
      { node: options.pageId },
      {
        greeting: options.greeting,
        get_started: options.getStarted,
        ice_breakers: options.iceBreakers,
        persistent_menu: options.persistentMenu,
        whitelisted_domains: options.whitelistedDomains,
      },
    ),
  );
}

export interface DeleteMessengerProfileOptions extends OnePageOptions {
  /** Properties to remove, in all languages. */
  readonly fields: readonly ProfileProperty[];
}

/**
 * Removes properties from the messenger profile of the Page's inbox. It is safe to repeat, so it is retried.
 *
 * The platform refuses to remove `get_started` while there is a menu: remove `persistent_menu` too.
 *
 * Only an administrator of the Page may remove `whitelisted_domains`. At most 10 calls of the profile functions in 10
 * minutes for each Page. Source: platform reference, Messenger Profile API.
 *
 * @example
 * const deleted = await deleteMessengerProfile(context, { pageId, pageToken, fields: ['ice_breakers'] });
 * if (deleted.isErr()) console.error(deleted.error.message);
 */
export function deleteMessengerProfile(
  context: PageContext,
  options: DeleteMessengerProfileOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...pageRules, fields: someProperties });
  return performRequest(context, 'deleteMessengerProfile', checked, ({ pageId, fields }) =>
    deleteProfile({ node: pageId }, fields),
  );
}

const profileRules = {
  ...pageRules,
  greeting: rule.optional(rule.listOf(rule.fields({ locale: rule.text, text: rule.text }), 1)),
  getStarted: rule.optional(rule.fields({ payload: rule.text })),
  ...menuRules,
  whitelistedDomains: rule.optional(rule.listOf(rule.url, 1, 50)),
};

const profileProperties = [
  'greeting',
  'get_started',
  'ice_breakers',
  'persistent_menu',
  'whitelisted_domains',
  'account_linking_url',
] as const;

type ProfileProperty = (typeof profileProperties)[number];

const someProperties = rule.listOf(rule.oneOf(...profileProperties), 1);
