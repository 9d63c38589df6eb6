import { invalid, refuse } from '../errors.ts';
import { link } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { commentsOf } from './commentShape.ts';
import type { PageNode, PostNode } from './nodes.ts';
import { dayEnds, isoTime, names, timeParam, periodIn } from './values.ts';

/** Metrics of a Page that still exist. */
const living = names(
  `
  page_media_view page_total_media_view_unique page_post_engagements page_daily_follows
  page_daily_follows_unique page_daily_unfollows_unique page_follows page_views_total page_total_actions
  page_actions_post_reactions_like_total page_actions_post_reactions_love_total
  page_actions_post_reactions_total page_video_views
`
    .trim()
    .replaceAll(/\s+/g, ','),
);

const daySeconds = 86_400;
const mostDays = 90;

export const pageInsightsRoutes: readonly Route[] = [
  onNode({
    method: 'GET',
    hosts: ['graph'],
    on: 'page',
    edge: 'insights',
    tokens: ['page'],
    scopes: ['read_insights', 'pages_read_engagement'],
    tasks: ['ANALYZE'],
    params: [
      'metric',
      'period',
      'since',
      'until',
      'date_preset',
      'breakdown',
      'show_description_from_api_doc',
    ],
    run: pageInsights,
  }),
];

/** The metrics of a Page that a call names. */
export function pageInsights(call: Call, page: PageNode): unknown {
  const asked = metricsIn(call);
  const { retired } = call.world.tuning.metrics;
  // Metrics of posts are silently dropped here.
  const own = asked.filter((name) => !name.startsWith('post_'));
  if (own.some((name) => !living.includes(name) || retired.includes(name))) {
    return invalid('The value must be a valid insights metric');
  }
  const period = periodIn(call.params) ?? 'day';
  const ends = endTimes(call);
  return {
    data: own.map((name) => series(page, name, period, ends)),
    paging: paging(call),
  };
}

function metricsIn({ params }: Call): readonly string[] {
  const asked = names(params['metric']);
  if (asked.length > 0) return asked;
  return refuse({
    code: 3001,
    error_subcode: 1_504_028,
    message: '(#3001) Invalid query',
    error_user_title: 'No metric was specified to be fetched.',
  });
}

/** Insights have a next and a previous page without end. */
function paging(call: Call): unknown {
  return { previous: link(call, { since: 0, until: 1 }), next: link(call, { since: 2, until: 3 }) };
}

/** The ends of the days in the range, in unix seconds; of two days if the call names no range. */
function endTimes(call: Call): number[] {
  const now = Math.floor(call.world.now() / 1000);
  const until = timeParam(call, 'until') ?? now;
  const since = timeParam(call, 'since') ?? until - 2 * daySeconds;
  if (since >= until) return invalid('Param since must be before until');
  if (until - since > mostDays * daySeconds) {
    return invalid('There cannot be more than 90 days (7776000 s) between since and until');
  }
  return dayEnds(since, Math.min(until, now));
}

function series(page: PageNode, name: string, period: string, ends: readonly number[]): unknown {
  const valueAt = (end: number): number => (Math.floor(end / daySeconds) * 7 + name.length) % 90;
  const total = ends.reduce((sum, end) => sum + valueAt(end), 0);
  return {
    name,
    period,
    values:
      period === 'lifetime' || period === 'total_over_range'
        ? [{ value: total }]
        : ends.map((end) => ({ value: valueAt(end), end_time: isoTime(end * 1000) })),
    title: name.replaceAll('_', ' '),
    description: `${period}: ${name.replaceAll('_', ' ')}`,
    id: `${page.id}/insights/${name}/${period}`,
  };
}

const reactions = ['like', 'love', 'wow', 'haha', 'sorry', 'anger'];

/** Metrics that still exist. Any other name, including a retired one, fails the whole call. */
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
  const asked = metricsIn(call);
  periodIn(call.params);
  const metrics = metricsOf(call, post);
  const { retired } = call.world.tuning.metrics;
  const dead = asked.find((name) => !Object.hasOwn(metrics, name) || retired.includes(name));
  if (dead !== undefined) return invalid('The value must be a valid insights metric');
  return { data: asked.map((name) => entry(post, name, metrics[name])), paging: paging(call) };
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
