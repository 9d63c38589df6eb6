import { okAsync, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import type { WithWithheld } from '../core/lists/inside.ts';
import type { FieldOptions, List, ListOptions } from '../core/lists/list.ts';
import { fieldRules } from '../core/lists/list.ts';
import { fieldsOf } from '../core/objects.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { time, toSeconds } from '../core/options/time.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, performKeyed } from '../core/writes/keyed.ts';
import type { EffectLookup, ListedEntries, LookupLimits } from '../core/writes/lookups.ts';
import { askForLookup, oldestOf, repliesUnder, textOf, toEntries, toListed } from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type PicsComment, picsCommentSchema } from '../models/comments.ts';
import type { Acknowledgement, Created } from '../models/fields.ts';
import * as s from '../models/fields.ts';
import { type Media, mediaSchema } from '../models/media.ts';
import {
  accountListRules,
  accountOf,
  type AccountOptions,
  accountRules,
  checkInMode,
  onlyIn,
  type PageModeOptions,
  checkKeyedAccount,
} from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { checkMediaFields, mediaInside, type MediaInsideOptions, mediaInsideRules } from './inside.ts';
import { fieldsOfMedia, listMedia } from './mediaLists.ts';

export interface TaggedMediaOptions extends AccountOptions, ListOptions, FieldOptions, MediaInsideOptions {
  /**
   * Only media of this type, such as `IMAGE`, `VIDEO` or `CAROUSEL_ALBUM`. The platform's own SDK names the filter; its
   * values are those of the field `media_type`, unverified.
   */
  readonly mediaType?: string | undefined;
  /**
   * Only media that were posted after this time: unix seconds, or a Date. Sent as unix seconds; the platform's own SDK
   * names the filter, and does not say in what form, unverified.
   */
  readonly postedAfter?: number | Date | undefined;
  /** Only media that were posted before this time: as `postedAfter`. */
  readonly postedBefore?: number | Date | undefined;
}

/**
 * Lists the media of others in which the account is tagged, newest first. Those of private accounts are left out.
 *
 * The platform does not mark the last page, so one more request is sent to find the end. `hasMore` says that there may
 * be more. No webhook reports tags, and a tag cannot be replied to.
 *
 * Source: platform reference, User Tags.
 *
 * @example
 * const tagged = await taggedMedia(context, { token, limit: 10 });
 * if (tagged.isOk()) for (const { username, permalink } of tagged.value) console.log(username, permalink);
 */
export function taggedMedia(
  context: PicsContext,
  options: TaggedMediaOptions,
): ResultAsync<List<Media> & WithWithheld, Failure> {
  const rules = {
    ...accountListRules(context),
    mediaType: rule.optional(rule.text),
    postedAfter: rule.optional(time),
    postedBefore: rule.optional(time),
    ...mediaInsideRules,
  };
  const checked = check(context, options, rules, checkMediaFields);
  return perform(context, 'taggedMedia', checked, (call, { picsUserId, limit = 25, fields, ...filter }) => {
    const { mediaType, postedAfter, postedBefore } = filter;
    const request = {
      ...call,
      path: path`${accountOf(picsUserId)}/tags`,
      query: {
        media_type: mediaType,
        posted_after: postedAfter && toSeconds(postedAfter),
        posted_before: postedBefore && toSeconds(postedBefore),
      },
      limit,
      byCursor: true,
    };
    return listMedia(context, request, mediaInside(fieldsOfMedia(fields), filter));
  });
}

export interface MentionedMediaOptions extends PageModeOptions {
  /** From the webhook event `mentions`. */
  readonly mediaId: string;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those that the platform documents, without the comments
   */
  readonly fields?: readonly string[] | undefined;
}

const mentionedMediaFields =
  'id,caption,media_type,media_url,timestamp,username,owner,like_count,comments_count';

/**
 * Reads a media of somebody else whose caption mentions the account. Page mode only.
 *
 * Its id comes only with the webhook event `mentions`: no list contains it. There is none for stories and for media of
 * private accounts. The platform refuses a media that is private, or closed for comments.
 *
 * Source: platform reference, Mentioned Media.
 *
 * @example
 * const found = await mentionedMedia(context, { token, picsUserId, mediaId });
 * if (found.isOk()) console.log(found.value.username, found.value.caption);
 */
export function mentionedMedia(
  context: PicsContext,
  options: MentionedMediaOptions,
): ResultAsync<Media, Failure> {
  const checked = checkInMode('page', context, options, {
    ...accountRules(context),
    mediaId: expressionId,
    ...fieldRules,
  });
  return performRequest(context, 'mentionedMedia', checked, ({ picsUserId, mediaId, fields }) => ({
    path: path`${accountOf(picsUserId)}`,
    query: { fields: `mentioned_media.media_id(${mediaId}){${fields?.join(',') ?? mentionedMediaFields}}` },
    ownFields,
    schema: s.fieldOf('mentioned_media', mediaSchema),
  }));
}

export interface MentionedCommentOptions extends PageModeOptions {
  /** From the webhook event `mentions`. */
  readonly commentId: string;
  /**
   * Fields to request. An unknown one fails the whole call.
   * @default those that the platform documents: not who wrote it
   */
  readonly fields?: readonly string[] | undefined;
}

const mentionedCommentFields = 'id,text,timestamp,like_count,media{id,media_url}';

/**
 * Reads a comment that mentions the account, on somebody else's media. Page mode only.
 *
 * Its id comes only with the webhook event `mentions`: no list contains it. The platform refuses a comment on a media
 * that is private, or closed for comments.
 *
 * Source: platform reference, Mentioned Comment.
 *
 * @example
 * const found = await mentionedComment(context, { token, picsUserId, commentId });
 * if (found.isOk()) console.log(found.value.text, found.value.media?.id);
 */
export function mentionedComment(
  context: PicsContext,
  options: MentionedCommentOptions,
): ResultAsync<PicsComment, Failure> {
  const checked = checkInMode('page', context, options, {
    ...accountRules(context),
    commentId: expressionId,
    ...fieldRules,
  });
  return performRequest(context, 'mentionedComment', checked, ({ picsUserId, commentId, fields }) => ({
    path: path`${accountOf(picsUserId)}`,
    query: {
      fields: `mentioned_comment.comment_id(${commentId}){${fields?.join(',') ?? mentionedCommentFields}}`,
    },
    ownFields,
    schema: s.fieldOf('mentioned_comment', picsCommentSchema),
  }));
}

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
 * Source: platform reference, User Mentions.
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
  const checked = check(
    context,
    options,
    {
      idempotencyKey: keyRule,
      ...accountRules(context),
      mediaId: expressionId,
      commentId: rule.optional(expressionId),
      message: rule.text,
    },
    checkKeyedAccount,
  );
  return performKeyed(
    context,
    'replyMention',
    checked,
    'pics',
    (context, call, options) => {
      const { picsUserId, mediaId, commentId, message } = options;
      return sendOnce(
        context,
        {
          ...call,
          method: POST,
          path: path`${accountOf(picsUserId)}/mentions`,
          form: { media_id: mediaId, comment_id: commentId, message },
          schema: s.createdSchema,
        },
        context.mode === 'login' ? { kind: 'none', ...s.asCreated } : mentionLookup(context, call, options),
      );
    },
    { lane: 'interact' },
  );
}

/** How many comments are searched: the newest ones. */
const maxComments = 50;

/** Looks up a reply among the comments where the account is mentioned, by its author, its text and its time. */
function mentionLookup(
  context: PicsContext,
  call: Call,
  { picsUserId, mediaId, commentId, message }: ReplyMentionOptions,
): EffectLookup<Created> {
  const [field, at, edge] =
    commentId === undefined
      ? ['mentioned_media', `media_id(${mediaId})`, 'comments']
      : ['mentioned_comment', `comment_id(${commentId})`, 'replies'];
  const comments = `${edge}.limit(${maxComments}){id,text,timestamp,username}`;
  const list = `${picsUserId}/mentions ${commentId ?? mediaId}`;
  return {
    kind: 'entry',
    ...s.asCreated,
    entries: { list, text: message, ...repliesUnder(list, askForParent, read) },
  };

  /** The list that will show it. A reply to a reply appears under a comment that may not mention the account. */
  function askForParent(limits: LookupLimits): ResultAsync<string | undefined, RequestFailure> {
    if (commentId === undefined) return okAsync(list);
    return ask(limits, `username,${field}.${at}{parent_id}`).map(({ [field]: mention }) =>
      fieldsOf(mention)['parent_id'] === undefined ? list : undefined,
    );
  }

  function read(limits: LookupLimits): ResultAsync<ListedEntries, RequestFailure> {
    return ask(limits, `username,${field}.${at}{${comments}}`).map(({ username, [field]: mention }) => {
      const listed = toEntries(fieldsOf(fieldsOf(fieldsOf(mention)[edge]))['data']);
      return {
        entries: listed
          .filter((entry) => textOf(entry['username'] ?? username) === username)
          .map((entry) => toListed(entry, 'timestamp', entry['text'] ?? '')),
        wholeSince: oldestOf(listed, maxComments, 'timestamp'),
      };
    });
  }

  function ask(limits: LookupLimits, fields: string) {
    return askForLookup(context, call, limits, {
      path: path`${accountOf(picsUserId)}`,
      query: { fields },
      schema: s.objectOf({ username: s.string }),
    });
  }
}

interface LikeCommon extends PageModeOptions {
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
 * Repeating it has no further effect, so it is sent again after a lost response. The platform locks an account for an
 * hour that sends more than 50 of these in 5 seconds. Neither stories nor media of private accounts can be liked.
 *
 * Source: platform reference, User Likes.
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
    {
      ...accountRules(context),
      mediaId: rule.optional(rule.id),
      commentId: rule.optional(rule.id),
      liked: rule.optional(rule.flag),
    },
    onlyIn('page'),
    exactlyOneOf('mediaId', 'commentId'),
  );
  return performRequest(context, 'likeMedia', checked, ({ picsUserId, mediaId, commentId, liked = true }) => {
    const what = { media_id: mediaId, comment_id: commentId };
    return {
      method: liked ? POST : DELETE,
      path: path`${accountOf(picsUserId)}/likes`,
      ...(liked ? { form: what } : { query: what }),
      schema: s.acknowledgementSchema,
    };
  });
}

/** The rule for an id within a field expression: no character that could end the expression. */
const expressionId = v.pipe(
  rule.id,
  v.check((value) => /^\w+$/.test(value), 'must be an id of letters and digits'),
);
