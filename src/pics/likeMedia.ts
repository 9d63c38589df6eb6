import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, exactlyOneOf, flag, id, optional, token as tokenRule } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, accountOf, checkMode } from './internal/account.ts';

interface LikeCommon extends PicsCallOptions {
  /** Id of the account that likes. Required. */
  readonly picsUserId?: string | undefined;
  /**
   * `false` takes the like back.
   * @default true
   */
  readonly liked?: boolean | undefined;
}

export type LikeMediaOptions = LikeCommon &
  (
    | {
        /** The media to like; not a story. */
        readonly mediaId: string;
        readonly commentId?: undefined;
      }
    | {
        /** The comment to like. */
        readonly commentId: string;
        readonly mediaId?: undefined;
      }
  );

/**
 * Likes a media or a comment in the name of the account, or takes the like back. Page mode only.
 *
 * To do it twice is to do it once, so that it is sent again after a lost response. The platform locks an account for an
 * hour that sends more than 50 of these in 5 seconds. Neither stories nor media of private accounts can be liked.
 *
 * Permissions: `pics_basic`, `pics_manage_engagement`, `pages_read_engagement`, `pages_read_user_content`,
 * `pages_show_list`. Source: platform reference, User Likes.
 *
 * @example
 * const liked = await likeMedia(context, { token, picsUserId, commentId });
 * if (liked.isErr()) console.error(liked.error.message);
 *
 * @example With a client, which throws
 * await client.likeMedia({ token, picsUserId, mediaId, liked: false });
 */
export function likeMedia(
  context: PicsContext,
  options: LikeMediaOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token: tokenRule,
      picsUserId: accountId(context),
      mediaId: optional(id),
      commentId: optional(id),
      liked: optional(flag),
    }),
    (own) => checkMode(context, 'page') ?? exactlyOneOf(own, 'mediaId', 'commentId'),
  );
  return perform(context, 'likeMedia', checked, (call, own) => {
    const { picsUserId, mediaId, commentId, liked = true } = own;
    const what = { media_id: mediaId, comment_id: commentId };
    return send(context, {
      ...call,
      method: liked ? 'POST' : 'DELETE',
      path: path`${accountOf(picsUserId)}/likes`,
      ...(liked ? { form: what } : { query: what }),
      schema: acknowledgementSchema,
    });
  });
}
