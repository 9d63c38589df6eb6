import type { Result, ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest, send } from '../core/http/send.ts';
import { readInside } from '../core/lists/askInside.ts';
import { type WithheldOptions, withheldRules, type WithWithheld } from '../core/lists/inside.ts';
import type { List, WalkOptions } from '../core/lists/list.ts';
import { fieldRules, performList, walkList, walkRules } from '../core/lists/list.ts';
import { atLeastOneOf, check, type Rules } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { checkLead, time, toSeconds } from '../core/options/time.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, performKeyed } from '../core/writes/keyed.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { Acknowledgement, Created } from '../models/fields.ts';
import * as s from '../models/fields.ts';
import { type PagePost, type PostDetails, type ScheduledPost, scheduledPostSchema } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import {
  checkPostFields,
  performInside,
  type PostInsideOptions,
  postInsideRules,
  postsInside,
} from './inside.ts';
import { ofPost, type OnePageOptions, pageRules } from './pageOptions.ts';
import type { PageListOptions, PlaceOptions } from './publications.ts';
import * as publication from './publications.ts';

interface PublishPostCommon extends OnePageOptions, KeyedOptions, PlaceOptions {
  readonly message: string;
  /** Address to attach to the text. */
  readonly link?: string | undefined;
  /** A button below the link of a post with `link`. */
  readonly callToAction?: CallToAction | undefined;
  /** Restricts who can see the post. */
  readonly targeting?: PostTargeting | undefined;
  /** Restricts whose feeds show the post. On the Page, everyone can see it. */
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

const changedText = rule.optional(rule.text);

const age = rule.optional(rule.between(0, Infinity));

/** What restricts who sees a post: a slip in these would show it to others. Further names are sent as well. */
const audience = rule.copyOfJson(
  rule.openFields({
    age_min: age,
    age_max: age,
    geo_locations: rule.optional(
      rule.openFields({
        countries: rule.optional(rule.names),
      }),
    ),
    genders: rule.any,
  }),
);

const postRules = {
  idempotencyKey: keyRule,
  ...pageRules,
  message: rule.text,
  link: rule.optional(rule.url),
  published: rule.optional(rule.flag),
  scheduledAt: rule.optional(time),
  draft: rule.optional(rule.flag),
  callToAction: rule.optional(rule.fields({ type: rule.text, link: rule.url })),
  targeting: rule.optional(audience),
  feedTargeting: rule.optional(audience),
  ...publication.placeRules,
};

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
 * Source: Graph API reference, Page feed; platform guide, Posts.
 *
 * @example
 * const post = await publishPost(context, { pageId, pageToken, message: 'Open until nine.' });
 * if (post.isOk()) console.log(post.value.id);
 */
export function publishPost(
  context: PageContext,
  options: PublishPostOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, postRules, publication.checkPlace, publication.checkTiming);
  return performKeyed(context, 'publishPost', checked, 'page', (context, call, options) => {
    const { pageId, message, link, published, scheduledAt, draft, callToAction } = options;
    const time = scheduledAt && toSeconds(scheduledAt);
    const isUnpublished = draft === true || published === false;
    const request = {
      ...call,
      method: POST,
      path: path`${pageId}/feed`,
      form: {
        message,
        link,
        published: isUnpublished || time !== undefined ? false : published,
        scheduled_publish_time: time,
        unpublished_content_type: draft ? 'DRAFT' : undefined,
        call_to_action:
          callToAction && JSON.stringify({ type: callToAction.type, value: { link: callToAction.link } }),
        targeting: JSON.stringify(options.targeting),
        feed_targeting: JSON.stringify(options.feedTargeting),
        ...publication.placeOf(options),
      },
      schema: s.createdSchema,
    };
    return sendOnce(
      context,
      request,
      // No list shows unpublished posts.
      time === undefined && isUnpublished
        ? { kind: 'none', ...s.asCreated }
        : // Links are not compared: the platform rewrites them.
          {
            kind: 'entry',
            ...s.asCreated,
            entries: publication.postEntries(context, call, { pageId, time, text: message }),
          },
    );
  });
}

export interface PostsOptions extends PageListOptions, PostInsideOptions {}

/**
 * Lists the posts that a Page has published, newest first, without posts by others.
 *
 * With `totals`, `metrics` or `comments`, each post comes with them, in the requests for the list: 50 posts in each, 25 with
 * comments. What the platform refuses of these is in `withheld`, and costs no list.
 *
 * The platform returns about 600 posts for each year, so `isComplete` of the list is always `false`.
 *
 * Source: platform reference, Page published posts.
 *
 * @example
 * const newest = await posts(context, { pageId, pageToken, limit: 5 });
 * if (newest.isOk()) console.log(newest.value.map((post) => post.message));
 */
export function posts(
  context: PageContext,
  options: PostsOptions,
): ResultAsync<List<PagePost> & WithWithheld, Failure> {
  const checked = check(context, options, postListRules, checkPostFields);
  return performInside(context, 'posts', checked, publishedPosts);
}

export interface IteratePostsOptions extends WalkOptions, WithheldOptions, PostsOptions {}

/**
 * Yields the posts that a Page has published one by one, newest first, as `posts` lists them, and requests each page of
 * 100 when it is needed.
 *
 * With `totals`, `metrics` or `comments`, each post comes with them, as those of `posts`; `onWithheld` gets what is refused.
 *
 * The platform returns about 600 posts for each year.
 *
 * Source: platform reference, Page published posts.
 *
 * @example
 * for await (const post of iteratePosts(context, { pageId, pageToken })) {
 *   if (post.isOk()) console.log(post.value.created_time, post.value.message);
 * }
 */
export function iteratePosts(
  context: PageContext,
  options: IteratePostsOptions,
): AsyncGenerator<Result<PagePost, Failure>, void, undefined> {
  const checked = check(context, options, { ...postListRules, ...iteratorRules }, checkPostFields);
  return walkList(context, 'iteratePosts', checked, publishedPosts);
}

export interface FeedOptions extends PostsOptions {
  /** Only posts that were created at this time or later: unix seconds, or a Date. */
  readonly since?: number | Date | undefined;
  /** Only posts that were created at this time or earlier: unix seconds, or a Date. */
  readonly until?: number | Date | undefined;
}

/**
 * Lists the whole feed of a Page, newest first: its own posts, those of visitors, and public posts that tag it. `from`
 * says whose each is.
 *
 * With `totals`, `metrics` or `comments`, each post comes with them, in the requests for the list: 50 posts in each, 25 with
 * comments. What the platform refuses of these is in `withheld`, and costs no list.
 *
 * It is the only list with visitors' posts for Pages of the "new Pages experience". The platform returns about 600 posts
 * for each year, so `isComplete` of the list is always `false`.
 *
 * Source: platform reference, Page feed.
 *
 * @example
 * const found = await feed(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.filter(({ from }) => from?.id !== pageId));
 */
export function feed(
  context: PageContext,
  options: FeedOptions,
): ResultAsync<List<PagePost> & WithWithheld, Failure> {
  const checked = check(context, options, feedRules, checkPostFields);
  return performInside(context, 'feed', checked, feedOf);
}

export interface IterateFeedOptions extends WalkOptions, WithheldOptions, FeedOptions {}

/**
 * Yields the whole feed of a Page one by one, newest first, as `feed` lists it, and requests each page of 100 when it
 * is needed. With `totals`, `metrics` or `comments`, each post comes with them; `onWithheld` gets what is refused.
 *
 * Source: platform reference, Page feed.
 *
 * @example
 * for await (const post of iterateFeed(context, { pageId, pageToken, since: lastSeen })) {
 *   if (post.isOk()) console.log(post.value.from?.name, post.value.message);
 * }
 */
export function iterateFeed(
  context: PageContext,
  options: IterateFeedOptions,
): AsyncGenerator<Result<PagePost, Failure>, void, undefined> {
  const checked = check(context, options, { ...feedRules, ...iteratorRules }, checkPostFields);
  return walkList(context, 'iterateFeed', checked, feedOf);
}

export interface PostDetailsOptions extends PageCallOptions, PostInsideOptions {
  /** The id of a post, such as `42_1`. The platform refuses the usual fields for the id of a video or a Reel. */
  readonly postId: string;
  /**
   * Fields of the post. An unknown one fails the whole call.
   * @default those of PagePost
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads one post of a Page, or one that a visitor wrote on it; with `totals`, `metrics` and `comments` in the same request.
 *
 * What the platform refuses of these costs only itself, and is named in `withheld`: `totals` and `comments` need
 * `pages_read_user_content` too. `posts` reads the same of many posts.
 *
 * Source: Graph API reference, Page post.
 *
 * @example
 * const post = await postDetails(context, { postId, pageToken, totals: true });
 * if (post.isOk()) console.log(post.value.permalink_url, post.value.totals?.comments);
 */
export function postDetails(
  context: PageContext,
  options: PostDetailsOptions,
): ResultAsync<PostDetails & WithWithheld, Failure> {
  const checked = check(context, options, { ...ofPost, ...fieldRules, ...postInsideRules }, checkPostFields);
  return perform(context, 'postDetails', checked, (call, { postId, ...options }) => {
    const parts = postsInside(options);
    return readInside(parts, (fields) =>
      send(context, { ...call, path: path`${postId}`, query: { fields }, ownFields, schema: parts.item }),
    );
  });
}

export interface DeletePostOptions extends PageCallOptions {
  readonly postId: string;
}

/**
 * Deletes a post, and returns `true`. This cannot be undone.
 *
 * After a lost response it is sent again. If the platform then says that there is no such post, the error's `outcome`
 * is `unknown`: either the first attempt deleted it, or the token may not see it. The platform has one code for both.
 *
 * Source: Graph API reference, Page post.
 *
 * @example
 * const deleted = await deletePost(context, { postId, pageToken });
 * if (deleted.isOk()) console.log('gone');
 */
export function deletePost(context: PageContext, options: DeletePostOptions): ResultAsync<boolean, Failure> {
  const checked = check(context, options, ofPost);
  return performRequest(context, 'deletePost', checked, ({ postId }) => ({
    method: DELETE,
    path: path`${postId}`,
    schema: s.successSchema,
  }));
}

export interface ScheduledPostsOptions extends OnePageOptions {
  /**
   * Posts to return, over all pages of the list.
   * @default all of them
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a post. An unknown one fails the whole call.
   * @default text, times, state and address
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the scheduled posts of a Page, without drafts and other unpublished posts.
 *
 * Source: Graph API reference, Page scheduled posts.
 *
 * @example
 * const planned = await scheduledPosts(context, { pageId, pageToken });
 * if (planned.isOk()) console.log(planned.value.map((post) => post.scheduled_publish_time));
 */
export function scheduledPosts(
  context: PageContext,
  options: ScheduledPostsOptions,
): ResultAsync<List<ScheduledPost>, Failure> {
  const checked = check(context, options, publication.pageListRules);
  return performList(context, 'scheduledPosts', checked, Infinity, ({ pageId, fields }) => ({
    path: path`${pageId}/scheduled_posts`,
    query: { fields: fields?.join(',') ?? scheduledFields },
    item: scheduledPostSchema,
  }));
}

const scheduledFields = 'id,message,story,created_time,scheduled_publish_time,is_published,permalink_url';

/** What to change in a post: at least one of these. */
export interface UpdatePostOptions extends PageCallOptions {
  readonly postId: string;
  /** The new text. */
  readonly message?: string | undefined;
  /** The new time of a scheduled post: a Date, or unix seconds; at least 10 minutes ahead. */
  readonly scheduledAt?: Date | number | undefined;
  /** `true` hides the post from the timeline, `false` shows it again. */
  readonly hidden?: boolean | undefined;
  /** `true` pins the post to the top of the timeline, `false` unpins it. */
  readonly pinned?: boolean | undefined;
}

/**
 * Changes a post that this app created: its text, its time, whether it is shown. It only sets a state, so it is sent
 * again after a lost response.
 *
 * `publishScheduledPost` publishes a scheduled post or a draft now; `deletePost` cancels it.
 *
 * Source: Graph API reference, Page post.
 *
 * @example
 * const moved = await updatePost(context, { postId, pageToken, scheduledAt: new Date(Date.now() + 86_400_000) });
 * if (moved.isErr()) console.error(moved.error.message);
 *
 * @example With a client, which throws
 * await client.updatePost({ postId, pageToken, message: 'Open until ten.' });
 */
export function updatePost(
  context: PageContext,
  options: UpdatePostOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(
    context,
    options,
    {
      ...ofPost,
      message: changedText,
      scheduledAt: rule.optional(time),
      hidden: rule.optional(rule.flag),
      pinned: rule.optional(rule.flag),
    },
    atLeastOneOf('message', 'scheduledAt', 'hidden', 'pinned'),
    ({ scheduledAt }) => checkLead(context.clock, scheduledAt),
  );
  return performRequest(context, 'updatePost', checked, (options) => {
    const { postId, message, scheduledAt, hidden, pinned } = options;
    return {
      method: POST,
      path: path`${postId}`,
      form: {
        message,
        scheduled_publish_time: scheduledAt && toSeconds(scheduledAt),
        is_hidden: hidden,
        is_pinned: pinned,
      },
      schema: s.acknowledgementSchema,
    };
  });
}

export interface PublishScheduledPostOptions extends PageCallOptions {
  readonly postId: string;
}

/**
 * Publishes a scheduled post, a draft or another unpublished post now. It only sets the state of one post, so it is
 * sent again after a lost response.
 *
 * Source: platform guide, Posts.
 *
 * @example
 * const published = await publishScheduledPost(context, { postId, pageToken });
 * if (published.isErr()) console.error(published.error.message);
 */
export function publishScheduledPost(
  context: PageContext,
  options: PublishScheduledPostOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, ofPost);
  return performRequest(
    context,
    'publishScheduledPost',
    checked,
    ({ postId }) => ({
      method: POST,
      path: path`${postId}`,
      form: { is_published: true },
      schema: s.acknowledgementSchema,
    }),
    'publish',
  );
}

const postListRules: Rules<PostsOptions> = { ...publication.pageListRules, ...postInsideRules };
const iteratorRules = { ...walkRules, ...withheldRules };

function publishedPosts(options: PostsOptions & WithheldOptions) {
  return { path: path`${options.pageId}/published_posts`, ...postsInside(options), cutAt: 0 };
}

const feedRules: Rules<FeedOptions> = {
  ...postListRules,
  since: rule.optional(time),
  until: rule.optional(time),
};

function feedOf(options: FeedOptions & WithheldOptions) {
  const { pageId, since, until } = options;
  const parts = postsInside(options);
  const query = { ...parts.query, since: since && toSeconds(since), until: until && toSeconds(until) };
  return { path: path`${pageId}/feed`, ...parts, query, cutAt: 0 };
}
