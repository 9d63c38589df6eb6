import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { performRequest } from '../core/http/send.ts';
import { type FieldOptions, type List, type ListOptions, performList } from '../core/lists/list.ts';
import * as rule from '../core/options/rules.ts';
import { type Hashtag, hashtagSchema } from '../models/community.ts';
import { entriesAt, firstOf, idSchema, objectOf, objectTo, type Schema } from '../models/fields.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import type { PageModeOptions } from './accountOptions.ts';
import { accountListRules, accountOf, accountRules, checkInMode } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

export interface HashtagIdOptions extends PageModeOptions {
  /** The hashtag, with or without its `#`. */
  readonly name: string;
}

/**
 * Finds the id of a hashtag. It is the same for every account and never changes, so you can store it. Page mode only.
 *
 * An account can search for 30 different hashtags in 7 days; repeating one does not count. After that, the call fails
 * with a RateLimitError, code 18, whose `retryAfterMs` is a day: the platform does not say when the oldest one no longer
 * counts. It also refuses sensitive words and emoji.
 *
 * Feature Public Content Access of the photo-sharing platform. Source: platform guide, Hashtag Search.
 *
 * @example
 * const hashtag = await hashtagId(context, { token, picsUserId, name: 'coffee' });
 * if (hashtag.isOk()) console.log(hashtag.value.id);
 */
export function hashtagId(
  context: PicsContext,
  options: HashtagIdOptions,
): ResultAsync<{ readonly id: string }, Failure> {
  const checked = checkInMode('page', context, options, { ...accountRules(context), name: hashtag });
  return performRequest(context, 'hashtagId', checked, ({ picsUserId, name }) => ({
    path: 'ig_hashtag_search',
    query: { user_id: picsUserId, q: name },
    schema: foundSchema,
  }));
}

const hashtag = v.pipe(
  rule.text,
  v.transform((value) => value.trim().replace(/^#\s*/, '')),
  v.check((value) => value !== '', 'must be a non-empty string'),
);

const foundSchema: Schema<{ readonly id: string }> = objectTo(
  { data: firstOf(objectOf({ id: idSchema })) },
  ({ data: { id } }) => ({ id }),
);

export interface HashtagMediaOptions extends PageModeOptions, ListOptions {
  /** From `hashtagId`. */
  readonly hashtagId: string;
  /** `recent`: those of the last 24 hours; `top`: the most popular ones, as the platform ranks them. */
  readonly order: 'top' | 'recent';
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those that the platform documents: neither `username` nor `owner`
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields =
  'id,caption,media_type,media_url,permalink,timestamp,like_count,comments_count,children{id,media_type,media_url,permalink}';

/**
 * Lists public media of all accounts with a hashtag, without their authors. Page mode only.
 *
 * The platform does not mark the last page, so one more request is sent to find the end. The cursor can stay the same
 * from page to page; if a page then brings nothing new, the call fails with an ApiError. `hasMore` says that there may
 * be more.
 *
 * Feature Public Content Access of the photo-sharing platform. Source: platform reference, Hashtag Recent Media,
 * Hashtag Top Media.
 *
 * @example
 * const found = await hashtagMedia(context, { token, picsUserId, hashtagId: '17843', order: 'recent', limit: 100 });
 * if (found.isOk()) for (const { permalink, caption } of found.value) console.log(permalink, caption);
 */
export function hashtagMedia(
  context: PicsContext,
  options: HashtagMediaOptions,
): ResultAsync<List<Media>, Failure> {
  const checked = checkInMode('page', context, options, {
    ...accountListRules(context),
    hashtagId: rule.id,
    order,
  });
  return performList(context, 'hashtagMedia', checked, 25, (options) => {
    const { picsUserId, hashtagId, order: wanted, fields } = options;
    return {
      path: `${path`${hashtagId}`}/${wanted}_media`,
      query: { user_id: picsUserId, fields: fields?.join(',') ?? defaultFields },
      // The most that the platform returns at once.
      pageSize: 50,
      byCursor: true,
      item: mediaSchema,
    };
  });
}

const order = rule.oneOf('top', 'recent');

/** The most that the platform returns at once, and counts in a week. */
const maxHashtags = 30;

export interface RecentHashtagsOptions extends PageModeOptions, FieldOptions {
  /**
   * Hashtags to return, over all pages.
   * @default 30, as many as count
   */
  readonly limit?: number | undefined;
}

/**
 * Lists the hashtags that the account has searched for in the last 7 days: those that count against its 30. Page mode
 * only.
 *
 * Feature Public Content Access of the photo-sharing platform. Source: platform reference, Recently Searched Hashtags.
 *
 * @example
 * const searched = await recentHashtags(context, { token, picsUserId });
 * if (searched.isOk()) console.log(`${30 - searched.value.length} more in this week`);
 */
export function recentHashtags(
  context: PicsContext,
  options: RecentHashtagsOptions,
): ResultAsync<List<Hashtag>, Failure> {
  const checked = checkInMode('page', context, options, accountListRules(context));
  return performList(context, 'recentHashtags', checked, maxHashtags, (options) => {
    const list = path`${accountOf(options.picsUserId)}/recently_searched_hashtags`;
    return { ...entriesAt(list, hashtagSchema, options), pageSize: maxHashtags };
  });
}
