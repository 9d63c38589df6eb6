import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { check, fieldNames, optional, token as tokenRule } from '../core/options/check.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, checkMode } from './internal/account.ts';
import { readMention, wordId } from './internal/mentions.ts';

export interface MentionedMediaOptions extends PicsCallOptions {
  /** Id of the account that is mentioned. Required. */
  readonly picsUserId?: string | undefined;
  /** From the webhook event `mentions`. */
  readonly mediaId: string;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those that the platform documents, without the comments
   */
  readonly fields?: readonly string[] | undefined;
}

const defaultFields = 'id,caption,media_type,media_url,timestamp,username,owner,like_count,comments_count';

/**
 * Reads a media of somebody else whose caption mentions the account. Page mode only.
 *
 * Its id comes only with the webhook event `mentions`: no list contains it. There is none for stories and for media of
 * private accounts. The platform refuses a media that is private, or closed for comments.
 *
 * Permissions: `pics_basic`, `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform
 * reference, Mentioned Media.
 *
 * @example
 * const found = await mentionedMedia(context, { token, picsUserId, mediaId });
 * if (found.isOk()) console.log(found.value.username, found.value.caption);
 *
 * @example With a client, which throws
 * const { caption } = await client.mentionedMedia({ token, picsUserId, mediaId });
 */
export function mentionedMedia(
  context: PicsContext,
  options: MentionedMediaOptions,
): ResultAsync<Media, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token: tokenRule,
      picsUserId: accountId(context),
      mediaId: wordId,
      fields: optional(fieldNames),
    }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'mentionedMedia', checked, (call, own) => {
    const { picsUserId, mediaId, fields } = own;
    return readMention(
      context,
      { ...call, picsUserId },
      {
        field: 'mentioned_media',
        at: `media_id(${mediaId})`,
        fields: fields?.join(',') ?? defaultFields,
        schema: mediaSchema,
      },
    );
  });
}
