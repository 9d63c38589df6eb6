import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface PublishScheduledPostOptions extends PageCallOptions {
  readonly postId: string;
}

/**
 * Publishes a scheduled post, a draft or another unpublished post now. It only sets the state of one post, so it is
 * sent again after a lost response.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * platform guide, Posts.
 *
 * @example
 * const published = await publishScheduledPost(context, { postId, pageToken });
 * if (published.isErr()) console.error(published.error.message);
 *
 * @example With a client, which throws
 * await client.publishScheduledPost({ postId, pageToken });
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
