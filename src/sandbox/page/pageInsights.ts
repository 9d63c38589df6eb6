import { invalid, refuse } from '../errors.ts';
import { link } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { PageNode } from './nodes.ts';
import { dayEnds, isoTime, names, oneOf, timeParam } from './values.ts';

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
  const asked = names(call.params['metric']);
  if (asked.length === 0) {
    return refuse({
      code: 3001,
      error_subcode: 1_504_028,
      message: '(#3001) Invalid query',
      error_user_title: 'No metric was specified to be fetched.',
    });
  }
  const { retired } = call.world.tuning.metrics;
  // Metrics of posts are dropped here, without a word.
  const own = asked.filter((name) => !name.startsWith('post_'));
  if (own.some((name) => !living.includes(name) || retired.includes(name))) {
    return invalid('The value must be a valid insights metric');
  }
  const period =
    oneOf(call.params, 'period', ['day', 'days_28', 'lifetime', 'month', 'total_over_range', 'week']) ??
    'day';
  const ends = endTimes(call);
  return {
    data: own.map((name) => series(page, name, period, ends)),
    paging: {
      previous: link(call, { since: 0, until: 1 }),
      next: link(call, { since: 2, until: 3 }),
    },
  };
}

/** The ends of the days in the range, unix seconds: two days where the call names none. */
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
