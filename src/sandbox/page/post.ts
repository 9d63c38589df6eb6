import { feedParams, postEdges, postFields, postUpdateParams } from '../knownNames.ts';
import { list, nested } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { nestedCall, readNode, type Shape } from '../select.ts';
import { find, listed, recordEffect } from '../world.ts';
import { publishing, readingAll } from './access.ts';
import { commentShape, commentsOf, commentSummary } from './commentShape.ts';
import { postInsights } from './insights.ts';
import { likeFields } from './like.ts';
import type { PageNode, PostNode } from './nodes.ts';
import { placeAt } from './page.ts';
import { attachmentsOf } from './postMedia.ts';
import { isPublished, publish, update } from './postWrites.ts';
import { isoTime, timeWindow } from './values.ts';

const postShape: Shape<PostNode> = {
  type: 'PagePost',
  fields: postFields,
  defaults: ['created_time', 'message'],
  edges: postEdges,
  read: (post, call) => ({
    id: post.id,
    created_time: isoTime(post.createdAt),
    updated_time: isoTime(post.createdAt),
    message: post.message,
    from: post.from,
    is_published: isPublished(call.world, post),
    scheduled_publish_time:
      post.scheduledAt === undefined || isPublished(call.world, post) ? undefined : post.scheduledAt / 1000,
    is_hidden: post.hidden ?? false,
    is_expired: false,
    is_popular: false,
    call_to_action: post.callToAction,
    targeting: post.targeting,
    feed_targeting: post.feedTargeting,
    place: placeAt(call.world, post.placeId),
    status_type: statusType(call, post),
    permalink_url: `https://page.sandbox.test/${post.id.replace('_', '/posts/')}`,
    promotable_id: post.id,
    shares: sharesOf(commentsOf(call, post.id).length),
  }),
  expand: {
    attachments: attachmentsOf,
    comments: (call, post, selection) =>
      nested(
        call,
        commentShape,
        commentsOf(call, post.id),
        selection,
        `/${post.id}/comments`,
        commentSummary(commentsOf(call, post.id).length),
      ),
    insights: (call, post, { args }) =>
      postInsights(nestedCall(call, args, ['read_insights'], ['ANALYZE']), post),
    to: (_call, { tagIds }) => tagIds && { data: tagIds.map((id) => ({ id })) },
    ...likeFields,
  },
};

/** A post that nobody shared has no `shares`. */
function sharesOf(count: number): { readonly count: number } | undefined {
  return count === 0 ? undefined : { count };
}

function statusType({ world }: Call, { media, link }: PostNode): string {
  const [first] = media ?? [];
  if (first !== undefined) return find(world, 'video', first) === undefined ? 'added_photos' : 'added_video';
  return link === undefined ? 'mobile_status_update' : 'shared_story';
}

/** The posts on a Page; of one author only, where one is given. */
function postsOf(call: Call, { id }: PageNode, author?: string): PostNode[] {
  const inTime = timeWindow(call);
  return listed(
    call.world,
    'post',
    (post) =>
      post.pageId === id &&
      post.elsewhere !== true &&
      (author === undefined || post.from.id === author) &&
      isPublished(call.world, post) &&
      inTime(post.createdAt),
  );
}

function scheduledOf({ world }: Call, page: PageNode): PostNode[] {
  return listed(
    world,
    'post',
    (post) => post.pageId === page.id && post.scheduledAt !== undefined && !isPublished(world, post),
  );
}

export const postRoutes: readonly Route[] = [
  ...['published_posts', 'posts'].map((edge) =>
    onNode({
      ...readingAll,
      method: 'GET',
      on: 'page',
      edge,
      params: ['include_hidden', 'show_expired', 'with', 'since', 'until', '__paging_token'],
      run: (call, page) => {
        return list(call, postShape, postsOf(call, page, page.id), { by: 'time' });
      },
    }),
  ),
  onNode({
    ...readingAll,
    method: 'GET',
    on: 'page',
    edge: 'feed',
    params: ['include_hidden', 'show_expired', 'with', 'since', 'until', '__paging_token'],
    run: (call, page) => list(call, postShape, postsOf(call, page), { by: 'time' }),
  }),
  onNode({
    ...readingAll,
    method: 'GET',
    on: 'page',
    edge: 'visitor_posts',
    params: ['include_hidden', 'show_expired', 'with'],
    run: (call, page) =>
      list(
        call,
        postShape,
        postsOf(call, page).filter(({ from }) => from.id !== page.id),
      ),
  }),
  onNode({
    ...readingAll,
    method: 'GET',
    on: 'page',
    edge: 'tagged',
    run: (call, { id }) =>
      list(
        call,
        postShape,
        listed(call.world, 'post', (post) => post.pageId === id && post.elsewhere === true),
      ),
  }),
  onNode({
    ...publishing,
    method: 'POST',
    on: 'page',
    edge: 'feed',
    params: feedParams,
    run: publish,
  }),
  onNode({
    ...readingAll,
    method: 'GET',
    on: 'page',
    edge: 'scheduled_posts',
    run: (call, page) => list(call, postShape, scheduledOf(call, page)),
  }),
  onNode({
    ...publishing,
    method: 'POST',
    on: 'post',
    params: postUpdateParams,
    run: update,
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'post',
    tokens: ['page'],
    scopes: ['pages_read_engagement'],
    run: (call, post) => readNode(call, postShape, post),
  }),
  onNode({
    ...publishing,
    method: 'DELETE',
    on: 'post',
    run: ({ world }, post) => {
      world.nodes.delete(post.id);
      recordEffect(world, 'delete', post.id, post.pageId, {});
      return { success: true };
    },
  }),
];
