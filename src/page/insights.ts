import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { ConfigurationError, Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { askEach, fetchMetrics, livingMetrics, metricNames, type Refusal } from '../core/http/metrics.ts';
import { isOver, mapConcurrent, perform, send } from '../core/http/send.ts';
import type { Params } from '../core/http/types.ts';
import { check } from '../core/options/check.ts';
import type { DayOptions, DayRange } from '../core/options/days.ts';
import { boundsOf, dayRules, daysIn, splitDays, rangeOf } from '../core/options/days.ts';
import * as rule from '../core/options/rules.ts';
import { arrayOf, node, object, objectTo, part, string } from '../models/fields.ts';
import type { PageMetricDays, PageMetrics, PageMetricValue, VideoMetrics } from '../models/insights.ts';
import { pageMetricsSchema, videoMetricsSchema } from '../models/insights.ts';
import { explained, type MetricRead } from '../models/missingDays.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { postMetrics } from './inside.ts';
import { ofPost, ofVideo, type OnePageOptions, pageRules } from './pageOptions.ts';

const periods = ['day', 'week', 'days_28', 'month', 'lifetime', 'total_over_range'] as const;
const onePeriod = rule.oneOf(...periods);
export type InsightsPeriod = (typeof periods)[number];

export interface PageInsightsOptions extends OnePageOptions, DayOptions {
  /** @default media views, viewers, engagements, follows, unfollows, Page views, actions and reactions */
  readonly metrics?: readonly string[] | undefined;
  /**
   * The period that each value covers. `lifetime` needs no range; `total_over_range` gives one value for at most 88
   * days.
   * @default 'day'
   */
  readonly period?: InsightsPeriod | undefined;
  /**
   * First day, inclusive: a Date, whose UTC day is used, or `YYYY-MM-DD`. The platform keeps two years.
   * @default 29 days before `until`
   */
  readonly since?: Date | string | undefined;
  /**
   * Last day, inclusive, in the form of `since`. A future day becomes today, whose values appear once it has ended.
   * @default today
   */
  readonly until?: Date | string | undefined;
}

/** Metrics of a Page, as series. */
export interface PageInsights {
  /**
   * The values of each metric that was asked for, oldest first; empty if the platform has none, or refused the metric.
   * Each list names the days without a value, as those of `insightSeries` do.
   */
  readonly metrics: Readonly<Record<string, PageMetricDays>>;
  /** The metrics that the platform refused, each with its reason. */
  readonly refused: Readonly<Record<string, Exclude<RequestFailure, TransportError>>>;
}

/**
 * Reads metrics of a Page as series of values with dates.
 *
 * A range of more than 88 days is requested in parts and joined. If the platform refuses a metric, as it does retired
 * ones, the others are still returned; the refused one is empty, with a `reason`, and its error is in `refused`, by name.
 *
 * Days without a value are absent, not 0. Of period `day`, each is named in one of three lists of its metric:
 * `failedDays` could not be read, and `reason` tells why; the numbers of `lateDays` may still come, as the day has not
 * ended, or ended less than 48 hours ago; those of `emptyDays` will not, as for a Page with fewer than 100 likes. Days
 * can fail only in a range of more than 88 days, after its first part was read; else the call fails.
 *
 * The platform's days end at midnight Pacific time: a value's `end_time` is the following day at 07:00 or
 * 08:00 UTC, and its `day` the day that ended.
 *
 * Fails with ConfigurationError when `since` is after `until`, a date is invalid, or `period` is unknown.
 *
 * Source: platform reference, Page Insights.
 *
 * @example
 * const figures = await pageInsights(context, { pageId, pageToken, metrics: ['page_follows'], since: '2026-03-01' });
 * if (figures.isOk()) console.log(figures.value.metrics['page_follows'], figures.value.refused);
 */
export function pageInsights(
  context: PageContext,
  options: PageInsightsOptions,
): ResultAsync<PageInsights, Failure> {
  const checked = check(context, options, {
    ...pageRules,
    metrics: rule.optional(rule.names),
    period: rule.optional(onePeriod),
    ...dayRules,
  });
  return perform(context, 'pageInsights', checked, (call, options) => {
    const { pageId, metrics = defaultPageMetrics, period = 'day', since, until } = options;
    const now = context.clock.now();
    const isTotal = period === 'total_over_range';
    const asked = metricNames(metrics);
    if (period === 'lifetime' && since === undefined && until === undefined)
      return new ResultAsync(readAll([undefined], []));
    // Totals of parts do not add up.
    const most = isTotal ? daysOfRequest : maxDays;
    return rangeOf({ since, until }, now, most).asyncAndThen(
      (range) =>
        new ResultAsync(readAll(splitDays(range, daysOfRequest), period === 'day' ? daysIn(range) : [])),
    );

    async function readAll(
      [first, ...rest]: readonly (DayRange | undefined)[],
      days: readonly string[],
    ): Promise<Result<PageInsights, RequestFailure>> {
      const firstPart = await readPart(asked, first);
      if (firstPart.isErr()) return err(firstPart.error);
      // A metric that is refused for one part is refused for all: it is not requested again.
      const living = asked.filter((name) => !(firstPart.value.get(name) instanceof Error));
      const otherParts =
        living.length === 0 ? [] : await mapConcurrent(rest, (part) => readPart(living, part));
      const ended = otherParts.find((part) => part.isErr() && isOver(part.error));
      if (ended?.isErr() === true) return err(ended.error);

      const refused: [string, Refusal][] = [];
      const metrics = asked.map((name): [string, PageMetricDays] => {
        const read: MetricRead<PageMetricValue> = { values: [], failedDays: [] };
        for (const [at, part] of [firstPart, ...otherParts].entries()) {
          const found = part.isErr() ? part.error : (part.value.get(name) ?? []);
          if (!(found instanceof Error)) {
            read.isRead = true;
            read.values.push(...found);
            continue;
          }
          if (refusesMetric(found)) refused.push([name, found]);
          if (at === 0) read.refusal = found.message;
          else if (read.refusal === undefined) {
            read.failure ??= found.message;
            const range = rest[at - 1];
            if (range !== undefined) read.failedDays.push(...daysIn(range));
          }
        }
        // A day ends at 07:00 or 08:00 UTC.
        return [name, explained(read, { days, now, hoursAfterUtc: 8 }, noValues)];
      });
      return ok({ metrics: Object.fromEntries(metrics), refused: Object.fromEntries(refused) });
    }

    /** Reads the metrics for one part of the range: in one request, or one by one if that is refused. */
    async function readPart(
      asked: readonly string[],
      part: DayRange | undefined,
    ): Promise<Result<Part, RequestFailure>> {
      const results = await askEach(asked, (metric) => ask(metric, part), refusesMetric);
      const found: Part = new Map();
      for (const [at, result] of results.entries()) {
        if (result.isOk()) for (const [name, values] of Object.entries(result.value)) found.set(name, values);
        else if (refusesMetric(result.error)) found.set(asked[at] ?? '', result.error);
        else return err(result.error);
      }
      return ok(found);
    }

    function ask(metric: string, part: DayRange | undefined): ResultAsync<PageMetrics, RequestFailure> {
      return send(context, {
        ...call,
        path: path`${pageId}/insights`,
        query: { metric, period, ...(part && boundsOf(part, now, isTotal ? 24 : 36)) },
        schema: pageMetricsSchema,
      }).map((found) => (part === undefined || isTotal ? found : valuesIn(part, found)));
    }
  });
}

/** What the platform has said of each metric. */
type Part = Map<string, readonly PageMetricValue[] | Refusal>;

const noValues = 'the platform gave no numbers, as for Pages with fewer than 100 likes';

/** A refusal that concerns one of the requested metrics. */
function refusesMetric(failure: RequestFailure): failure is Refusal {
  return failure.name !== 'TransportError' && failure.category === 'validation' && failure.code !== undefined;
}

function valuesIn(part: DayRange, metrics: PageMetrics): PageMetrics {
  const days = daysIn(part);
  return Object.fromEntries(
    Object.entries(metrics).map(([name, values]) => [
      name,
      values.filter(({ day }) => day === undefined || days.includes(day)),
    ]),
  );
}

const defaultPageMetrics = [
  'page_media_view',
  'page_total_media_view_unique',
  'page_post_engagements',
  'page_daily_follows_unique',
  'page_daily_unfollows_unique',
  'page_follows',
  'page_views_total',
  'page_total_actions',
  'page_actions_post_reactions_total',
];

/** Days of one request: the platform refuses more than 90 between its two bounds, which lie a little further apart. */
const daysOfRequest = 88;
/** The platform keeps two years: a longer range is a mistake, and would become hundreds of requests. */
const maxDays = 1098;

export interface PostInsightsOptions extends PageCallOptions {
  readonly postId: string;
  /** @default ['post_media_view', 'post_total_media_view_unique', 'post_clicks', 'post_reactions_by_type_total'] */
  readonly metrics?: readonly string[] | undefined;
}

/** Lifetime values of a post by metric: a number, or numbers by kind. */
export type PostInsights = Readonly<Record<string, unknown>>;

export type PostInsightsFailure = TransportError | ConfigurationError;

/**
 * Reads lifetime metrics of a post. Of many posts, `posts` and `feed` read the same with `metrics`, in the requests for the list.
 *
 * One retired metric fails the whole request. Each metric is then requested separately, and those that still exist are
 * returned. The platform retired the metrics of impressions and of engaged users; `post_media_view` (views) and
 * `post_total_media_view_unique` (viewers), which are read by default, replace them. Metrics that the platform refuses
 * are left out, so the value can be `{}`. It is also `{}` for a token without `read_insights`, which `checkConnection`
 * names. Only a network failure is an error.
 *
 * Source: platform reference, Page Insights.
 *
 * @example
 * const insights = await postInsights(context, { postId, pageToken });
 * if (insights.isOk()) console.log(insights.value['post_clicks']);
 */
export function postInsights(
  context: PageContext,
  options: PostInsightsOptions,
): ResultAsync<PostInsights, PostInsightsFailure> {
  const checked = check(context, options, { ...ofPost, metrics: rule.optional(rule.names) });
  return perform(context, 'postInsights', checked, (call, { postId, metrics = postMetrics }) =>
    fetchMetrics(metrics, (metric) =>
      send(context, {
        ...call,
        path: path`${postId}/insights`,
        // Without it, some metrics come twice, the second time as a series of days that reads 0.
        query: { metric, period: 'lifetime' },
        schema,
      }),
    ),
  );
}

const schema = objectTo(
  { data: arrayOf(node({ name: string, values: part(arrayOf(object)) })) },
  ({ data }): PostInsights =>
    // Not by assignment, since a name from the platform can be `__proto__`.
    Object.fromEntries(
      data.flatMap(({ name, values = [] }) => {
        const value = values[0]?.['value'];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
);

export interface VideoInsightsOptions extends PageCallOptions {
  /** A video or a Reel of the Page. */
  readonly videoId: string;
  /**
   * Metrics to request. One that the platform refuses, such as a retired one, is left out; the call fails only if it
   * refuses all.
   * @default those that the platform returns by default, which may include retired ones
   */
  readonly metrics?: readonly string[] | undefined;
}

/**
 * Reads lifetime metrics of a video or a Reel: numbers, or numbers by kind. Of many, `videos` and `reels` read the same with
 * `metrics`, in the requests for the list.
 *
 * Videos and Reels have different metrics, and a Reel may give `{}` for those of a video, instead of refusing them.
 * View times are in milliseconds. A `retention_graph` has the share of viewers: for each second of a Reel, and for each
 * of 40 steps of a video. Whether a token without `read_insights` is refused here, or gets `{}` as for posts, is
 * unverified.
 *
 * Source: platform reference, Video Insights.
 *
 * @example
 * const figures = await videoInsights(context, { videoId, pageToken });
 * if (figures.isOk()) console.log(figures.value['blue_reels_play_count'] ?? figures.value['total_video_views']);
 */
export function videoInsights(
  context: PageContext,
  options: VideoInsightsOptions,
): ResultAsync<VideoMetrics, Failure> {
  const checked = check(context, options, { ...ofVideo, metrics: rule.optional(rule.names) });
  return perform(context, 'videoInsights', checked, (call, { videoId, metrics }) => {
    function ask(query: Params): ResultAsync<VideoMetrics, RequestFailure> {
      return send(context, {
        ...call,
        path: path`${videoId}/video_insights`,
        query,
        schema: videoMetricsSchema,
      });
    }
    return metrics === undefined
      ? ask({})
      : livingMetrics(metrics, (metric) => ask({ metric, period: 'lifetime' }));
  });
}
