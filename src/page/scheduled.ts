import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { atLeastOneOf, check, flag, id, optional, text, token } from '../core/options/check.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/fields.ts';
import { type ScheduledPost, scheduledPostSchema } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { pageListRules } from './lists.ts';

export interface ScheduledPostsOptions extends PageCallOptions {
  readonly pageId: string;
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
  const checked = check(context, options, pageListRules);
  return perform(context, 'scheduledPosts', checked, (call, { pageId, limit = Infinity, fields }) =>
    list(context, {
      ...call,
      path: path`${pageId}/scheduled_posts`,
      query: { fields: fields?.join(',') ?? defaultFields },
      limit,
      item: scheduledPostSchema,
    }),
  );
}

const defaultFields = 'id,message,story,created_time,scheduled_publish_time,is_published,permalink_url';

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
    () => ({
      postId: id,
      pageToken: token,
      message: optional(text),
      scheduledAt: optional(scheduleSeconds(context.clock)),
      hidden: optional(flag),
      pinned: optional(flag),
    }),
    (options) => atLeastOneOf(options, 'message', 'scheduledAt', 'hidden', 'pinned'),
  );
  return perform(context, 'updatePost', checked, (call, { postId, message, scheduledAt, hidden, pinned }) =>
    send(context, {
      ...call,
      method: 'POST',
      path: path`${postId}`,
      form: {
        message,
        scheduled_publish_time: scheduledAt && toSeconds(scheduledAt),
        is_hidden: hidden,
        is_pinned: pinned,
      },
      schema: acknowledgementSchema,
    }),
  );
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
  const checked = check(context, options, () => ({ postId: id, pageToken: token }));
  return perform(context, 'publishScheduledPost', checked, (call, { postId }) =>
    send(context, {
      ...call,
      method: 'POST',
      path: path`${postId}`,
      form: { is_published: true },
      schema: acknowledgementSchema,
    }),
  );
}
