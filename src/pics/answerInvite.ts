import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, flag, id, token as tokenRule } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, accountOf, checkMode } from './internal/account.ts';

export interface AnswerInviteOptions extends PicsCallOptions {
  /** Id of the account that is invited. Required. */
  readonly picsUserId?: string | undefined;
  /** The `media_id` of the invitation. */
  readonly mediaId: string;
  /** `true` makes the account a co-author; `false` declines. */
  readonly accept: boolean;
}

/**
 * Accepts or declines to be a co-author of a media. Page mode only.
 *
 * To do it twice is to do it once, so that it is sent again after a lost response. What was declined cannot be accepted
 * later, as far as is known: the platform does not document it.
 *
 * Permissions: `pics_basic`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, User Collaboration
 * Invites.
 *
 * @example
 * const answered = await answerInvite(context, { token, picsUserId, mediaId, accept: true });
 * if (answered.isErr()) console.error(answered.error.message);
 *
 * @example With a client, which throws
 * await client.answerInvite({ token, picsUserId, mediaId, accept: false });
 */
export function answerInvite(
  context: PicsContext,
  options: AnswerInviteOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(
    context,
    options,
    () => ({ token: tokenRule, picsUserId: accountId(context), mediaId: id, accept: flag }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'answerInvite', checked, (call, own) => {
    const { picsUserId, mediaId, accept } = own;
    return send(context, {
      ...call,
      method: 'POST',
      path: path`${accountOf(picsUserId)}/collaboration_invites`,
      form: { media_id: mediaId, accept },
      schema: acknowledgementSchema,
    });
  });
}
