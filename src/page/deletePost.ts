import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { successSchema } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface DeletePostOptions extends PageCallOptions {
  readonly postId: string;
}

/**
 * Deletes a post. This cannot be undone.
 *
 * After a lost response it is sent again. If the platform then says that there is no such post, the error's `outcome`
 * is `unknown`: either the first attempt deleted it, or the token may not see it. The platform has one code for both.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * Graph API reference, Page post.
 *
 * @example
 * const deleted = await deletePost(context, { postId, pageToken });
 * if (deleted.isOk()) console.log('gone');
 *
 * @example With a client, which throws
 * const deleted = await client.deletePost({ postId, pageToken });
 */
export function deletePost(context: PageContext, options: DeletePostOptions): ResultAsync<boolean, Failure> {
  const checked = check(context, options, () => ({ postId: id, pageToken: token }));
  return perform(context, 'deletePost', checked, (call, { postId }) =>
    send(context, {
      ...call,
      method: 'DELETE',
      path: path`${postId}`,
      schema: successSchema,
    }),
  );
}
