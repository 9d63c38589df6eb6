import type { Entry, Node } from '../nodes.ts';
import { type Call, inBothModes, isLive, loginMode, on, type Route } from '../route.ts';
import { link } from '../shapes.ts';
import * as v from '../values.ts';
import type { World } from '../world.ts';
import { commentsOf } from './comments.ts';

const audienceMetrics: readonly string[] = v.wordsIn(
  'engaged_audience_demographics follower_demographics reached_audience_demographics',
);

type Shares = Readonly<Record<string, number>>;

/** Shares of the audience, which add up to 1. */
const cuts: Readonly<Record<string, Shares>> = {
  age: {
    '13-17': 0.03,
    '18-24': 0.21,
    '25-34': 0.34,
    '35-44': 0.22,
    '45-54': 0.12,
    '55-64': 0.05,
    '65+': 0.03,
  },
  gender: { F: 0.52, M: 0.41, U: 0.07 },
  city: { 'Lisbon, Lisbon District': 0.2, 'Z\u{fc}rich, Z\u{fc}rich': 0.15, 'Porto, Porto District': 0.1 },
  country: { PT: 0.55, CH: 0.25, DE: 0.2 },
};

const timeframes = ['last_14_days', 'last_30_days', 'last_90_days', 'prev_month', 'this_month', 'this_week'];

/** A demographic metric by its breakdowns. Empty for an account with fewer than 100 followers. */
function audienceOf({ params, world }: Call, name: string): object[] {
  const breakdowns = v.names(params['breakdown']);
  const timeframe = v.oneOf(params, 'timeframe', timeframes);
  if (params['period'] !== 'lifetime')
    return v.invalid(`Incompatible period (${params['period']}) for the metric (${name})`);
  if (params['metric_type'] !== 'total_value') return v.invalid('The metric needs metric_type=total_value');
  if (timeframe === undefined) return v.invalid('The parameter timeframe is required');
  if (name !== 'follower_demographics' && !timeframe.startsWith('this'))
    return v.invalid(`Incompatible timeframe (${timeframe})`);
  if (breakdowns.length === 0) return v.invalid('The parameter breakdown is required');
  const unknown = breakdowns.find((one) => !Object.hasOwn(cuts, one));
  if (unknown !== undefined) return v.invalid(`Incompatible breakdown (${unknown})`);
  const { followers } = world.tuning.pics;
  if (followers < 100) return [];
  const results = product(breakdowns)
    .map(([values, share]) => ({ dimension_values: values, value: Math.round(followers * share) }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, 45);
  return [{ total_value: { breakdowns: [{ dimension_keys: breakdowns, results }] } }];
}

function product(breakdowns: readonly string[]): (readonly [readonly string[], number])[] {
  return breakdowns.reduce<(readonly [readonly string[], number])[]>(
    (rows, name) =>
      rows.flatMap(([values, share]) =>
        Object.entries(cuts[name] ?? {}).map(([value, part]) => [[...values, value], share * part] as const),
      ),
    [[[], 1]],
  );
}

/** Metrics that come as totals, with their value for one day. */
const totals: Readonly<Record<string, number>> = {
  reach: 420,
  profile_views: 31,
  website_clicks: 4,
  accounts_engaged: 57,
  total_interactions: 83,
  views: 960,
  likes: 44,
  comments: 6,
  shares: 9,
  saves: 7,
  replies: 2,
  reposts: 1,
  quotes: 0,
  content_views: 910,
  profile_links_taps: 3,
  follows_and_unfollows: 0,
};

/** The metric that has numbers by kind only. */
const divided = 'follows_and_unfollows';

/** The breakdowns of metrics that come as totals. */
const divisible: Readonly<Record<string, readonly string[]>> = {
  reach: ['media_product_type', 'follow_type'],
  views: ['media_product_type', 'follow_type'],
  total_interactions: ['media_product_type'],
  likes: ['media_product_type'],
  comments: ['media_product_type'],
  saves: ['media_product_type'],
  shares: ['media_product_type'],
  [divided]: ['follow_type'],
  profile_links_taps: ['contact_button_type'],
};

const kinds: Readonly<Record<string, readonly string[]>> = {
  media_product_type: ['POST', 'REEL', 'CAROUSEL_CONTAINER', 'STORY'],
  follow_type: ['FOLLOWER', 'NON_FOLLOWER', 'UNKNOWN'],
  contact_button_type: ['EMAIL', 'CALL', 'DIRECTION'],
};

/** Metrics that come as one value for each day. */
const series = ['reach', 'follower_count', 'online_followers'];
/** The one whose days are divided by hours, and are asked for as those of a lifetime. */
const hourly = 'online_followers';
const known = [...new Set([...Object.keys(totals), ...series, ...audienceMetrics])].toSorted();

/** The metrics of an account that a call names. */
export function accountInsights(call: Call, account: Node<'picsAccount'>): unknown {
  const { world, params } = call;
  const asked = v.names(params['metric']);
  const { retiredMetrics, followers } = world.tuning.pics;
  const living = known.filter((name) => !retiredMetrics.includes(name));
  checkMetrics(asked, living);
  const period = v.periodIn(params);
  const total = v.oneOf(params, 'metric_type', ['default', 'time_series', 'total_value']) === 'total_value';
  const days = daysOf(call);
  const [breakdown] = asked.some((name) => !audienceMetrics.includes(name))
    ? v.names(params['breakdown'])
    : [];
  if (breakdown !== undefined && !asked.every((name) => divisible[name]?.includes(breakdown))) {
    // It does not say which metric.
    return v.refuse(1, 'An unknown error has occurred.');
  }
  if (breakdown !== undefined && !total) return v.invalid('The breakdown needs metric_type=total_value');
  // What a metric says; nothing if the account has too few followers.
  const contents = (name: string): object[] => {
    if (audienceMetrics.includes(name)) return audienceOf(call, name);
    if (period !== (name === hourly ? 'lifetime' : 'day'))
      return v.invalid(`Incompatible period (${period}) for the metric (${name})`);
    if (total && !(name in totals)) return v.invalid(`The metric (${name}) has no total_value`);
    if (!total && !series.includes(name)) {
      return v.invalid(
        `The following metrics (${name}) should be specified with parameter metric_type=total_value`,
      );
    }
    if (!total) return name !== 'reach' && followers < 100 ? [] : [{ values: valuesOf(call, name) }];
    // The platform sends nothing, and not 0.
    if (days === 0) return [];
    const value = (totals[name] ?? 0) * days;
    if (breakdown === undefined) return [name === divided ? {} : { total_value: { value } }];
    const results = (kinds[breakdown] ?? []).map((kind, at) => ({
      dimension_values: [kind],
      value: at === 0 ? Math.ceil(value / 2) : at === 1 ? Math.floor(value / 2) : 0,
    }));
    const breakdowns = [{ dimension_keys: [breakdown], results }];
    return [{ total_value: { ...(name !== divided && { value }), breakdowns } }];
  };
  const data = asked.flatMap((name) => contents(name).map((more) => metric(account, name, period, more)));
  return { data, paging: paging(call) };
}

function metric(of: Entry, name: string, period: string | undefined, more: object): object {
  const title = titleOf(name);
  return { name, period, title, description: title, ...more, id: `${of.id}/insights/${name}/${period}` };
}

function checkMetrics(asked: readonly string[], living: readonly string[]): void {
  const dead = asked.find((name) => !living.includes(name));
  if (dead === undefined) return;
  v.invalid(`metric[${asked.indexOf(dead)}] must be one of the following values: ${living.join(', ')}`);
}

function titleOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
}

const dayS = 86_400;

/** `since` and `until` in unix seconds. The default is the last 24 hours. */
function range(call: Call): { readonly since: number; readonly until: number } {
  const until = v.timeParam(call, 'until') ?? Math.floor(call.world.now() / 1000);
  return { since: v.timeParam(call, 'since') ?? until - dayS, until };
}

/** How many UTC days of the range the platform has totals of. */
function daysOf(call: Call): number {
  const { since, until } = range(call);
  if (since > until) return v.invalid('Param since must be before until');
  if (until - since > 30 * dayS)
    return v.invalid('There cannot be more than 30 days (2592000 s) between since and until');
  const days = Math.max(1, Math.round((until - since) / dayS));
  const { lagMs, missingDays } = call.world.tuning.metrics;
  const lacking = Array.from(
    { length: days },
    (_, at) => (Math.floor(since / dayS) + at) * dayS * 1000,
  ).filter(
    (day) =>
      missingDays.includes(new Date(day).toISOString().slice(0, 10)) ||
      // Without a lag, today has the numbers so far.
      (lagMs > 0 && day + dayS * 1000 + lagMs > call.world.now()),
  );
  return days - lacking.length;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** One value for each day that ends in the range; if none does, for the last day that ended before it. */
function valuesOf(call: Call, name: string): unknown {
  const { since, until } = range(call);
  const ends = v.dayEnds(since + 1, until);
  const asked = ends.length > 0 ? ends : v.dayEnds(until - dayS + 1, until);
  const numbers = v.endsWithNumbers(call.world, asked);
  const valueAt = (end: number): unknown => {
    const at = numbers.indexOf(end);
    if (name !== hourly) return totals[name] ?? at;
    // A day without numbers is empty, not absent.
    return at < 0 ? {} : Object.fromEntries(hours.map((hour) => [`${hour}`, (hour * 7 + at) % 24]));
  };
  return (name === hourly ? asked : numbers).map((end) => ({
    value: valueAt(end),
    end_time: v.isoTime(end * 1000),
  }));
}

/** Insights have a next and a previous page without end, so following the links never stops. */
function paging(call: Call): unknown {
  const { since, until } = range(call);
  const span = Math.max(until - since, 1);
  return {
    previous: link(call, { since: since - span, until: since - 1 }),
    next: link(call, { since: until + 1, until: until + span }),
  };
}

const always = ['reach', 'views', 'shares', 'total_interactions', 'reposts', 'facebook_views'];
const posts = ['likes', 'comments', 'saved'];
const visits = ['profile_visits', 'follows', 'profile_activity'];
const reels = [
  'ig_reels_avg_watch_time',
  'ig_reels_video_view_total_time',
  'reels_skip_rate',
  'crossposted_views',
];
const stories = ['replies', 'navigation'];
const pageTotals = ['total_views', 'total_likes', 'total_comments'];
/** Those that the platform names as valid, and refuses for each media. */
const onlyNamed = ['impressions', 'content_views'];

/** The metrics of each product type. */
function metricsOf(call: Call, product: Node<'picsMedia'>['product']): readonly string[] {
  const ofProduct = {
    FEED: [...posts, ...visits],
    REELS: [...posts, ...reels],
    STORY: [...visits, ...stories, ...(loginMode(call) ? [] : ['link_clicks'])],
  }[product];
  return [...always, ...ofProduct, ...(loginMode(call) ? [] : pageTotals)];
}

/** The metrics of a media that a call names. */
function mediaInsights(call: Call, media: Node<'picsMedia'>): unknown {
  const asked = checkedMetrics(call, media);
  const supported = metricsOf(call, media.product);
  const strange = asked.filter((name) => !supported.includes(name));
  if (strange.length > 0) {
    return v.invalid(
      `The following metrics (${strange.join(', ')}) are not supported for the media product type ${media.product}`,
    );
  }
  if (media.parentId !== undefined) return { data: [] };
  if (isOlder(call, media)) {
    return v.refuse(100, 'Invalid parameter', {
      error_subcode: 2_108_006,
      error_data: { blame_field_specs: [['']] },
      error_user_title: 'Media posted before business account conversion',
      error_user_msg:
        'The media was posted before the most recent time that the account was converted to a business account.',
    });
  }
  if (hasFewViewers(media)) {
    return v.refuse(10, '(#10) Not enough viewers for the media to show insights');
  }
  return metricsAmong(call, media, asked);
}

/**
 * The same as a field of the media. Where the platform omits what it refuses otherwise, a media has the metrics of its
 * type, or none at all.
 */
export function mediaInsightsWithin(call: Call, media: Node<'picsMedia'>): unknown {
  const { omitsInsights = loginMode(call) } = call.world.tuning.pics;
  if (!omitsInsights) return mediaInsights(call, media);
  const asked = checkedMetrics(call, media);
  const supported = metricsOf(call, media.product).filter((name) => asked.includes(name));
  const isWithout = media.parentId !== undefined || isOlder(call, media) || hasFewViewers(media);
  return isWithout || supported.length === 0 ? undefined : metricsAmong(call, media, supported);
}

/** The metrics that a call names, all of which the platform knows. */
function checkedMetrics(call: Call, media: Node<'picsMedia'>): readonly string[] {
  const { world, params } = call;
  const asked = v.names(params['metric']);
  if (!isLive(world, media)) return v.missing(media.id, call.method);
  v.periodIn(params);
  const products = ['FEED', 'REELS', 'STORY'] as const;
  const all = new Set([...products.flatMap((product) => metricsOf(call, product)), ...onlyNamed]);
  const { retiredMetrics } = world.tuning.pics;
  checkMetrics(asked, [...all].filter((name) => !retiredMetrics.includes(name)).toSorted());
  return asked;
}

/** Whether a media was published before the account was made a professional one. */
function isOlder({ world }: Call, { createdAt }: Node<'picsMedia'>): boolean {
  return createdAt < world.tuning.pics.convertedAt;
}

function hasFewViewers({ product, viewers }: Node<'picsMedia'>): boolean {
  return product === 'STORY' && viewers < 5;
}

function metricsAmong({ world }: Call, media: Node<'picsMedia'>, names: readonly string[]): unknown {
  const values = mediaValues(world, media);
  const valueOf = (name: string): object => ({ values: [{ value: values[name] ?? 0 }] });
  return { data: names.map((name) => metric(media, name, 'lifetime', valueOf(name))) };
}

function mediaValues(world: World, media: Node<'picsMedia'>): Readonly<Record<string, number>> {
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

const analyzing = inBothModes(['manage_insights']);
const accountParams = 'breakdown metric! metric_type period! since timeframe until';

export const picsInsightsRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'insights', analyzing, accountInsights, accountParams),
  on('GET', 'picsMedia', 'insights', analyzing, mediaInsights, 'breakdown metric! period'),
];
