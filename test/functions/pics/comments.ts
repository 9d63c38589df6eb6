import type * as subject from '../../../src/pics/comments.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import { commentOn, onMedium, underMedium } from '../at.ts';
import { hasId, haveIds, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { created, inner, paging, time, token } from '../values.ts';

const pageOfComments = {
  'GET 901/comments': {
    data: [
      {
        id: '7',
        text: 'Nice',
        timestamp: time,
        username: 'a',
        like_count: 1,
        hidden: false,
        from: { id: '8', username: 'a' },
        replies: { data: [{ id: '9', text: 'Yes', parent_id: 7 }], paging: inner },
      },
    ],
    paging,
  },
};
const pageOfReplies = { 'GET 7/replies': pageOfComments['GET 901/comments'] };

export const comments: Table<PicsContext, typeof subject> = {
  comments: {
    kinds: { mediaId: 'id', token: 'token', limit: 'count', replies: 'flag', fields: 'names' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, limit: 3, replies: true, fields: ['id'] },
    ],
    routes: { ...pageOfComments, ...pageOfReplies },
    holds: haveIds,
    options: onMedium,
  },
  iterateComments: {
    kinds: {
      mediaId: 'id',
      token: 'token',
      limit: 'count',
      replies: 'flag',
      fields: 'names',
      onUnreadable: 'hook',
    },
    variants: [
      { mediaId: '901', token, limit: 3, replies: true, fields: ['id'], onUnreadable: () => undefined },
    ],
    routes: { ...pageOfComments, ...pageOfReplies },
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: onMedium,
  },
  commentDetails: {
    kinds: { commentId: 'id', token: 'token', fields: 'names' },
    variants: [
      { commentId: '7', token },
      { commentId: '7', token, fields: ['id', 'parent_id'] },
    ],
    routes: { 'GET 7': { ...pageOfComments['GET 901/comments'].data[0], parent_id: '6' } },
    holds: hasId,
    options: underMedium,
  },
  replies: {
    kinds: { commentId: 'id', token: 'token', limit: 'count', fields: 'names' },
    variants: [
      { commentId: '7', token },
      { commentId: '7', token, limit: 3, fields: ['id'] },
    ],
    routes: pageOfReplies,
    holds: haveIds,
    options: underMedium,
  },
  iterateReplies: {
    kinds: { commentId: 'id', token: 'token', limit: 'count', fields: 'names', onUnreadable: 'hook' },
    variants: [{ commentId: '7', token, limit: 3, fields: ['id'], onUnreadable: () => undefined }],
    routes: pageOfReplies,
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: underMedium,
  },
  publishComment: {
    lane: 'publish',
    kinds: { idempotencyKey: 'key', mediaId: 'id', token: 'token', message: 'text' },
    variants: [{ mediaId: '901', token, message: 'Thanks' }],
    routes: {
      'POST 901/comments': created,
      'GET 901/comments': { data: [{ id: '901', text: 'Thanks', timestamp: time, user: { id: '17' } }] },
    },
    holds: hasId,
    options: (at) => ({ ...onMedium(at), message: at.message }),
    writes: [
      {
        kind: 'comment',
        id: 'id',
        lost: { path: /\/comments$/ },
        keyed: { stranger: commentOn((at) => at.account.mediaIds[0]) },
      },
    ],
  },
  replyComment: {
    kinds: { idempotencyKey: 'key', commentId: 'id', token: 'token', message: 'text' },
    variants: [{ commentId: '7', token, message: 'Thanks' }],
    routes: {
      'POST 7/replies': created,
      'GET 7/replies': { data: [{ id: '901', text: 'Thanks', timestamp: time, user: { id: '17' } }] },
    },
    holds: hasId,
    options: (at) => ({ ...underMedium(at), message: at.message }),
    writes: [
      {
        kind: 'reply',
        id: 'id',
        lost: { path: /\/replies$/ },
        keyed: { stranger: commentOn((at) => at.account.commentIds[0]) },
      },
    ],
  },
  hideComment: {
    kinds: { commentId: 'id', token: 'token', hidden: 'flag' },
    variants: [{ commentId: '7', token, hidden: false }],
    routes: { 'POST 7': { success: true } },
    holds: isAcknowledged,
    options: underMedium,
    writes: [{ kind: 'hide', lost: { path: /^\/\d+$/ } }],
  },
  deleteComment: {
    kinds: { commentId: 'id', token: 'token' },
    variants: [{ commentId: '7', token }],
    routes: { 'DELETE 7': { success: true } },
    holds: isAcknowledged,
    options: underMedium,
    writes: [
      {
        kind: 'delete',
        lost: { method: 'DELETE', path: /\/\d+(?:_\d+)?$/, one: 'delete', again: 'unknown' },
      },
    ],
  },
  setCommentsEnabled: {
    kinds: { mediaId: 'id', token: 'token', enabled: 'flag' },
    variants: [{ mediaId: '901', token, enabled: false }],
    routes: { 'POST 901': { success: true } },
    holds: isAcknowledged,
    options: (at) => ({ ...onMedium(at), enabled: false }),
    writes: [{ kind: 'comment_toggle', lost: { path: /^\/\d+$/ } }],
  },
};
