import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { atLeastOneOf, check, flag, id, optional, text, token } from '../core/options/check.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

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
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Graph API reference, Page post.
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
    (own) => atLeastOneOf(own, 'message', 'scheduledAt', 'hidden', 'pinned'),
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
