import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check } from '../core/options/check.ts';
import type { PicsComment } from '../models/comments.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { mediaListRules, commentsOf } from './internal/lists.ts';

export interface CommentsOptions extends PicsCallOptions {
  readonly mediaId: string;
  /**
   * Comments to return, over all pages. At least 1.
   * @default 50
   */
  readonly limit?: number | undefined;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those of PicsComment, and the `replies` of each comment
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Lists the comments on a post, newest first. Replies are in the `replies` of their comment.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform guide, Comments.
 *
 * @example
 * const found = await comments(context, { mediaId, token, limit: 200 });
 * if (found.isOk()) for (const { username, text } of found.value) console.log(username, text);
 *
 * @example With a client, which throws
 * const found = await client.comments({ mediaId, token, limit: 200 });
 */
export function comments(
  context: PicsContext,
  options: CommentsOptions,
): ResultAsync<List<PicsComment>, Failure> {
  const checked = check(context, options, mediaListRules);
  return perform(context, 'comments', checked, (call, own) => {
    const { limit = 50 } = own;
    return list(context, { ...call, ...commentsOf(own), limit });
  });
}
