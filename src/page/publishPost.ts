import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform } from '../core/http/send.ts';
import { check, fields, flag, id, jsonObject, optional, text, token, url } from '../core/options/check.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import { findByText } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { asCreated, type Created, createdSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { isOneOf, placeOf, type PlaceOptions, placeRules, postList } from './internal/posts.ts';

interface PublishPostCommon extends PageCallOptions, KeyedOptions, PlaceOptions {
  readonly pageId: string;
  readonly message: string;
  /** Address to attach to the text. */
  readonly link?: string | undefined;
  /** A button below the link of a post with `link`. */
  readonly callToAction?: CallToAction | undefined;
  /** Who may see the post; no other person can. */
  readonly targeting?: PostTargeting | undefined;
  /** Who sees the post in their feeds. On the Page, everyone sees it. */
  readonly feedTargeting?: PostTargeting | undefined;
}

/** Options for a post that is published at once, or kept unpublished. */
export interface PublishPostNowOptions extends PublishPostCommon {
  /**
   * `false` keeps the post unpublished.
   * @default true
   */
  readonly published?: boolean | undefined;
  readonly scheduledAt?: undefined;
  readonly draft?: false | undefined;
}

/** Options for a post that the platform publishes later. */
export interface SchedulePostOptions extends PublishPostCommon {
  /**
   * When to publish it: a Date, or unix seconds; at least 10 minutes ahead. The platform sets the upper limit, 30 days
   * or more. Without a time, the post is published at once.
   */
  readonly scheduledAt?: Date | number | undefined;
  readonly published?: false | undefined;
  readonly draft?: false | undefined;
}

/** Options for a post that people finish in the platform's own tools. */
export interface DraftPostOptions extends PublishPostCommon {
  /**
   * `true` makes the post a draft. No list shows drafts, so keep its id.
   * @default false
   */
  readonly draft?: boolean | undefined;
  readonly scheduledAt?: undefined;
  readonly published?: false | undefined;
}

export type PublishPostOptions = PublishPostNowOptions | SchedulePostOptions | DraftPostOptions;

/** A button below a link. */
export interface CallToAction {
  /** Such as `SHOP_NOW`, `LEARN_MORE`, `SIGN_UP`, `BOOK_TRAVEL` or `CALL_NOW`. */
  readonly type: string;
  /** Address that the button leads to. */
  readonly link: string;
}

/** An audience, under the platform's names. */
export interface PostTargeting {
  readonly age_min?: number | undefined;
  readonly age_max?: number | undefined;
  /** Up to 25 countries, as `{ countries: ['DE'] }`; regions, cities and zips by their keys. */
  readonly geo_locations?: Readonly<Record<string, unknown>> | undefined;
  readonly [name: string]: unknown;
}

/**
 * Publishes a text, with or without a link, on a Page: at once, at a later time, or as a draft.
 *
 * Once-only: after a lost response, the post that this call created is looked up among the newest posts of the Page, or
 * its scheduled ones, and returned. If it cannot be identified, the error's `outcome` is `unknown`; that is always so
 * for a draft or another unpublished post, which no list shows.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Graph API reference, Page feed; platform guide, Posts.
 *
 * @example
 * const post = await publishPost(context, { pageId, pageToken, message: 'Open until nine.' });
 * if (post.isOk()) console.log(post.value.id);
 *
 * @example With a client, which throws
 * const post = await client.publishPost({ pageId, pageToken, message: 'Open until nine.' });
 */
export function publishPost(
  context: PageContext,
  options: PublishPostOptions,
): ResultAsync<Created, Failure> {
  const checked = check(
    context,
    options,
    (own) => ({
      idempotencyKey: keyIn(context),
      pageId: id,
      pageToken: token,
      message: text,
      link: optional(url),
      published: optional(flag),
      scheduledAt: optional(scheduleSeconds(context.clock, own)),
      draft: optional(flag),
      callToAction: optional(fields({ type: text, link: url })),
      targeting: optional(jsonObject),
      feedTargeting: optional(jsonObject),
      ...placeRules(own),
    }),
    isOneOf,
  );
  return perform(context, 'publishPost', checked, (call, own) => {
    const { pageId, message, link, published, scheduledAt, draft, callToAction } = own;
    const time = scheduledAt && toSeconds(scheduledAt);
    const isKept = draft === true || published === false;
    const request = {
      ...call,
      method: 'POST',
      path: path`${pageId}/feed`,
      form: {
        message,
        link,
        published: isKept || time !== undefined ? false : published,
        scheduled_publish_time: time,
        unpublished_content_type: draft ? 'DRAFT' : undefined,
        call_to_action:
          callToAction && JSON.stringify({ type: callToAction.type, value: { link: callToAction.link } }),
        targeting: JSON.stringify(own.targeting),
        feed_targeting: JSON.stringify(own.feedTargeting),
        ...placeOf(own),
      },
      schema: createdSchema,
    };
    return keyed(context, call, 'page', own, (context) =>
      sendOnce(
        context,
        request,
        // No list shows unpublished posts.
        time === undefined && isKept
          ? asCreated
          : // Links are not compared: the platform rewrites them.
            findByText(context, {
              ...call,
              ...postList(pageId, time, context.clock.now()),
              text: message,
              ...asCreated,
            }),
      ),
    );
  });
}
