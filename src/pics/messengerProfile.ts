import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { performRequest } from '../core/http/send.ts';
import { fieldRules } from '../core/lists/list.ts';
import { atLeastOneOf, check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { MenuOptions, MessengerProfile, ProfileNode } from '../messaging/profile.ts';
import { deleteProfile, menuRules, readProfile, writeProfile } from '../messaging/profile.ts';
import type { Acknowledgement } from '../models/fields.ts';
import { type InboxOptions, inboxRules, senderOf } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

export interface MessengerProfileOptions extends InboxOptions {
  /**
   * Properties to read. Which ones there are is the platform's to say.
   * @default both
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads the messenger profile of the account's inbox: its ice breakers and its menu.
 *
 * Ice breakers that were set in the older form, without languages, have the locale `default`.
 *
 * At most 10 calls of the profile functions in 10 minutes for each Page. Source: platform guides, Ice Breakers,
 * Persistent Menu.
 *
 * @example
 * const profile = await messengerProfile(context, { token });
 * if (profile.isOk()) console.log(profile.value.ice_breakers?.[0]?.call_to_actions);
 */
export function messengerProfile(
  context: PicsContext,
  options: MessengerProfileOptions,
): ResultAsync<MessengerProfile, Failure> {
  const checked = check(context, options, { ...inboxRules(context), ...fieldRules });
  return performRequest(context, 'messengerProfile', checked, (options) =>
    readProfile(profileOf(context, options), options.fields ?? profileProperties),
  );
}

export interface UpdateMessengerProfileOptions extends InboxOptions, MenuOptions {}

/**
 * Sets the ice breakers of the account's inbox, its menu, or both; one that is not given stays unchanged. It is safe to
 * repeat, so it is retried.
 *
 * Ice breakers only show in new conversations of the mobile apps; a menu does not change in an open conversation. A tap
 * arrives as the webhook event `messaging_postbacks`. A greeting, Get Started and domains are for Pages only.
 *
 * At most 10 calls of the profile functions in 10 minutes for each Page. Source: platform guides, Ice Breakers,
 * Persistent Menu.
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
    {
      ...inboxRules(context),
      ...menuRules,
    },
    atLeastOneOf('iceBreakers', 'persistentMenu'),
  );
  return performRequest(context, 'updateMessengerProfile', checked, (options) =>
    writeProfile(profileOf(context, options), {
      ice_breakers: options.iceBreakers,
      persistent_menu: options.persistentMenu,
      // The platform's guide shows it in the body, although its reference lists only the properties.
      ...(context.mode === 'login' && { platform: context.platform.words.picsPlatform }),
    }),
  );
}

export interface DeleteMessengerProfileOptions extends InboxOptions {
  /** Properties to remove, in all languages. */
  readonly fields: readonly ProfileProperty[];
}

/**
 * Removes the ice breakers of the account's inbox, its menu, or both. It is safe to repeat, so it is retried.
 *
 * At most 10 calls of the profile functions in 10 minutes for each Page. Source: platform guides, Ice Breakers,
 * Persistent Menu.
 *
 * @example
 * const deleted = await deleteMessengerProfile(context, { token, fields: ['persistent_menu'] });
 * if (deleted.isErr()) console.error(deleted.error.message);
 */
export function deleteMessengerProfile(
  context: PicsContext,
  options: DeleteMessengerProfileOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...inboxRules(context), fields: someProperties });
  return performRequest(context, 'deleteMessengerProfile', checked, (options) =>
    deleteProfile(profileOf(context, options), options.fields),
  );
}

const profileProperties = ['ice_breakers', 'persistent_menu'] as const;

type ProfileProperty = (typeof profileProperties)[number];

function profileOf(context: PicsContext, options: InboxOptions): ProfileNode {
  const { mode, platform } = context;
  return {
    node: senderOf(context, options),
    platform: mode === 'page' ? platform.words.picsPlatform : undefined,
  };
}

const someProperties = rule.listOf(rule.oneOf(...profileProperties), 1);
