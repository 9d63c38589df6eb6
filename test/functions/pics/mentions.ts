import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/mentions.ts';
import { commentOn, inPageMode, mentioning, onMedium } from '../at.ts';
import { hasId, haveIds, isAcknowledged } from '../holds.ts';
import type { Table } from '../table.ts';
import { created, paging, time } from '../values.ts';
import { listing, medium, ofAccount, several } from './shared.ts';

const mention = { id: '901', caption: 'Hi @shop', owner: { id: '8' } };
const ofMention = { kind: 'comment', id: 'id', lost: { path: /\/mentions$/ } } as const;

export const mentions: Table<PicsContext, typeof subject> = {
  taggedMedia: {
    kinds: {
      ...listing,
      mediaType: 'text',
      postedAfter: 'instant',
      postedBefore: 'instant',
      metrics: 'metrics',
      comments: 'inner comments',
    },
    variants: [
      ofAccount,
      { ...ofAccount, ...several, mediaType: 'IMAGE', postedAfter: 0, postedBefore: 1_790_000_000 },
      { ...ofAccount, metrics: true, comments: { limit: 2, replies: true } },
    ],
    routes: { 'GET 17/tags': [{ data: [medium], paging }, { data: [] }] },
    holds: haveIds,
    options: ({ own }) => own,
  },
  mentionedMedia: {
    modes: ['viaPages'],
    kinds: { token: 'token', picsUserId: 'account', mediaId: 'id', fields: 'names' },
    variants: [{ ...ofAccount, mediaId: '901', fields: ['id'] }],
    routes: { 'GET 17': { mentioned_media: mention, id: '17' } },
    holds: hasId,
    prepare: mentioning,
    options: (at) => ({ ...inPageMode(at), mediaId: at.prepared }),
  },
  mentionedComment: {
    modes: ['viaPages'],
    kinds: { token: 'token', picsUserId: 'account', commentId: 'id', fields: 'names' },
    variants: [{ ...ofAccount, commentId: '7', fields: ['id'] }],
    routes: { 'GET 17': { mentioned_comment: { id: '7', text: 'Hi', media: mention }, id: '17' } },
    holds: hasId,
    prepare: ({ sandbox }) =>
      sandbox.addComment({ on: sandbox.addMedia(), message: `@${sandbox.account.username}` }),
    options: (at) => ({ ...inPageMode(at), commentId: at.prepared }),
  },
  replyMention: {
    kinds: {
      idempotencyKey: 'key',
      token: 'token',
      picsUserId: 'account',
      mediaId: 'id',
      commentId: 'id',
      message: 'text',
    },
    variants: [
      { ...ofAccount, mediaId: '901', message: 'Thanks' },
      { ...ofAccount, mediaId: '901', commentId: '7', message: 'Thanks' },
    ],
    routes: {
      'POST 17/mentions': created,
      'GET 17': {
        username: 'shop',
        mentioned_media: {
          comments: { data: [{ id: '901', text: 'Thanks', timestamp: time, username: 'shop' }] },
        },
      },
    },
    holds: hasId,
    prepare: mentioning,
    options: ({ own, prepared, message }) => ({ ...own, mediaId: prepared, message }),
    writes: [
      { ...ofMention, mode: 'viaPages', keyed: { stranger: commentOn(({ prepared }) => prepared) } },
      {
        ...ofMention,
        as: 'to a comment',
        mode: 'viaPages',
        prepare: ({ sandbox }) => {
          const mediaId = mentioning({ sandbox });
          return `${mediaId} ${sandbox.addComment({ on: mediaId, message: `@${sandbox.account.username}?` })}`;
        },
        give: ({ prepared }) => {
          const [mediaId = '', commentId = ''] = prepared.split(' ');
          return { mediaId, commentId };
        },
        kind: 'reply',
      },
      // Login mode cannot read mentions.
      {
        ...ofMention,
        as: 'in login mode',
        hides: 'all',
        keyed: { stranger: commentOn(({ prepared }) => prepared) },
      },
    ],
  },
  likeMedia: {
    modes: ['viaPages'],
    kinds: { token: 'token', picsUserId: 'account', mediaId: 'id', commentId: 'id', liked: 'flag' },
    variants: [
      { ...ofAccount, mediaId: '901', liked: true },
      { ...ofAccount, commentId: '7', liked: false },
    ],
    routes: { 'POST 17/likes': { success: true }, 'DELETE 17/likes': { success: true } },
    holds: isAcknowledged,
    options: (at) => ({ ...inPageMode(at), ...onMedium(at) }),
    writes: [{ kind: 'like', lost: { path: /\/likes$/ } }],
  },
};
