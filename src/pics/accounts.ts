import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { performRequest } from '../core/http/send.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { type BusinessAccount, businessAccountSchema } from '../models/community.ts';
import { fieldOf, fieldsFor } from '../models/fields.ts';
import { type PicsProfile, picsProfileSchema } from '../models/profile.ts';
import type { AccountOptions, PageModeOptions } from './accountOptions.ts';
import { accountOf, accountRules, checkInMode } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

export interface ProfileOptions extends AccountOptions {}

const profileFields =
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
  const checked = check(context, options, accountRules(context));
  return performRequest(context, 'profile', checked, ({ picsUserId }) => ({
    path: path`${accountOf(picsUserId)}`,
    query: { fields: context.mode === 'login' ? `${profileFields},user_id,account_type` : profileFields },
    ownFields,
    schema: picsProfileSchema,
  }));
}

export interface BusinessDiscoveryOptions extends PageModeOptions {
  /** The account to look at, with or without its `@`. */
  readonly username: string;
  /**
   * Media to return, the newest first.
   * @default 25
   */
  readonly mediaLimit?: number | undefined;
  /**
   * Fields of the media to request. An unknown one fails the whole call.
   * @default those that the platform documents, `view_count` included
   */
  readonly mediaFields?: readonly string[] | undefined;
  /** Cursor of the next page: `media.paging.cursors.after` of the previous call. A page without media is the last. */
  readonly after?: string | undefined;
}

const defaultMediaFields =
  'id,caption,media_type,media_url,permalink,timestamp,like_count,comments_count,view_count';

/**
 * Reads what everybody can see of another professional account, and its newest media. Page mode only.
 *
 * A name that does not exist, a personal account and an age-restricted account all fail with the same ApiError, of
 * category `not_found`. Calls count against the limit of the app, not against that of the account.
 *
 * Source: platform guide, Business Discovery.
 *
 * @example
 * const found = await businessDiscovery(context, { token, picsUserId, username: 'bluebottle' });
 * if (found.isOk()) console.log(found.value.followers_count, found.value.media.data.length);
 */
export function businessDiscovery(
  context: PicsContext,
  options: BusinessDiscoveryOptions,
): ResultAsync<BusinessAccount, Failure> {
  const checked = checkInMode('page', context, options, {
    ...accountRules(context),
    username: rule.username,
    mediaLimit: rule.optional(rule.count),
    mediaFields: rule.optional(rule.fieldNames),
    after: rule.optional(cursor),
  });
  return performRequest(context, 'businessDiscovery', checked, (options) => {
    const { picsUserId, username, mediaLimit = 25, mediaFields, after } = options;
    const page = after === undefined ? '' : `.after(${after})`;
    // The last one is `media`, of which the expression goes on to say how many, and what.
    const account = fieldsFor(businessAccountSchema);
    const media = `.limit(${mediaLimit})${page}{${mediaFields?.join(',') ?? defaultMediaFields}}`;
    return {
      path: path`${accountOf(picsUserId)}`,
      countsAs: 'business_discovery',
      query: { fields: `business_discovery.username(${username}){${account}${media}}` },
      ownFields,
      schema: fieldOf('business_discovery', businessAccountSchema),
    };
  });
}

// Like the username, it is part of a field expression, so it must not contain what would end it.
const cursor = rule.satisfies(
  (value) => typeof value === 'string' && /^[^\s(){},]+$/.test(value) && rule.isWellFormed(value),
  'a cursor',
);
