import { invalid } from '../errors.ts';
import { list, nested } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { add, listed, recordEffect } from '../world.ts';
import { commentShape, commentsOf } from './commentShape.ts';
import { feedParams, postEdges, postFields } from './knownNames.ts';
import type { PageNode, PostNode } from './nodes.ts';
import { flag, isoTime, timeWindow } from './values.ts';

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
    is_published: post.published,
    is_hidden: false,
    is_expired: false,
    is_popular: false,
    status_type: post.link === undefined ? 'mobile_status_update' : 'shared_story',
    permalink_url: `https://page.sandbox.test/${post.id.replace('_', '/posts/')}`,
    promotable_id: post.id,
    shares: { count: Math.max(1, commentsOf(call, post.id).length) },
  }),
  expand: {
    comments: (call, post, selection) =>
      nested(call, commentShape, commentsOf(call, post.id), selection, `/${post.id}/comments`),
  },
};

function postsOf(call: Call, page: PageNode): PostNode[] {
  const inTime = timeWindow(call);
  return listed(
    call.world,
    'post',
    (post) => post.pageId === page.id && post.published && inTime(post.createdAt),
  );
}

export const postRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    edge: 'published_posts',
    tokens: ['page'],
    scopes: ['pages_read_engagement'],
    params: ['include_hidden', 'show_expired', 'with', 'since', 'until', '__paging_token'],
    run: (call, page) => {
      const own = postsOf(call, page).filter((post) => post.from.id === page.id);
      return list(call, postShape, own, { by: 'time' });
    },
  }),
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    edge: 'feed',
    tokens: ['page'],
    scopes: ['pages_read_engagement', 'pages_read_user_content'],
    params: ['include_hidden', 'show_expired', 'with', 'since', 'until', '__paging_token'],
    run: (call, page) => list(call, postShape, postsOf(call, page), { by: 'time' }),
  }),
  onNode({
    method: 'POST',
    hosts: ['graph'],
    on: 'page',
    edge: 'feed',
    tokens: ['page'],
    scopes: ['pages_manage_posts', 'pages_read_engagement'],
    params: feedParams,
    run: publish,
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
    method: 'DELETE',
    hosts: ['graph'],
    on: 'post',
    tokens: ['page'],
    scopes: ['pages_manage_posts'],
    run: ({ world }, post) => {
      world.nodes.delete(post.id);
      recordEffect(world, 'delete', post.id, post.pageId, {});
      return { success: true };
    },
  }),
];

function publish(call: Call, page: PageNode): unknown {
  const { world, params } = call;
  const message = params['message'];
  const link = params['link'];
  if (params['scheduled_publish_time'] !== undefined)
    return invalid('Scheduled posts are not part of the sandbox');
  if (message === undefined && link === undefined) return invalid('Missing message or attachment');
  if (link !== undefined && !URL.canParse(link)) return invalid('link should represent a valid URL');
  const published = flag(params, 'published') ?? true;
  const post = add(world, {
    kind: 'post',
    id: `${page.id}_${world.newId()}`,
    owners: [page.id],
    createdAt: world.now(),
    pageId: page.id,
    message,
    link,
    published,
    from: { id: page.id, name: page.name },
    clicks: 0,
  });
  recordEffect(world, 'post', post.id, page.id, { message, link, published });
  return { id: post.id };
}
