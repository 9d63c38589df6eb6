import type { Entry, Node } from '../nodes.ts';
import { type Call, isGrantedFor, ofPage, on, type Route } from '../route.ts';
import { link } from '../shapes.ts';
import {
  dayEnds,
  endsWithNumbers,
  invalid,
  isoTime,
  names,
  periodIn,
  refuse,
  timeParam,
  wordsIn,
} from '../values.ts';
import { find } from '../world.ts';
import { commentsOf } from './comments.ts';

/** Metrics of a Page that still exist. */
const living = wordsIn(`
  page_media_view page_total_media_view_unique page_post_engagements page_daily_follows
  page_daily_follows_unique page_daily_unfollows_unique page_follows page_follows_country
  page_lifetime_engaged_followers_unique page_fan_adds_by_paid_non_paid_unique page_views_total page_total_actions
  page_actions_post_reactions_like_total page_actions_post_reactions_love_total
  page_actions_post_reactions_wow_total page_actions_post_reactions_haha_total
  page_actions_post_reactions_sorry_total page_actions_post_reactions_anger_total
  page_actions_post_reactions_total page_video_views page_video_views_by_uploaded_hosted
  page_video_views_paid page_video_views_organic page_video_views_by_paid_non_paid
  page_video_views_autoplayed page_video_views_click_to_play page_video_repeat_views
  page_video_complete_views_30s page_video_complete_views_30s_paid page_video_complete_views_30s_organic
  page_video_complete_views_30s_autoplayed page_video_complete_views_30s_click_to_play
  page_video_complete_views_30s_unique page_video_complete_views_30s_repeat_views page_video_view_time
  content_monetization_earnings monetization_approximate_earnings
`);

const daySeconds = 86_400;
const maxDays = 90;

/** The metrics of a Page that a call names. */
export function pageInsights(call: Call, page: Node<'page'>): unknown {
  const asked = metricsIn(call);
  // Metrics of posts are silently dropped here.
  const pageMetrics = asked.filter((name) => !name.startsWith('post_'));
  checkMetrics(call, pageMetrics, (name) => living.includes(name));
  const period = periodIn(call.params) ?? 'day';
  const ends = endTimes(call);
  return { data: pageMetrics.map((name) => series(page, name, period, ends)), paging: paging(call) };
}

/**
 * Refuses the whole call if one of the metrics does not exist any more. The platform does not say which one, and every
 * other time not even the code.
 */
function checkMetrics({ world }: Call, asked: readonly string[], isKnown: (name: string) => boolean): void {
  const { retired } = world.tuning.metrics;
  const isLiving = (name: string): boolean => isKnown(name) && !retired.includes(name);
  if (asked.every(isLiving)) return;
  const text = 'The value must be a valid insights metric';
  refuse(100, world.served % 2 === 1 ? `(#100) ${text}` : text);
}

function metricsIn({ params }: Call): readonly string[] {
  const asked = names(params['metric']);
  if (asked.length > 0) return asked;
  return refuse(3001, '(#3001) Invalid query', {
    error_subcode: 1_504_028,
    error_user_title: 'No metric was specified to be fetched.',
  });
}

/** Insights have a next and a previous page without end. */
function paging(call: Call): unknown {
  return { previous: link(call, { since: 0, until: 1 }), next: link(call, { since: 2, until: 3 }) };
}

/** The ends of the days in the range, in unix seconds; of two days if the call names no range. */
function endTimes(call: Call): readonly number[] {
  const now = Math.floor(call.world.now() / 1000);
  const until = timeParam(call, 'until') ?? now;
  const since = timeParam(call, 'since') ?? until - 2 * daySeconds;
  if (since >= until) return invalid('Param since must be before until');
  if (until - since > maxDays * daySeconds) {
    return invalid('There cannot be more than 90 days (7776000 s) between since and until');
  }
  return endsWithNumbers(call.world, dayEnds(since, Math.min(until, now)));
}

function series(page: Node<'page'>, name: string, period: string, ends: readonly number[]): unknown {
  // All followers of a Page, of which it has 1,200, are a metric too.
  const least = name === 'page_follows' ? 1110 : 0;
  const valueAt = (end: number): number => least + ((Math.floor(end / daySeconds) * 7 + name.length) % 90);
  const isTotal = period === 'lifetime' || period === 'total_over_range';
  const values = isTotal
    ? [{ value: ends.reduce((sum, end) => sum + valueAt(end), 0) }]
    : ends.map((end) => ({ value: valueAt(end), end_time: isoTime(end * 1000) }));
  return metric(page, name, period, values, period);
}

function metric(of: Entry, name: string, period: string, values: unknown, label = 'Lifetime'): object {
  const title = name.replaceAll('_', ' ');
  const id = `${of.id}/insights/${name}/${period}`;
  return { name, period, values, title, description: `${label}: ${title}`, id };
}

const reactions = ['like', 'love', 'wow', 'haha', 'sorry', 'anger'];

/** Metrics that still exist. */
function metricsOf(call: Call, post: Node<'post'>): Readonly<Record<string, unknown>> {
  const comments = commentsOf(call, post).length;
  const isOfVideo = find(call.world, 'video', post.media?.[0] ?? '') !== undefined;
  return {
    post_clicks: post.clicks,
    post_clicks_by_type: { 'other clicks': post.clicks },
    post_reactions_by_type_total: { like: 3, love: 1 },
    ...Object.fromEntries(reactions.map((name, at) => [`post_reactions_${name}_total`, [3, 1][at] ?? 0])),
    post_media_view: post.clicks * 12,
    post_total_media_view_unique: post.clicks * 9,
    post_activity_by_action_type: { like: 4, comment: comments },
    post_activity_by_action_type_unique: { like: 4, comment: comments },
    post_video_views: 0,
    post_video_views_organic: 0,
    post_video_avg_time_watched: 0,
    // Other metrics of videos are 0 for a post that shows none; this one is refused.
    ...(isOfVideo && { post_video_view_time: 0 }),
  };
}

/** The metrics of a post that a call names. */
function postInsights(call: Call, post: Node<'post'>): unknown {
  const asked = metricsIn(call);
  const period = periodIn(call.params);
  const metrics = metricsOf(call, post);
  checkMetrics(call, asked, (name) => Object.hasOwn(metrics, name));
  // The platform does not refuse a token without this permission.
  const { world, token } = call;
  const isShown =
    token.scopes.includes('read_insights') && isGrantedFor(world, token, 'read_insights', post.pageId);
  const data =
    isShown && !world.tuning.metrics.postsWithout.includes(post.id)
      ? asked.flatMap((name) => [
          metric(post, name, 'lifetime', [{ value: metrics[name] }]),
          ...(period === undefined && name.includes('_view') ? [daysOf(call, post, name)] : []),
        ])
      : [];
  return { data, paging: paging(call) };
}

/** The same as a field of the post, which lacks it if the platform has no numbers of the post. */
export function postInsightsWithin(call: Call, post: Node<'post'>): unknown {
  const found = postInsights(call, post);
  return call.world.tuning.metrics.postsWithout.includes(post.id) ? undefined : found;
}

/** Unless a period is named, some metrics also come as a series of days, which reads 0. */
function daysOf({ world }: Call, post: Node<'post'>, name: string): unknown {
  const now = Math.floor(world.now() / 1000);
  const values = dayEnds(now - daySeconds, now).map((end) => ({ value: 0, end_time: isoTime(end * 1000) }));
  return metric(post, name, 'day', values);
}

/** The metrics of a video, which a Reel does not have. Times are in milliseconds. */
const ofVideos: Readonly<Record<string, unknown>> = {
  total_video_views: 120,
  total_video_views_organic: 120,
  total_video_views_paid: 0,
  total_video_complete_views: 40,
  total_video_avg_time_watched: 9200,
  total_video_view_total_time: 1_104_000,
  total_video_reactions_by_type_total: { like: 3, love: 1 },
  total_video_retention_graph: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [at, Math.round(100 - at * 2) / 100]),
  ),
};

/** The metrics of a Reel, which a video does not have. */
const ofReels: Readonly<Record<string, unknown>> = {
  blue_reels_play_count: 210,
  fb_reels_total_plays: 250,
  fb_reels_replay_count: 40,
  post_video_avg_time_watched: 6100,
  post_video_view_time: 1_281_000,
  post_video_followers: 2,
  post_video_likes_by_reaction_type: { REACTION_LIKE: 5 },
  post_video_social_actions: { COMMENT: 5, SHARE: 2 },
  post_video_retention_graph: { 0: 1, 3: 0.7, 6: 0.4 },
};

/** The metrics of a video that a call names, or all; a retired one is still among those of a Reel. */
export function videoInsights(call: Call, video: Node<'video'>): unknown {
  const isReel = video.edge === 'video_reels';
  const all = isReel ? { ...ofReels, post_impressions_unique: 180 } : ofVideos;
  const asked = names(call.params['metric']);
  periodIn(call.params);
  checkMetrics(call, asked, (name) => Object.hasOwn(isReel ? ofReels : ofVideos, name));
  const shown = Object.entries(all).filter(([name]) => asked.length === 0 || asked.includes(name));
  const data = shown.map(([name, value]) => metric(video, name, 'lifetime', [{ value }]));
  return { data, paging: paging(call) };
}

const analyzing = ofPage(['read_insights', 'pages_read_engagement'], ['ANALYZE']);
const params = 'metric period since until date_preset breakdown';

export const pageInsightsRoutes: readonly Route[] = [
  on('GET', 'page', 'insights', analyzing, pageInsights, `${params} show_description_from_api_doc`),
  on('GET', 'post', 'insights', ofPage(['pages_read_engagement'], ['ANALYZE']), postInsights, params),
  on('GET', 'video', 'video_insights', analyzing, videoInsights, 'metric period since until'),
];
