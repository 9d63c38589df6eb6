import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, flag, id, optional, token } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface LikeOptions extends PageCallOptions {
  /** A post, photo, video or comment. */
  readonly objectId: string;
  /** Page token of a user who is a moderator of the Page. */
  readonly pageToken: string;
  /**
   * `false` takes the like back.
   * @default true
   */
  readonly liked?: boolean | undefined;
}

/**
 * Likes a post, photo, video or comment in the name of the Page, or takes the like back. The platform accepts no other
 * reaction. It only sets a state, so it is sent again after a lost response.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. Source:
 * Graph API reference, Object likes.
 *
 * @example
 * const liked = await like(context, { objectId: commentId, pageToken });
 * if (liked.isErr()) console.error(liked.error.message);
 *
 * @example With a client, which throws
 * await client.like({ objectId: commentId, pageToken });
 */
export function like(context: PageContext, options: LikeOptions): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, () => ({ objectId: id, pageToken: token, liked: optional(flag) }));
  return perform(context, 'like', checked, (call, { objectId, liked = true }) =>
    send(context, {
      ...call,
      method: liked ? 'POST' : 'DELETE',
      path: path`${objectId}/likes`,
      schema: acknowledgementSchema,
    }),
  );
}
