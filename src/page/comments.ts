import { errAsync, okAsync, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure, type RequestFailure } from '../core/errors.ts';
import { path, shownAddresses } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { guardHook } from '../core/http/guardHook.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { perform, performRequest, safeTry } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import type { FieldOptions, List, ListOptions, WalkOptions } from '../core/lists/list.ts';
import { fieldRules, limitRule, list, performList, walkRules, walkList } from '../core/lists/list.ts';
import { fieldsOf, withHidden } from '../core/objects.ts';
import { atLeastOneOf, check, type Rules } from '../core/options/check.ts';
import { type FileSource, fileSource } from '../core/options/fileSource.ts';
import * as rule from '../core/options/rules.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyRule, openDigested, performKeyed, recordIds, recordedIn } from '../core/writes/keyed.ts';
import type { ListedEntries, ListEntry, LookupLimits } from '../core/writes/lookups.ts';
import { askForLookup, idIn, isOfApp, queryEntries, repliesUnder, toListed } from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { type PageComment, pageCommentSchema, type Reaction, reactionSchema } from '../models/comments.ts';
import type { Acknowledgement, Created } from '../models/fields.ts';
import * as s from '../models/fields.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { type ModeratorOptions, ofPost } from './pageOptions.ts';
import { type ListParts, uploadPhoto } from './publications.ts';

export interface CommentsOptions extends ModeratorOptions, FieldOptions {
  readonly postId: string;
  /**
   * Comments to return, over all pages of the list.
   * @default 50
   */
  readonly limit?: number | undefined;
  /**
   * `true` lists replies among the comments, each with its `parent`; they count against `limit`.
   * @default false
   */
  readonly replies?: boolean | undefined;
}

/**
 * Lists the comments on a post, newest first, without the replies to them unless `replies` is `true`.
 *
 * To list the replies to one comment, pass its id as `postId`.
 *
 * Source: platform reference, Object comments.
 *
 * @example
 * const newest = await comments(context, { postId, pageToken, limit: 10 });
 * if (newest.isOk()) console.log(newest.value.map((comment) => comment.message));
 */
export function comments(
  context: PageContext,
  options: CommentsOptions,
): ResultAsync<List<PageComment>, Failure> {
  const checked = check(context, options, commentRules);
  return performList(context, 'comments', checked, 50, commentsOf);
}

export interface IterateCommentsOptions extends WalkOptions, CommentsOptions {}

/**
 * Yields the comments on a post one by one, newest first, as `comments` lists them, and requests each page of 100 when
 * it is needed.
 *
 * To walk the replies to a comment, pass its id as `postId`.
 *
 * Source: platform reference, Object comments.
 *
 * @example
 * for await (const comment of iterateComments(context, { postId, pageToken })) {
 *   if (comment.isOk()) console.log(comment.value.from?.name, comment.value.message);
 * }
 */
export function iterateComments(
  context: PageContext,
  options: IterateCommentsOptions,
): AsyncGenerator<Result<PageComment, Failure>, void, undefined> {
  const checked = check(context, options, { ...commentRules, ...walkRules });
  return walkList(context, 'iterateComments', checked, commentsOf);
}

export interface CommentDetailsOptions extends PageCallOptions, FieldOptions {
  /** A comment, or a reply to one. */
  readonly commentId: string;
}

/**
 * Reads one comment, such as that of a webhook event. Its `parent` is there only if it is a reply.
 *
 * Source: Graph API reference, Comment.
 *
 * @example
 * const comment = await commentDetails(context, { commentId, pageToken });
 * if (comment.isOk()) console.log(comment.value.from?.name, comment.value.message);
 */
export function commentDetails(
  context: PageContext,
  options: CommentDetailsOptions,
): ResultAsync<PageComment, Failure> {
  const checked = check(context, options, { ...ofComment, ...fieldRules });
  return performRequest(context, 'commentDetails', checked, ({ commentId, fields }) => ({
    path: path`${commentId}`,
    query: { fields: s.fieldsFor(pageCommentSchema, fields) },
    ownFields,
    schema: pageCommentSchema,
  }));
}

interface PublishCommentCommon extends ModeratorOptions, KeyedOptions {
  /** A post, photo, video or comment. Below what `publishPhoto` published: its `post_id`. */
  readonly objectId: string;
  /** Called once the photo is uploaded, before the comment is posted. Anything it throws is ignored. */
  readonly onCreated?: ((ids: { readonly photo_id: string }) => unknown) | undefined;
}

/** Options for a comment with text, with or without an image at a public address. */
export interface PublishTextCommentOptions extends PublishCommentCommon {
  readonly message: string;
  /** Public address of an image. */
  readonly attachmentUrl?: string | undefined;
  readonly photo?: undefined;
  readonly pageId?: string | undefined;
}

/** Options for a comment with an image at a public address, with or without text. */
export interface PublishHostedCommentOptions extends PublishCommentCommon {
  readonly message?: string | undefined;
  /** Public address of an image. */
  readonly attachmentUrl: string;
  readonly photo?: undefined;
  readonly pageId?: string | undefined;
}

/** Options for a comment with an uploaded photo. */
export interface PublishPhotoCommentOptions extends PublishCommentCommon {
  readonly message?: string | undefined;
  /** The photo's bytes, or the path of its file as a string or a file URL. Never use a path from user input. */
  readonly photo: FileSource;
  /** The commenting Page, to which the photo is uploaded. */
  readonly pageId: string;
  readonly attachmentUrl?: undefined;
}

export type PublishCommentOptions =
  | PublishTextCommentOptions
  | PublishHostedCommentOptions
  | PublishPhotoCommentOptions;

/**
 * Comments on a post, photo, video or comment, in the name of the Page: with text, an image, or both.
 *
 * Once-only: after a lost response, the comment that this call created is looked up among the newest ones, by its
 * photo, or by its author, text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`;
 * that is always so for an `attachmentUrl` without text, and if the token may not see who wrote a comment. The id of an
 * uploaded photo is in the error's `ids` as `photo_id`.
 *
 * A photo needs `pages_manage_posts` and the task `CREATE_CONTENT` too. Source: Graph API reference, Object comments.
 *
 * @example
 * const comment = await publishComment(context, { objectId: postId, pageToken, message: 'Tables are left!' });
 * if (comment.isOk()) console.log(comment.value.id);
 */
export function publishComment(
  context: PageContext,
  options: PublishCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(
    context,
    options,
    publishRules,
    atLeastOneOf('message', 'attachmentUrl', 'photo'),
    checkPhoto,
  );
  return performKeyed(context, 'publishComment', checked, 'page', (context, call, options) => {
    const { objectId, message, attachmentUrl, photo, pageId = '' } = options;
    const onCreated = guardHook(options.onCreated);
    return safeTry(async function* () {
      let { photo_id } = recordedIn(context);
      if (photo !== undefined) {
        if (photo_id === undefined) {
          const file = yield* openDigested(context, call, photo, 'photo', '');
          photo_id = (yield* uploadPhoto(context, call, pageId, file)).id;
        }
        onCreated?.({ photo_id });
        yield* recordIds(context, { photo_id });
      }
      return sendComment(context, call, objectId, {
        message,
        attachment_url: attachmentUrl,
        attachment_id: photo_id,
      });
    });
  });
}

const ofComment = { commentId: rule.id, pageToken: rule.token };

const ofObject = { objectId: rule.id, pageToken: rule.token };

const changedText = rule.text;

const hiddenRule = rule.optional(rule.flag);

const publishRules = {
  idempotencyKey: keyRule,
  ...ofObject,
  message: rule.optional(rule.text),
  attachmentUrl: rule.optional(rule.mediaUrl),
  photo: rule.optional(fileSource('attachmentUrl')),
  pageId: rule.optional(rule.id),
  onCreated: rule.optional(rule.hook),
};

function checkPhoto({ photo, attachmentUrl, pageId }: PublishCommentOptions) {
  if (photo === undefined) return undefined;
  if (pageId === undefined) return rule.faultOf('is required for a photo', 'pageId');
  return attachmentUrl === undefined
    ? undefined
    : new ConfigurationError('give only one of attachmentUrl and photo', 'attachmentUrl');
}

export interface ReplyCommentOptions extends ModeratorOptions, KeyedOptions {
  readonly commentId: string;
  readonly message: string;
}

/**
 * Replies to a comment, in the name of the Page.
 *
 * Once-only: after a lost response, the reply that this call created is looked up among the newest replies to the
 * comment, by its author, text and time, and returned. If it cannot be identified, the error's `outcome` is `unknown`;
 * that is always so for a reply to a reply, which the platform attaches to the top-level comment, and if the token may
 * not see who wrote a reply.
 *
 * Source: platform reference, Object comments.
 *
 * @example
 * const reply = await replyComment(context, { commentId, pageToken, message: 'Thank you!' });
 * if (reply.isOk()) console.log(reply.value.id);
 */
export function replyComment(
  context: PageContext,
  options: ReplyCommentOptions,
): ResultAsync<Created, Failure> {
  const checked = check(context, options, {
    idempotencyKey: keyRule,
    ...ofComment,
    message: rule.text,
  });
  return performKeyed(
    context,
    'replyComment',
    checked,
    'page',
    (context, call, { commentId, message }) => sendComment(context, call, commentId, { message }),
    { lane: 'interact' },
  );
}

export interface HideCommentOptions extends PageCallOptions {
  readonly commentId: string;
  /**
   * `false` shows the comment again.
   * @default true
   */
  readonly hidden?: boolean | undefined;
}

/**
 * Hides a comment on a post of the Page, or shows it again. Its author and the author's friends can still see it.
 *
 * Source: platform reference, Comment.
 *
 * @example
 * const hidden = await hideComment(context, { commentId, pageToken });
 * if (hidden.isErr()) console.error(hidden.error.message);
 */
export function hideComment(
  context: PageContext,
  options: HideCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...ofComment, hidden: hiddenRule });
  return performRequest(context, 'hideComment', checked, ({ commentId, hidden = true }) => ({
    method: POST,
    path: path`${commentId}`,
    form: { is_hidden: hidden },
    schema: s.acknowledgementSchema,
  }));
}

export interface UpdateCommentOptions extends ModeratorOptions {
  /** A comment by the Page. */
  readonly commentId: string;
  /** The new text. */
  readonly message: string;
}

/**
 * Changes the text of a comment that the Page wrote. It only sets a state, so it is sent again after a lost response.
 *
 * Source: Graph API reference, Comment.
 *
 * @example
 * const changed = await updateComment(context, { commentId, pageToken, message: 'Sold out.' });
 * if (changed.isErr()) console.error(changed.error.message);
 */
export function updateComment(
  context: PageContext,
  options: UpdateCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...ofComment, message: changedText });
  return performRequest(context, 'updateComment', checked, ({ commentId, message }) => ({
    method: POST,
    path: path`${commentId}`,
    form: { message },
    schema: s.acknowledgementSchema,
  }));
}

export interface DeleteCommentOptions extends ModeratorOptions {
  /** A comment by the Page, or by anyone on a post of the Page. */
  readonly commentId: string;
}

/**
 * Deletes a comment. This cannot be undone.
 *
 * After a lost response it is sent again. If the platform then says that there is no such comment, the error's
 * `outcome` is `unknown`, as for `deletePost`.
 *
 * Source: Graph API reference, Comment.
 *
 * @example
 * const deleted = await deleteComment(context, { commentId, pageToken });
 * if (deleted.isErr()) console.error(deleted.error.outcome);
 */
export function deleteComment(
  context: PageContext,
  options: DeleteCommentOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, ofComment);
  return performRequest(context, 'deleteComment', checked, ({ commentId }) => ({
    method: DELETE,
    path: path`${commentId}`,
    schema: s.acknowledgementSchema,
  }));
}

export interface LikeOptions extends ModeratorOptions {
  /** A post, photo, video or comment. */
  readonly objectId: string;
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
 * Source: Graph API reference, Object likes.
 *
 * @example
 * const liked = await like(context, { objectId: commentId, pageToken });
 * if (liked.isErr()) console.error(liked.error.message);
 */
export function like(context: PageContext, options: LikeOptions): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...ofObject, liked: rule.optional(rule.flag) });
  return performRequest(context, 'like', checked, ({ objectId, liked = true }) => ({
    method: liked ? POST : DELETE,
    path: path`${objectId}/likes`,
    schema: s.acknowledgementSchema,
  }));
}

const reactionTypes = ['like', 'love', 'care', 'haha', 'wow', 'sad', 'angry'] as const;
const reactionType = rule.oneOf(...reactionTypes);

export interface ReactionsOptions extends PageCallOptions, ListOptions {
  /** A post or a comment. */
  readonly objectId: string;
  /**
   * Only reactions of this type.
   * @default all
   */
  readonly type?: (typeof reactionTypes)[number] | undefined;
}

/** Reactions, and how many there are. */
export type Reactions = List<Reaction> & {
  /** Not enumerable. The platform counts more reactions than it lists: not everyone is shown. */
  readonly summary: { readonly total_count: number | undefined };
};

/**
 * Lists the reactions to a post or a comment, with their number in `summary.total_count`.
 *
 * Source: Graph API reference, Object reactions.
 *
 * @example
 * const loving = await reactions(context, { objectId: postId, pageToken, type: 'love' });
 * if (loving.isOk()) console.log(loving.value.summary.total_count, loving.value.map(({ name }) => name));
 */
export function reactions(context: PageContext, options: ReactionsOptions): ResultAsync<Reactions, Failure> {
  const checked = check(context, options, {
    ...ofObject,
    type: rule.optional(reactionType),
    limit: limitRule,
  });
  return perform(context, 'reactions', checked, (call, { objectId, type, limit = 25 }) => {
    let total_count: number | undefined;
    return list(context, {
      ...call,
      path: path`${objectId}/reactions`,
      query: {
        fields: s.fieldsFor(reactionSchema),
        type: type?.toUpperCase(),
        summary: 'total_count',
      },
      item: reactionSchema,
      limit,
      onPage: ({ body }) => {
        total_count ??= s.toNumber(fieldsOf(fieldsOf(body)['summary'])['total_count']);
      },
    }).map((found) => withHidden(found, { summary: { total_count } }));
  });
}

const commentRules: Rules<CommentsOptions> = {
  ...ofPost,
  limit: limitRule,
  replies: rule.optional(rule.flag),
  ...fieldRules,
};

function commentsOf(options: CommentsOptions): ListParts<PageComment> {
  // Comments and replies in one list.
  const filter = options.replies === true ? 'stream' : undefined;
  const query = { order: 'reverse_chronological', filter };
  return s.entriesAt(path`${options.postId}/comments`, pageCommentSchema, options, query);
}

/** The parameters of a new comment: `attachment_id` is the photo that was uploaded for it. */
type NewComment = Partial<
  Readonly<Record<'message' | 'attachment_url' | 'attachment_id', string | undefined>>
>;

/**
 * Adds a comment, once. After a lost response, it is looked up among those of the token's own Page: by the photo that
 * was uploaded for it, or by its text.
 */
function sendComment(
  context: PageContext,
  request: Call,
  objectId: string,
  form: NewComment,
): ResultAsync<Created, RequestFailure> {
  const { message, attachment_url, attachment_id: photoId } = form;
  let ownId: string | undefined;
  return sendOnce(
    context,
    {
      ...request,
      method: POST,
      path: path`${objectId}/comments`,
      form,
      fetches: shownAddresses(attachment_url),
      schema: s.createdSchema,
    },
    {
      kind: 'entry',
      ...s.asCreated,
      ids: photoId === undefined ? undefined : { photo_id: photoId },
      entries: {
        list: 'comments of Pages',
        text: message,
        sign: 'no text',
        carries: photoId !== undefined,
        ...repliesUnder(objectId, askForParent, read),
      },
    },
  );

  function askForParent(limits: LookupLimits): ResultAsync<string, RequestFailure> {
    return askForLookup(context, request, limits, {
      path: path`${objectId}`,
      query: { fields: 'id,parent{id}' },
      schema: s.createdSchema,
    })
      .map((shown) => idIn(fieldsOf(shown)['parent']) || objectId)
      .orElse((failure) =>
        // Only comments have this field: the object is a post, a photo or a video.
        /nonexisting field/.test(failure.message) ? okAsync(objectId) : errAsync(failure),
      );
  }

  function read(limits: LookupLimits, on: string): ResultAsync<ListedEntries, RequestFailure> {
    return queryEntries(context, {
      ...request,
      ...limits,
      path: path`${on}/comments`,
      query: {
        fields: `id,message,created_time,from,application${photoId === undefined ? '' : ',attachment'}`,
        order: 'reverse_chronological',
        limit: 25,
      },
    }).andThen((comments) =>
      (comments.length === 0 || (photoId !== undefined && !limits.readPages)
        ? okAsync('')
        : ownPage(limits)
      ).map((ownPageId) => ({
        entries: comments
          .filter((one) => isOfApp(one, context.appId))
          .flatMap((one) => toEntry(one, ownPageId)),
      })),
    );
  }

  /** A comment of the caller's Page. One whose author is not shown may be the new one, but is not taken for it. */
  function toEntry(comment: ListEntry, ownPageId: string) {
    const { from, attachment, message: shown = '' } = comment;
    const author = idIn(from);
    /** The photo that it shows. */
    const target = idIn(fieldsOf(attachment)['target']);
    const isOwn = photoId !== undefined && target === photoId;
    const isOther = (author !== ownPageId && author !== '') || (photoId !== undefined && target !== '');
    if (isOther && !isOwn) return [];
    return [{ ...toListed(comment, 'created_time', author === '' ? undefined : shown), isOwn }];
  }

  function ownPage(limits: LookupLimits): ResultAsync<string, RequestFailure> {
    if (ownId !== undefined) return okAsync(ownId);
    return askForLookup(context, request, limits, {
      path: 'me',
      query: { fields: 'id' },
      schema: s.createdSchema,
    }).map(({ id }) => (ownId = id));
  }
}
