import { invalid, refuse } from '../errors.ts';
import { link } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { commentsOf } from './commentShape.ts';
import type { PostNode } from './nodes.ts';
import { names, oneOf } from './values.ts';

const reactions = ['like', 'love', 'wow', 'haha', 'sorry', 'anger'];

/** Metrics that still exist. Any other name, a retired one too, fails the whole call. */
function metricsOf(call: Call, post: PostNode): Readonly<Record<string, unknown>> {
  const comments = commentsOf(call, post.id).length;
  return {
    post_clicks: post.clicks,
    post_clicks_by_type: { 'other clicks': post.clicks },
    post_reactions_by_type_total: { like: 3, love: 1 },
    ...Object.fromEntries(
      reactions.map((name, index) => [`post_reactions_${name}_total`, [3, 1][index] ?? 0]),
    ),
    post_media_view: post.clicks * 12,
    post_total_media_view_unique: post.clicks * 9,
    post_activity_by_action_type: { like: 4, comment: comments },
    post_activity_by_action_type_unique: { like: 4, comment: comments },
    post_video_views: 0,
  };
}

export const postInsightsRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'post',
    edge: 'insights',
    tokens: ['page'],
    scopes: ['read_insights', 'pages_read_engagement'],
    tasks: ['ANALYZE'],
    params: ['metric', 'period', 'since', 'until', 'date_preset', 'breakdown'],
    run: postInsights,
  }),
];

/** The metrics of a post that a call names. */
export function postInsights(call: Call, post: PostNode): unknown {
  const asked = names(call.params['metric']);
  if (asked.length === 0) {
    return refuse({
      code: 3001,
      error_subcode: 1_504_028,
      message: '(#3001) Invalid query',
      error_user_title: 'No metric was specified to be fetched.',
    });
  }
  oneOf(call.params, 'period', ['day', 'days_28', 'lifetime', 'month', 'total_over_range', 'week']);
  const metrics = metricsOf(call, post);
  const { retired } = call.world.tuning.metrics;
  const dead = asked.find((name) => !Object.hasOwn(metrics, name) || retired.includes(name));
  if (dead !== undefined) return invalid('The value must be a valid insights metric');
  const paging = {
    previous: link(call, { since: 0, until: 1 }),
    next: link(call, { since: 2, until: 3 }),
  };
  return { data: asked.map((name) => entry(post, name, metrics[name])), paging };
}

function entry(post: PostNode, name: string, value: unknown): unknown {
  return {
    name,
    period: 'lifetime',
    values: [{ value }],
    title: name.replaceAll('_', ' '),
    description: `Lifetime: ${name.replaceAll('_', ' ')}`,
    id: `${post.id}/insights/${name}/lifetime`,
  };
}
