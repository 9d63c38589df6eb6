import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/posts.ts';
import { idOf, onPage, onPost, soon, visitorPost } from '../at.ts';
import { areNumbers, hasId, haveIds, isAcknowledged, isTrue } from '../holds.ts';
import type { Table } from '../table.ts';
import { inner, pageToken, paging, time } from '../values.ts';
import { ahead, shown } from './shared.ts';

const pageOfPosts = {
  'GET 42/published_posts': {
    data: [
      {
        id: '42_1',
        message: 'Hi',
        created_time: time,
        is_published: true,
        comments: { data: [], paging: inner },
      },
    ],
    paging,
  },
};
const pageOfFeed = { 'GET 42/feed': pageOfPosts['GET 42/published_posts'] };
const feedKinds = {
  pageId: 'id',
  pageToken: 'token',
  limit: 'count',
  fields: 'names',
  since: 'instant',
  until: 'instant',
} as const;
const feedOptions = { pageId: '42', pageToken, limit: 3, fields: ['id'], since: 1, until: new Date(9e11) };
const post = { kind: 'post', id: 'id', lost: { path: /\/feed$/ } } as const;

export const posts: Table<PageContext, typeof subject> = {
  publishPost: {
    lane: 'publish',
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      message: 'text',
      link: 'url',
      published: 'flag',
      scheduledAt: 'schedule',
      draft: 'flag',
      callToAction: 'record',
      targeting: 'record',
      feedTargeting: 'record',
      placeId: 'id',
      tags: 'names',
      idempotencyKey: 'key',
    },
    variants: [
      { pageId: '42', pageToken, message: 'Hi' },
      { pageId: '42', pageToken, message: 'Hi', link: 'https://example.com', published: false },
      { pageId: '42', pageToken, message: 'Hi', scheduledAt: ahead, placeId: '77', tags: ['8'] },
      {
        pageId: '42',
        pageToken,
        message: 'Hi',
        draft: true,
        callToAction: { type: 'SHOP_NOW', link: 'https://example.com' },
        targeting: { age_min: 18 },
        feedTargeting: { genders: [1] },
      },
    ],
    routes: {
      'POST 42/feed': { id: '42_1' },
      'GET 42/published_posts': { data: [{ id: '42_1', message: 'Hi', created_time: time }] },
      'GET 42/scheduled_posts': {
        data: [{ id: '42_1', message: 'Hi', created_time: time, scheduled_publish_time: ahead }],
      },
    },
    holds: hasId,
    options: (at) => ({ ...onPage(at), message: at.message }),
    writes: [
      { ...post, keyed: { stranger: visitorPost } },
      // No list shows it, so that it cannot be looked up.
      {
        ...post,
        as: 'unpublished',
        give: () => ({ published: false }),
        hides: 'all',
        keyed: { stranger: visitorPost },
      },
      { ...post, as: 'scheduled', give: () => ({ scheduledAt: soon }), keyed: { stranger: visitorPost } },
      { ...post, as: 'a draft', give: () => ({ draft: true }), hides: 'all' },
    ],
  },
  posts: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      fields: 'names',
      metrics: 'metrics',
      totals: 'flag',
      comments: 'inner comments',
    },
    variants: [
      { pageId: '42', pageToken, limit: 3, fields: ['id'] },
      { pageId: '42', pageToken, metrics: true, totals: true, comments: { limit: 2, replies: true } },
    ],
    routes: pageOfPosts,
    holds: haveIds,
    options: onPage,
  },
  iteratePosts: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      limit: 'count',
      fields: 'names',
      onUnreadable: 'hook',
      metrics: 'metrics',
      totals: 'flag',
      comments: 'inner comments',
      onWithheld: 'hook',
    },
    variants: [
      { pageId: '42', pageToken, limit: 3, fields: ['id'], onUnreadable: () => undefined },
      {
        pageId: '42',
        pageToken,
        metrics: true,
        totals: true,
        comments: { limit: 2, replies: true },
        onWithheld: () => undefined,
      },
    ],
    routes: pageOfPosts,
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: onPage,
  },
  feed: {
    kinds: { ...feedKinds, metrics: 'metrics', totals: 'flag', comments: 'inner comments' },
    variants: [
      feedOptions,
      { pageId: '42', pageToken, metrics: true, totals: true, comments: { limit: 2, replies: true } },
    ],
    routes: pageOfFeed,
    holds: haveIds,
    options: onPage,
  },
  iterateFeed: {
    kinds: {
      ...feedKinds,
      onUnreadable: 'hook',
      metrics: 'metrics',
      totals: 'flag',
      comments: 'inner comments',
      onWithheld: 'hook',
    },
    variants: [
      { ...feedOptions, onUnreadable: () => undefined },
      {
        pageId: '42',
        pageToken,
        metrics: true,
        totals: true,
        comments: { limit: 2, replies: true },
        onWithheld: () => undefined,
      },
    ],
    routes: pageOfFeed,
    holds: (last: unknown) => last === undefined || hasId(last as never),
    options: onPage,
  },
  postDetails: {
    kinds: {
      postId: 'id',
      pageToken: 'token',
      fields: 'names',
      totals: 'flag',
      metrics: 'metrics',
      comments: 'inner comments',
    },
    variants: [
      { postId: '42_1', pageToken, totals: true },
      { postId: '42_1', pageToken, fields: ['id', 'message'], totals: false },
      { postId: '42_1', pageToken, metrics: ['post_clicks'], comments: 3 },
    ],
    routes: {
      'GET 42_1': [
        { ...shown, from: { id: '42', name: 'Shop' }, shares: { count: 2 } },
        {
          id: '42_1',
          reactions: { data: [], summary: { total_count: 3, viewer_reaction: 'NONE' } },
          comments: { data: [], summary: { order: 'ranked', total_count: 4, can_comment: true } },
          shares: { count: 2 },
        },
      ],
    },
    holds: (value: { totals?: unknown }) =>
      hasId(value) && (value.totals === undefined || areNumbers(JSON.parse(JSON.stringify(value.totals)))),
    options: onPost,
  },
  deletePost: {
    kinds: { postId: 'id', pageToken: 'token' },
    variants: [{ postId: '42_1', pageToken }],
    routes: { 'DELETE 42_1': { success: true } },
    holds: isTrue,
    options: onPost,
    // "No such object" is also what a missing permission is called.
    writes: [
      {
        kind: 'delete',
        lost: { method: 'DELETE', path: /\/\d+(?:_\d+)?$/, one: 'delete', again: 'unknown' },
      },
    ],
  },
  scheduledPosts: {
    kinds: { pageId: 'id', pageToken: 'token', limit: 'count', fields: 'names' },
    variants: [{ pageId: '42', pageToken, limit: 3, fields: ['id'] }],
    routes: {
      'GET 42/scheduled_posts': {
        data: [{ id: '42_1', message: 'Hi', created_time: time, scheduled_publish_time: ahead }],
        paging,
      },
    },
    holds: haveIds,
    options: onPage,
  },
  updatePost: {
    kinds: {
      postId: 'id',
      pageToken: 'token',
      message: 'text',
      scheduledAt: 'schedule',
      hidden: 'flag',
      pinned: 'flag',
    },
    variants: [
      { postId: '42_1', pageToken, message: 'Hi' },
      { postId: '42_1', pageToken, scheduledAt: ahead, hidden: false, pinned: false },
    ],
    routes: { 'POST 42_1': { success: true } },
    holds: isAcknowledged,
    options: (at) => ({ ...onPost(at), message: at.message }),
    writes: [{ kind: 'post_update', lost: { path: /\/\d+_\d+$/ } }],
  },
  publishScheduledPost: {
    lane: 'publish',
    kinds: { postId: 'id', pageToken: 'token' },
    variants: [{ postId: '42_1', pageToken }],
    routes: { 'POST 42_1': { success: true } },
    holds: isAcknowledged,
    prepare: ({ context, sandbox, at }) => {
      const scheduledAt = new Date(sandbox.now() + 86_400_000);
      return idOf(page.publishPost(context, { ...onPage(at), message: 'Soon', scheduledAt }));
    },
    options: ({ prepared, pageToken }) => ({ postId: prepared, pageToken }),
    writes: [{ kind: 'post_update', lost: { path: /\/\d+_\d+$/ } }],
  },
};
