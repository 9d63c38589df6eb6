import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, fieldNames, optional, token as tokenRule } from '../core/options/check.ts';
import { type PicsComment, picsCommentSchema } from '../models/comments.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, checkMode } from './internal/account.ts';
import { readMention, wordId } from './internal/mentions.ts';

export interface MentionedCommentOptions extends PicsCallOptions {
  /** Id of the account that is mentioned. Required. */
  readonly picsUserId?: string | undefined;
  /** From the webhook event `mentions`. */
  readonly commentId: string;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those that the platform documents: not who wrote it
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields = 'id,text,timestamp,like_count,media{id,media_url}';

/**
 * Reads a comment that mentions the account, on somebody else's media. Page mode only.
 *
 * Its id comes only with the webhook event `mentions`: no list contains it. The platform refuses a comment on a media
 * that is private, or closed for comments.
 *
 * Permissions: `pics_basic`, `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform
 * reference, Mentioned Comment.
 *
 * @example
 * const found = await mentionedComment(context, { token, picsUserId, commentId });
 * if (found.isOk()) console.log(found.value.text, found.value.media?.id);
 *
 * @example With a client, which throws
 * const { text, media } = await client.mentionedComment({ token, picsUserId, commentId });
 */
export function mentionedComment(
  context: PicsContext,
  options: MentionedCommentOptions,
): ResultAsync<PicsComment, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token: tokenRule,
      picsUserId: accountId(context),
      commentId: wordId,
      fields: optional(fieldNames),
    }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'mentionedComment', checked, (call, own) => {
    const { picsUserId, commentId, fields } = own;
    return readMention(
      context,
      { ...call, picsUserId },
      {
        field: 'mentioned_comment',
        at: `comment_id(${commentId})`,
        fields: fields?.join(',') ?? defaultFields,
        schema: picsCommentSchema,
      },
    );
  });
}
