import type * as subject from '../../../src/page/comments.ts';
import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import { commentOn, fileOf, idOf, image, onComment, onObject, onPost } from '../at.ts';
import { hasId, haveIds, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { created, pageToken, paging, time } from '../values.ts';

const pageOfComments = {
  'GET 42_1/comments': {
    data: [
      {
        id: '7',
        message: 'Nice',
        created_time: time,
        from: { id: '8', name: 'A' },
        like_count: 1,
        comment_count: 0,
        is_hidden: false,
        permalink_url: 'https://example.com',
        attachment: { media: { image: { src: 'https://example.com' } } },
      },
      { id: 8 },
    ],
    paging,
  },
};
const [oneComment] = pageOfComments['GET 42_1/comments'].data;
const comment = { kind: 'comment', id: 'id' } as const;
const lost = { path: /\/comments$/ };
const onFirstPost = commentOn((at) => at.page.postIds[0]);

export const comments: Table<PageContext, typeof subject> = {
  comments: {
    kinds: { postId: 'id', pageToken: 'token', limit: 'count', replies: 'flag', fields: 'names' },
    variants: [
      { postId: '42_1', pageToken },
      { postId: '42_1', pageToken, limit: 3, replies: true, fields: ['id', 'message'] },
    ],
    routes: pageOfComments,
    holds: haveIds,
    options: onPost,
  },
  iterateComments: {
    kinds: {
      postId: 'id',
      pageToken: 'token',
      limit: 'count',
      replies: 'flag',
      fields: 'names',
      onUnreadable: 'hook',
    },
    variants: [
      {
        postId: '42_1',
        pageToken,
        limit: 3,
        replies: true,
        fields: ['id', 'message'],
        onUnreadable: () => undefined,
      },
    ],
    routes: pageOfComments,
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: onPost,
  },
  commentDetails: {
    kinds: { commentId: 'id', pageToken: 'token', fields: 'names' },
    variants: [
      { commentId: '7', pageToken },
      { commentId: '7', pageToken, fields: ['id', 'parent'] },
    ],
    routes: { 'GET 7': { ...oneComment, parent: { id: '6' } } },
    holds: hasId,
    options: onComment,
  },
  publishComment: {
    lane: 'publish',
    kinds: {
      idempotencyKey: 'key',
      objectId: 'id',
      pageToken: 'token',
      message: 'text',
      attachmentUrl: 'url',
      photo: 'video',
      pageId: 'id',
      onCreated: 'hook',
    },
    variants: [
      { objectId: '42_1', pageToken, message: 'Hi', attachmentUrl: 'https://example.com/a.jpg' },
      { objectId: '42_1', pageToken, photo: new Uint8Array(9), pageId: '42', onCreated: () => undefined },
    ],
    routes: {
      'POST 42/photos': { id: '81' },
      'POST 42_1/comments': created,
      'GET 42_1/comments': {
        data: [{ id: '901', message: 'Hi', created_time: time, attachment: { target: { id: '81' } } }],
      },
    },
    holds: hasId,
    options: (at) => ({ ...onObject(at), message: at.message }),
    writes: [
      { ...comment, lost, keyed: { stranger: onFirstPost } },
      {
        ...comment,
        as: 'with a photo',
        give: ({ page: { id }, message }) => ({ pageId: id, photo: fileOf(message) }),
        keyed: { stranger: onFirstPost, makes: ['photo'] },
      },
      {
        ...comment,
        as: 'with a photo alone',
        give: ({ page: { id } }) => ({ message: undefined, pageId: id, photo: new Uint8Array(9) }),
        lost: { ...lost, names: ['photo_id'] },
      },
      {
        ...comment,
        as: 'with the address of an image',
        give: ({ message }) => ({ message: undefined, attachmentUrl: image(message) }),
        hides: 'its content',
        lost,
        keyed: { stranger: onFirstPost, isVariant: true },
      },
      {
        as: 'its photo',
        give: ({ page: { id } }) => ({ message: undefined, pageId: id, photo: new Uint8Array(9) }),
        kind: 'photo',
        lost: { path: /\/photos$/, one: 'comment' },
      },
    ],
  },
  replyComment: {
    kinds: { idempotencyKey: 'key', commentId: 'id', pageToken: 'token', message: 'text' },
    variants: [{ commentId: '7', pageToken, message: 'Thanks' }],
    routes: {
      'POST 7/comments': created,
      'GET 7/comments': { data: [{ id: '901', message: 'Thanks', created_time: time }] },
    },
    holds: hasId,
    options: (at) => ({ ...onComment(at), message: at.message }),
    writes: [
      {
        kind: 'reply',
        id: 'id',
        lost,
        keyed: { stranger: commentOn((at) => at.page.commentIds[0]) },
      },
    ],
  },
  hideComment: {
    kinds: { commentId: 'id', pageToken: 'token', hidden: 'flag' },
    variants: [{ commentId: '7', pageToken, hidden: false }],
    routes: { 'POST 7': { success: true } },
    holds: isAcknowledged,
    options: onComment,
    writes: [{ kind: 'comment_hide', lost: { path: /\/\d+_\d+$/ } }],
  },
  updateComment: {
    kinds: { commentId: 'id', pageToken: 'token', message: 'text' },
    variants: [{ commentId: '7', pageToken, message: 'Thanks' }],
    routes: { 'POST 7': { success: true } },
    holds: isAcknowledged,
    prepare: ({ context, at }) => idOf(page.publishComment(context, { ...onObject(at), message: 'Old' })),
    options: ({ prepared, pageToken, message }) => ({ commentId: prepared, pageToken, message }),
    writes: [{ kind: 'comment_update', lost: { path: /\/\d+_\d+$/ } }],
  },
  deleteComment: {
    kinds: { commentId: 'id', pageToken: 'token' },
    variants: [{ commentId: '7', pageToken }],
    routes: { 'DELETE 7': { success: true } },
    holds: isAcknowledged,
    options: onComment,
    writes: [
      {
        kind: 'delete',
        lost: { method: 'DELETE', path: /\/\d+(?:_\d+)?$/, one: 'delete', again: 'unknown' },
      },
    ],
  },
  like: {
    kinds: { objectId: 'id', pageToken: 'token', liked: 'flag' },
    variants: [
      { objectId: '42_1', pageToken },
      { objectId: '42_1', pageToken, liked: false },
    ],
    routes: { 'POST 42_1/likes': { success: true }, 'DELETE 42_1/likes': { success: true } },
    holds: isAcknowledged,
    options: onObject,
    writes: [
      { kind: 'like', lost: { path: /\/likes$/ } },
      {
        as: 'taken back',
        give: () => ({ liked: false }),
        kind: 'like',
        lost: { method: 'DELETE', path: /\/likes$/ },
      },
    ],
  },
  reactions: {
    kinds: { objectId: 'id', pageToken: 'token', type: 'choice', limit: 'count' },
    variants: [{ objectId: '42_1', pageToken, type: 'love', limit: 3 }],
    routes: {
      'GET 42_1/reactions': {
        data: [{ id: '8', name: 'Ada', type: 'LOVE' }],
        paging,
        summary: { total_count: 1214, viewer_reaction: 'NONE' },
      },
    },
    holds: haveIds,
    options: onObject,
  },
};
