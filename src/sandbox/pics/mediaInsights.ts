import { invalid, missing, refuse } from '../errors.ts';
import { names, periodIn } from '../page/values.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { World } from '../world.ts';
import { both, loginMode, needs } from './access.ts';
import { commentsOf } from './commentShape.ts';
import { isLive } from './containerState.ts';
import { checkMetrics, titleOf } from './insights.ts';
import type { PicsMediaNode } from './nodes.ts';

const always = ['reach', 'views', 'shares', 'total_interactions', 'reposts'];
const posts = ['likes', 'comments', 'saved'];
const visits = ['profile_visits', 'follows', 'profile_activity'];
const reels = ['ig_reels_avg_watch_time', 'ig_reels_video_view_total_time', 'reels_skip_rate'];
const stories = ['replies', 'navigation'];
const pageTotals = ['total_views', 'total_likes', 'total_comments'];

/** The metrics of each product type. */
function metricsOf(call: Call, product: PicsMediaNode['product']): readonly string[] {
  const own = {
    FEED: [...posts, ...visits],
    REELS: [...posts, ...reels],
    STORY: [...visits, ...stories, ...(loginMode(call) ? [] : ['link_clicks'])],
  }[product];
  return [...always, ...own, ...(loginMode(call) ? [] : pageTotals)];
}

export const mediaInsightsRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMedia',
    edge: 'insights',
    scopes: needs(['manage_insights']),
    params: ['breakdown', 'metric', 'period'],
    required: ['metric'],
    run: mediaInsights,
  }),
];

/** The metrics of a media that a call names. */
export function mediaInsights(call: Call, media: PicsMediaNode): unknown {
  const { world, params } = call;
  const asked = names(params['metric']);
  if (!isLive(world, media)) return missing(media.id, call.method);
  periodIn(params);
  const products = ['FEED', 'REELS', 'STORY'] as const;
  const all = new Set(products.flatMap((product) => metricsOf(call, product)));
  const { retiredMetrics } = world.tuning.pics;
  checkMetrics(asked, [...all].filter((name) => !retiredMetrics.includes(name)).toSorted());
  const own = metricsOf(call, media.product);
  const strange = asked.filter((name) => !own.includes(name));
  if (strange.length > 0) {
    return invalid(
      `The following metrics (${strange.join(', ')}) are not supported for the media product type ${media.product}`,
    );
  }
  if (media.parentId !== undefined) return { data: [] };
  if (media.product === 'STORY' && media.viewers < 5) {
    return refuse({ code: 10, message: '(#10) Not enough viewers for the media to show insights' });
  }
  const values = valuesOf(world, media);
  const data = asked.map((name) => ({
    name,
    period: 'lifetime',
    values: [{ value: values[name] ?? 0 }],
    title: titleOf(name),
    description: titleOf(name),
    id: `${media.id}/insights/${name}/lifetime`,
  }));
  return { data };
}

function valuesOf(world: World, media: PicsMediaNode): Readonly<Record<string, number>> {
  const comments = commentsOf(world, media.id).length;
  const saved = Math.floor(media.likes / 4);
  const shares = Math.floor(media.likes / 5);
  return {
    reach: media.viewers,
    views: media.viewers * 2,
    shares,
    total_interactions: media.likes + comments + saved + shares,
    likes: media.likes,
    comments,
    saved,
    profile_visits: Math.floor(media.viewers / 10),
    navigation: media.viewers,
    ig_reels_avg_watch_time: 4200,
    ig_reels_video_view_total_time: 4200 * media.viewers,
    total_views: media.viewers * 2,
    total_likes: media.likes,
    total_comments: comments,
  };
}
