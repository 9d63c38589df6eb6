import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { check, fieldsOf, optional, text, token as tokenRule } from '../core/options/check.ts';
import { parseTime } from '../core/options/time.ts';
import { objectOf, string } from '../core/schema.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn } from '../core/writes/keyed.ts';
import { toEntries, textOf, toRecentEntries } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { EffectLookup } from '../core/writes/types.ts';
import { asCreated, type Created, createdSchema } from '../models/written.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';
import { wordId } from './internal/mentions.ts';

export interface ReplyMentionOptions extends PicsCallOptions, KeyedOptions {
  /**
   * Id of the account that is mentioned, and replies. Required in page mode, and with an `idempotencyKey`.
   * @default the token's own account, in login mode
   */
  readonly picsUserId?: string | undefined;
  /** The media whose caption mentions the account, or whose comment does: from the webhook event `mentions`. */
  readonly mediaId: string;
  /** The comment that mentions the account, where it is not the caption. */
  readonly commentId?: string | undefined;
  readonly message: string;
}

/**
 * Replies in public where the account is mentioned: comments on the media whose caption mentions it, or replies to the
 * comment that does.
 *
 * Once-only: after a lost response in page mode, the comments where the account is mentioned are looked up, and the one
 * that this call made, recognized by its author, its text and its time, is returned. If none can be recognized, the
 * error's `outcome` is `unknown`, as it always is in login mode, which cannot read mentions. The platform does not
 * document the replies to a comment that mentions an account: if it refuses to list them, the outcome is `unknown`,
 * too.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_comments`; in page mode: `pics_basic`,
 * `pics_manage_comments`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, User Mentions.
 *
 * @example
 * const reply = await replyMention(context, { token, picsUserId, mediaId, message: 'Thank you for the visit!' });
 * if (reply.isOk()) console.log(reply.value.id);
 *
 * @example With a client, which throws
 * await client.replyMention({ token, picsUserId, mediaId, commentId, message: 'Thank you!' });
 */
export function replyMention(
  context: PicsContext,
  options: ReplyMentionOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, (own) => ({
    idempotencyKey: keyIn(context),
    token: tokenRule,
    picsUserId: accountId(context, own),
    mediaId: wordId,
    commentId: optional(wordId),
    message: text,
  }));
  return perform(context, 'replyMention', checked, (call, own) => {
    const { picsUserId, mediaId, commentId, message } = own;
    return keyed(context, call, 'pics', own, (context) =>
      sendOnce(
        context,
        {
          ...call,
          method: 'POST',
          path: path`${accountOf(picsUserId)}/mentions`,
          form: { media_id: mediaId, comment_id: commentId, message },
          schema: createdSchema,
        },
        context.mode === 'login' ? asCreated : mentionLookup(context, call, own),
      ),
    );
  });
}

/** How many comments are searched: the newest ones. */
const mostComments = 50;

/** Looks up a reply among the comments where the account is mentioned, by its author, its text and its time. */
function mentionLookup(
  context: PicsContext,
  call: Call,
  { picsUserId, mediaId, commentId, message }: ReplyMentionOptions,
): EffectLookup<Created> {
  const content = message.trim();
  const [field, at, edge] =
    commentId === undefined
      ? ['mentioned_media', `media_id(${mediaId})`, 'comments']
      : ['mentioned_comment', `comment_id(${commentId})`, 'replies'];
  const comments = `${edge}.limit(${mostComments}){id,text,timestamp,username}`;
  return {
    list: `${picsUserId}/mentions ${commentId ?? mediaId}`,
    content,
    ...asCreated,
    query: ({ attempts, deadline }) =>
      send(context, {
        ...call,
        attempts,
        deadline,
        method: 'GET',
        path: path`${accountOf(picsUserId)}`,
        query: { fields: `username,${field}.${at}{${comments}}` },
        purpose: 'lookup',
        schema: objectOf({ username: string }),
      }).map(({ username, [field]: mention }) => {
        const listed = toEntries(fieldsOf(fieldsOf(fieldsOf(mention)[edge]))['data']);
        const own = listed.filter(
          (entry) => textOf(entry['username']) === username && textOf(entry['text']).trim() === content,
        );
        // A full list may leave out older comments.
        const wholeSince =
          listed.length < mostComments ? undefined : parseTime(listed.at(-1)?.['timestamp']) || Infinity;
        return { entries: toRecentEntries(own, 'timestamp'), wholeSince };
      }),
  };
}
