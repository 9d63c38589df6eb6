import { ok, type Result, type ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest } from '../core/http/send.ts';
import type { Call, Params } from '../core/http/types.ts';
import {
  collectPages,
  fieldRules,
  type FieldOptions,
  isEntryFailure,
  type List,
  type ListOptions,
  type ListRequest,
  listRules,
  performList,
  walk,
  walkRules,
  walkList,
  type WalkOptions,
  walkPages,
} from '../core/lists/list.ts';
import { fieldsOf } from '../core/objects.ts';
import { check, type Rules } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, performKeyed } from '../core/writes/keyed.ts';
import type { Entries, EntriesRequest, ListedEntries } from '../core/writes/lookups.ts';
import { askForLookup, queryEntries, repliesUnder, textOf, toListed } from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type PicsComment, picsCommentSchema } from '../models/comments.ts';
import type { Acknowledgement, Created } from '../models/fields.ts';
import * as s from '../models/fields.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { firstFields, replyFields } from './inside.ts';
import { mediaListRules, ofMedia } from './mediaLists.ts';

export interface CommentsOptions extends PicsCallOptions, FieldOptions {
  readonly mediaId: string;
  /**
   * Comments to return, over all pages. At least 1.
   * @default 50
   */
  readonly limit?: number | undefined;
  /**
   * `true` lists all replies too, each behind its comment and with its `parent_id`; they count against `limit`. They come
   * with their comments: only a comment with more than 50 replies takes requests of its own, one for each further 50.
   * @default false
   */
  readonly replies?: boolean | undefined;
}

/**
 * Lists the comments on a post, newest first. The first replies are in the `replies` of their comment.
 *
 * Source: platform guide, Comments.
 *
 * @example
 * const found = await comments(context, { mediaId, token, limit: 200 });
 * if (found.isOk()) for (const { username, text } of found.value) console.log(username, text);
 */
export function comments(
  context: PicsContext,
  options: CommentsOptions,
): ResultAsync<List<PicsComment>, Failure> {
  const checked = check(context, options, commentRules);
  return perform(context, 'comments', checked, (call, options) => {
    const { limit = 50 } = options;
    return collectPages(pagesOf(context, call, options, limit));
  });
}

export interface IterateCommentsOptions extends WalkOptions, CommentsOptions {}

/**
 * Yields the comments on a post one by one, newest first, as `comments` lists them, and requests each page of 50 when
 * it is needed. The first replies are in the `replies` of their comment.
 *
 * Source: platform guide, Comments.
 *
 * @example
 * for await (const comment of iterateComments(context, { mediaId, token })) {
 *   if (comment.isOk()) console.log(comment.value.username, comment.value.text);
 * }
 */
export function iterateComments(
  context: PicsContext,
  options: IterateCommentsOptions,
): AsyncGenerator<Result<PicsComment, Failure>, void, undefined> {
  const checked = check(context, options, { ...commentRules, ...walkRules });
  return walk(context, 'iterateComments', checked, (call, options) =>
    pagesOf(context, call, options, options.limit ?? Infinity),
  );
}

export interface CommentDetailsOptions extends PicsCallOptions, FieldOptions {
  /** A comment, or a reply to one. */
  readonly commentId: string;
}

/**
 * Reads one comment, such as that of a webhook event, with its first replies.
 *
 * One live app reports that without the permission for comments the platform leaves `username` out instead of refusing,
 * and `text` is missing at times (both unverified).
 *
 * Source: platform guide, Comment Moderation.
 *
 * @example
 * const comment = await commentDetails(context, { commentId, token });
 * if (comment.isOk()) console.log(comment.value.username, comment.value.text);
 */
export function commentDetails(
  context: PicsContext,
  options: CommentDetailsOptions,
): ResultAsync<PicsComment, Failure> {
  const checked = check(context, options, { ...ofComment, ...fieldRules });
  return performRequest(context, 'commentDetails', checked, ({ commentId, fields }) => ({
    path: path`${commentId}`,
    query: { fields: fields?.join(',') ?? commentFields },
    ownFields,
    schema: picsCommentSchema,
  }));
}

export interface RepliesOptions extends PicsCallOptions, ListOptions, FieldOptions {
  /** A top-level comment: a reply has none. */
  readonly commentId: string;
}

/**
 * Lists the replies to a comment, of which `comments` holds only the first ones. The platform does not document their
 * order.
 *
 * Source: platform reference, Comment Replies.
 *
 * @example
 * const found = await replies(context, { commentId, token });
 * if (found.isOk()) for (const { username, text } of found.value) console.log(username, text);
 */
export function replies(
  context: PicsContext,
  options: RepliesOptions,
): ResultAsync<List<PicsComment>, Failure> {
  const checked = check(context, options, replyRules);
  return performList(context, 'replies', checked, 25, repliesTo);
}

export interface IterateRepliesOptions extends WalkOptions, RepliesOptions {}

/**
 * Yields the replies to a comment one by one, as `replies` lists them, and requests each page of 50 when it is needed.
 *
 * Source: platform reference, Comment Replies.
 *
 * @example
 * for await (const reply of iterateReplies(context, { commentId, token })) {
 *   if (reply.isOk()) console.log(reply.value.username, reply.value.text);
 * }
 */
export function iterateReplies(
  context: PicsContext,
  options: IterateRepliesOptions,
): AsyncGenerator<Result<PicsComment, Failure>, void, undefined> {
  const checked = check(context, options, { ...replyRules, ...walkRules });
  return walkList(context, 'iterateReplies', checked, repliesTo);
}

export interface PublishCommentOptions extends PicsCallOptions, KeyedOptions {
  /** Media of the account. */
  readonly mediaId: string;
  readonly message: string;
}

/**
 * Comments publicly on media of the account, as the account.
 *
 * Once-only: after a lost response, the comment that this call created is looked up among the account's own comments on
 * the media, by its text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`.
 *
 * Source: platform reference, Media Comments.
 *
 * @example
 * const comment = await publishComment(context, { mediaId, token, message: 'Still available!' });
 * if (comment.isOk()) console.log(comment.value.id);
 */
export function publishComment(
  context: PicsContext,
  options: PublishCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, { idempotencyKey: keyRule, ...ofMedia, message: rule.text });
  return performKeyed(context, 'publishComment', checked, 'pics', (context, call, { mediaId, message }) =>
    writeComment(context, call, path`${mediaId}/comments`, message, {
      list: `${mediaId}/comments`,
      query: (limits) => ownComments(context, { ...call, ...limits, path: path`${mediaId}/comments` }),
    }),
  );
}

export interface ReplyCommentOptions extends PicsCallOptions, KeyedOptions {
  readonly commentId: string;
  readonly message: string;
}

/**
 * Replies to a comment in public.
 *
 * Once-only: after a lost response, the reply that this call created is looked up among the replies to the comment, by
 * its text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`.
 *
 * Source: platform guide, Comment Moderation.
 *
 * @example
 * const reply = await replyComment(context, { commentId, token, message: 'Thank you!' });
 * if (reply.isOk()) console.log(reply.value.id);
 */
export function replyComment(
  context: PicsContext,
  options: ReplyCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, { idempotencyKey: keyRule, ...ofComment, message: rule.text });
  return performKeyed(
    context,
    'replyComment',
    checked,
    'pics',
    (context, call, { commentId, message }) =>
      writeComment(
        context,
        call,
        path`${commentId}/replies`,
        message,
        replyEntries(context, call, commentId),
      ),
    { lane: 'interact' },
  );
}

/** Where a reply to a comment appears. */
function replyEntries(context: PicsContext, call: Call, commentId: string): Entries {
  return {
    list: 'replies of accounts',
    ...repliesUnder(
      commentId,
      (limits) =>
        askForLookup(context, call, limits, {
          path: path`${commentId}`,
          query: { fields: 'id,parent_id' },
          schema: s.createdSchema,
        }).map((shown) => textOf(fieldsOf(shown)['parent_id']) || commentId),
      (limits, on) => ownComments(context, { ...call, ...limits, path: path`${on}/replies` }),
    ),
  };
}

/** The account's own comments in a list: the platform names the `user` of no others. */
function ownComments(
  context: PicsContext,
  request: Omit<EntriesRequest, 'query'>,
): ResultAsync<ListedEntries, RequestFailure> {
  const query = { fields: 'id,text,timestamp,user', limit: 50 };
  return queryEntries(context, { ...request, query }).map((comments) => ({
    entries: comments
      .filter(({ user }) => Boolean(user))
      .map((comment) => toListed(comment, 'timestamp', comment['text'] ?? '')),
  }));
}

export interface HideCommentOptions extends PicsCallOptions {
  readonly commentId: string;
  /**
   * `false` shows the comment again.
   * @default true
   */
  readonly hidden?: boolean | undefined;
}

/**
 * Hides a comment, or shows it again.
 *
 * For the account's own comments the platform reports success, but does not hide them.
 *
 * Source: platform reference, Comment.
 *
 * @example
 * const hidden = await hideComment(context, { commentId, token });
 * if (hidden.isErr()) console.error(hidden.error.message);
 */
export function hideComment(
  context: PicsContext,
  options: HideCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...ofComment, hidden: hiddenRule });
  return performRequest(context, 'hideComment', checked, ({ commentId, hidden = true }) => ({
    method: POST,
    path: path`${commentId}`,
    // Not in the body, where the platform accepts it and ignores it.
    query: { hide: hidden },
    schema: s.acknowledgementSchema,
  }));
}

export interface DeleteCommentOptions extends PicsCallOptions {
  readonly commentId: string;
  /** User token in login mode, page token in page mode, of the account that owns the media. */
  readonly token: string;
}

/**
 * Deletes a comment. This cannot be undone.
 *
 * After a lost response it is sent again. If the platform then says that there is no such comment, the error's
 * `outcome` is `unknown`: either the first attempt deleted it, or the token may not see it. The platform has one code
 * for both.
 *
 * Source: platform reference, Comment.
 *
 * @example
 * const deleted = await deleteComment(context, { commentId, token });
 * if (deleted.isOk()) console.log('gone');
 */
export function deleteComment(
  context: PicsContext,
  options: DeleteCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, ofComment);
  return performRequest(context, 'deleteComment', checked, ({ commentId }) => ({
    method: DELETE,
    path: path`${commentId}`,
    schema: s.acknowledgementSchema,
  }));
}

export interface SetCommentsEnabledOptions extends PicsCallOptions {
  readonly mediaId: string;
  /** Whether people can comment on the media. */
  readonly enabled: boolean;
}

/**
 * Turns comments on media on or off. Not for live video.
 *
 * The field `is_comment_enabled` of the media holds the state. Media cannot be published with comments off: turn them
 * off afterwards.
 *
 * Source: platform reference, Media.
 *
 * @example
 * const closed = await setCommentsEnabled(context, { mediaId, token, enabled: false });
 * if (closed.isErr()) console.error(closed.error.message);
 */
export function setCommentsEnabled(
  context: PicsContext,
  options: SetCommentsEnabledOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...ofMedia, enabled: rule.flag });
  return performRequest(context, 'setCommentsEnabled', checked, ({ mediaId, enabled }) => ({
    method: POST,
    path: path`${mediaId}`,
    // In the query, as documented: in a body, the platform ignores a parameter like this one.
    query: { comment_enabled: enabled },
    schema: s.acknowledgementSchema,
  }));
}

const ofComment = { commentId: rule.id, token: rule.token };

const replyRules: Rules<RepliesOptions> = {
  ...ofComment,
  ...listRules,
};

const commentRules: Rules<CommentsOptions> = { ...mediaListRules, replies: rule.optional(rule.flag) };

type Page = Result<readonly PicsComment[], RequestFailure>;
type Pages = AsyncGenerator<Page, boolean, undefined>;

function pagesOf(context: PicsContext, call: Call, options: CommentsOptions, limit: number): Pages {
  return options.replies === true
    ? walkThreads(context, call, options, limit)
    : walkPages(context, { ...call, ...commentsOf(options), limit });
}

/** The comments of each page, each with all its replies behind it. */
async function* walkThreads(
  context: PicsContext,
  call: Call,
  options: CommentsOptions,
  limit: number,
): Pages {
  const ofReplies = options.fields?.filter((name) => !name.startsWith('replies'));
  const inner = ofReplies?.join(',') ?? replyFields;
  const fields = [...(ofReplies ?? [replyFields]), `replies.limit(50){${inner}}`];
  const pages = walkPages(context, { ...call, ...commentsOf({ ...options, fields }), limit });
  let left = limit;
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return page.value;
    if (page.value.isErr()) yield page.value;
    for (const comment of page.value.unwrapOr([])) {
      if (left === 0) return true;
      yield ok([comment]);
      const after = yield* walkReplies(context, call, { ...options, fields: ofReplies }, comment, left - 1);
      if (typeof after === 'boolean') return after;
      left = after;
    }
  }
}

/** The replies to a comment. Returns how many entries may follow, or with what the whole walk ends. */
async function* walkReplies(
  context: PicsContext,
  call: Call,
  options: CommentsOptions,
  comment: PicsComment,
  most: number,
): AsyncGenerator<Page, number | boolean, undefined> {
  const { came, rest } = repliesIn(comment);
  if (came.length === 0 && rest === undefined) return most;
  const taken = came.slice(0, most);
  let left = most - taken.length;
  if (taken.length > 0) yield ok(taken.map((reply) => withParent(reply, comment)));
  if (taken.length < came.length || most === 0) return true;
  if (rest === undefined) return left;
  if (left === 0) return true;
  const known = new Set(taken.map(({ id }) => id));
  const list = repliesTo({ ...options, commentId: comment.id });
  const replies = walkPages(context, { ...call, ...list, query: { ...list.query, ...rest }, limit: left });
  for (;;) {
    const step = await replies.next();
    if (step.value === true) return true;
    if (step.done === true) return left;
    const found = step.value.map((entries) =>
      entries.filter(({ id }) => !known.has(id)).map((reply) => withParent(reply, comment)),
    );
    yield found;
    if (found.isErr() && !isEntryFailure(found.error)) return false;
    left -= found.unwrapOr([]).length;
  }
}

/** The replies that came with a comment, and, if there may be more, where those begin. */
function repliesIn({ replies, raw }: PicsComment): {
  readonly came: readonly PicsComment[];
  readonly rest?: Params;
} {
  const { data: came = [], hasMore = false } = replies ?? {};
  const { paging } = fieldsOf(raw['replies']);
  const { after } = fieldsOf(fieldsOf(paging)['cursors']);
  // Cursors without replies are the sign of replies that are not shown.
  if (!hasMore && !(came.length === 0 && paging !== undefined)) return { came };
  const isInPlace = came.length > 0 && typeof after === 'string' && after !== '';
  return isInPlace ? { came, rest: { after } } : { came: [], rest: {} };
}

function withParent(reply: PicsComment, { id }: PicsComment): PicsComment {
  return s.withRaw({ ...reply, parent_id: reply.parent_id ?? id }, reply.raw);
}

type CommentList = Pick<ListRequest<PicsComment>, 'path' | 'query' | 'pageSize' | 'item'>;

function commentsOf({ mediaId, fields }: CommentsOptions): CommentList {
  return commentList(path`${mediaId}/comments`, fields?.join(',') ?? commentFields);
}

function repliesTo({ commentId, fields }: RepliesOptions): CommentList {
  return commentList(path`${commentId}/replies`, fields?.join(',') ?? replyFields);
}

function commentList(path: string, fields: string): CommentList {
  // The most that the platform returns at once.
  return { path, query: { fields }, pageSize: 50, item: picsCommentSchema };
}

const commentFields = `${replyFields},replies{${firstFields}}`;

/** Adds a comment to this list, once. */
function writeComment(
  context: PicsContext,
  call: Call,
  list: string,
  message: string,
  entries: Entries,
): ResultAsync<Created, RequestFailure> {
  return sendOnce(
    context,
    { ...call, method: POST, path: list, form: { message }, schema: s.createdSchema },
    { kind: 'entry', ...s.asCreated, entries: { ...entries, text: message } },
  );
}

const hiddenRule = rule.optional(rule.flag);
