import { err, errAsync, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import type { ConfigurationError, Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import {
  askEach,
  fetchMetrics,
  isAboutMetric,
  livingMetrics,
  metricNames,
  type Refusal,
} from '../core/http/metrics.ts';
import { fallbackOnRefusal, isOver, mapConcurrent, perform, safeTry, send } from '../core/http/send.ts';
import type { CallLimits, Params } from '../core/http/types.ts';
import { withHidden } from '../core/objects.ts';
import { check } from '../core/options/check.ts';
import type { DayOptions, DayRange } from '../core/options/days.ts';
import { boundsOf, dayRules, daysIn, splitDays, rangeOf, toDayName } from '../core/options/days.ts';
import * as rule from '../core/options/rules.ts';
import { dayMs } from '../core/options/time.ts';
import { node, text } from '../models/fields.ts';
import { breakdownBy, metricNumbersBy } from '../models/insightNumbers.ts';
import type { Demographics, InsightDays, InsightSeries, Metrics } from '../models/insights.ts';
import * as models from '../models/insights.ts';
import type { Media } from '../models/media.ts';
import { explained, type MetricRead } from '../models/missingDays.ts';
import { accountOf, type AccountOptions, accountRules } from './accountOptions.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { ofMedia } from './mediaLists.ts';

/** The most days that the platform allows in one request. */
const maxDays = 30;
const defaultMetrics = ['reach', 'profile_views', 'website_clicks', 'accounts_engaged', 'total_interactions'];

export interface InsightsOptions extends AccountOptions, DayOptions {
  /**
   * First day, inclusive: a Date, whose UTC day is used, or `YYYY-MM-DD`. A range of more than 30 days is shortened to
   * its last 30.
   * @default 29 days before `until`
   */
  readonly since?: Date | string | undefined;
  /**
   * Metrics to request. One that the platform refuses, such as a retired one, is left out; the call fails only if it
   * refuses all.
   * @default reach, profile_views, website_clicks, accounts_engaged, total_interactions
   */
  readonly metrics?: readonly string[] | undefined;
}

/** Metrics of an account over a range of days. */
export interface Insights {
  /** First UTC day of the range, `YYYY-MM-DD`. */
  readonly since: string;
  /** Last UTC day of the range, `YYYY-MM-DD`. */
  readonly until: string;
  /** Totals over the range. A metric without a total is left out. */
  readonly metrics: Metrics;
}

/**
 * Reads the metrics of an account over at most 30 days, as totals. They can lag by up to 48 hours.
 *
 * Fails with ConfigurationError when `since` is after `until`, or a date is invalid.
 *
 * Source: platform reference, User Insights.
 *
 * @example
 * const week = await insights(context, { token, since: '2026-03-02', until: '2026-03-08' });
 * if (week.isOk()) console.log(week.value.since, week.value.metrics['reach']);
 */
export function insights(context: PicsContext, options: InsightsOptions): ResultAsync<Insights, Failure> {
  const checked = check(context, options, {
    ...accountRules(context),
    ...dayRules,
    metrics: rule.optional(rule.names),
  });
  const ranged = checked.andThen((options) => {
    const now = context.clock.now();
    return rangeOf(options, now, Infinity).map((range) => ({ ...options, ...range, now }));
  });
  return perform(context, 'insights', ranged, (call, options) => {
    const { since: given, until, now, picsUserId, metrics = defaultMetrics } = options;
    const since = Math.max(given, until - (maxDays - 1) * dayMs);

    function ask(metric: string): ResultAsync<Metrics, RequestFailure> {
      return send(context, {
        ...call,
        path: path`${accountOf(picsUserId)}/insights`,
        query: { metric, ...totalsPerDay, since: since / 1000, until: endOf(until, now) },
        schema: models.metricsSchema,
      });
    }

    return livingMetrics(metrics, ask).map((totals) => ({
      since: toDayName(since),
      until: toDayName(until),
      metrics: totals,
    }));
  });
}

const totalsPerDay = { period: 'day', metric_type: 'total_value' } as const;

const atOnce = 4;

/** Unix time of the last second of a day, or of the current second if that day is today. */
function endOf(day: number, now: number): number {
  const start = day / 1000;
  return Math.min(start + dayMs / 1000 - 1, Math.max(Math.floor(now / 1000), start + 1));
}

/** A dimension by which the platform divides some metrics. */
export type InsightBreakdown = 'media_product_type' | 'follow_type' | 'contact_button_type';

export interface InsightSeriesOptions extends AccountOptions, DayOptions {
  /** Metrics to request, such as `reach`, `follower_count` (new followers), `views` or `total_interactions`. */
  readonly metrics: readonly string[];
  /**
   * First day, inclusive: a Date, whose UTC day is used, or `YYYY-MM-DD`; at most 365 days before `until`.
   * @default 29 days before `until`
   */
  readonly since?: Date | string | undefined;
  /**
   * Divides each number: by `media_product_type` (reach, views, total_interactions, likes, comments, saves, shares),
   * `follow_type` (reach, views, follows_and_unfollows) or `contact_button_type` (profile_links_taps).
   */
  readonly breakdown?: InsightBreakdown | undefined;
}

/**
 * Reads metrics of an account day by day, over at most 366 days.
 *
 * The platform has series of reach, follower_count and online_followers: they take one request each for every 29 days. All
 * other metrics, and all with a breakdown, are read as totals of single days: one request a day for all of them together, and once one for
 * each if the platform refuses one. Four requests run at a time. Six metrics over 90 days take 102 requests at most.
 *
 * A metric that the platform refuses, or has no numbers of, is an empty list with `available: false`; its `reason` says why,
 * unless all that are missing may still come. The error of each refused one is in `refused`, by name, which is not enumerable.
 * Series come after their day has ended, and lag by up to 48 hours; totals of today are partial.
 * Each day without a value is named in one of three lists of its metric: `failedDays` could not be read, and `reason`
 * tells why; the numbers of `lateDays` may still come; those of `emptyDays` will not. Once the platform
 * refuses the token, a permission or the rate, no further day is requested. The call fails only if nothing could be read,
 * or your signal ended it. Accounts with fewer than 100 followers have no follower_count and no
 * online_followers. The latter has a number for each hour of the day, in `breakdown`, and the last 30 days only.
 *
 * Days of totals are UTC days. Those of series are the platform's, which end at midnight of the account's time zone
 * (unverified: documented in no source, seen at one account). Their dates are right from UTC-10 to UTC+13:45. The response
 * does not name the zone: a day of UTC-11 (American Samoa) cannot be told from one of UTC+13, nor one of UTC+14 (the Line
 * Islands) from one of UTC-10. So in American Samoa and the Line Islands, each date is a day late or early. Reach of
 * several days does not add up. For follows_and_unfollows, it is unverified which kind means followed. The documentation names a horizon of 90 days, but
 * the platform answered for a year.
 *
 * Fails with ConfigurationError when the range is longer, `since` is after `until`, or a date is invalid.
 *
 * Source: platform reference, User Insights.
 *
 * @example
 * const series = await insightSeries(context, { token, metrics: ['reach', 'views'], since: '2026-01-01' });
 * if (series.isOk()) console.log(series.value['views']?.at(-1)?.value, series.value['reach']?.failedDays);
 */
export function insightSeries(
  context: PicsContext,
  options: InsightSeriesOptions,
): ResultAsync<InsightSeries, Failure> {
  const checked = check(context, options, {
    ...accountRules(context),
    metrics: rule.names,
    ...dayRules,
    breakdown: rule.optional(breakdown),
  });
  const ranged = checked.andThen((options) => {
    const now = context.clock.now();
    return rangeOf(options, now, maxDaysOfSeries).map((range) => ({ ...options, ...range, now }));
  });
  return perform(context, 'insightSeries', ranged, (call, options) => {
    const { picsUserId, metrics, since, until, breakdown, now } = options;
    const asked = metricNames(metrics);
    const found = new Map(asked.map((name): [string, Found] => [name, { values: [], failedDays: [] }]));
    const schema = metricNumbersBy(breakdown);
    const refused = new Map<string, Refusal>();
    /** The failure that every further request would meet. */
    let end: RequestFailure | undefined;
    return new ResultAsync(readAll());

    async function readAll(): Promise<Result<InsightSeries, RequestFailure>> {
      const isSeries = (name: string): boolean => breakdown === undefined && metricsOfSeries.includes(name);
      const ranges = splitDays({ since, until }, daysOfRequest);
      for (const name of asked.filter(isSeries)) {
        // Each alone: the platform may keep one of them for a shorter time.
        await readParts([name], ranges, (range) => ({
          period: name === hourly ? 'lifetime' : 'day',
          ...boundsOf(range, now),
        }));
      }
      const isTotal = (name: string): boolean =>
        !isSeries(name) && (breakdown === undefined || divisible[breakdown].includes(name));
      await readParts(asked.filter(isTotal), splitDays({ since, until }, 1), (day) => ({
        ...totalsPerDay,
        breakdown,
        since: day.since / 1000,
        until: endOf(day.until, now),
      }));
      const all = [...found.values()];
      const failure = end ?? all.find(({ error }) => error)?.error;
      if (failure !== undefined && (isOver(failure) || all.every(({ isRead }) => isRead !== true)))
        return err(failure);
      const days = daysIn({ since, until });
      const daysOf = (name: string, one: Found): InsightDays => {
        const values = one.values.toSorted((a, b) => (a.day < b.day ? -1 : 1));
        return explained(
          { ...one, values, refusal: refused.get(name)?.message },
          // Those of a series end in the account's time zone, the westernmost of which is UTC-10 here.
          { days, now, hoursAfterUtc: isSeries(name) ? 10 : 0 },
          isSeries(name) || isTotal(name) ? noValues : noBreakdown,
        );
      };
      const series = Object.fromEntries([...found].map(([name, one]) => [name, daysOf(name, one)]));
      return ok(withHidden(series, { refused: Object.fromEntries(refused) }));
    }

    /** Reads metrics in parts of the range, the newest first. */
    async function readParts(
      metrics: readonly string[],
      parts: readonly DayRange[],
      toQuery: (part: DayRange) => Params,
    ): Promise<void> {
      let living = metrics;
      const rest = parts.toReversed();
      // One part after the other, until the platform has shown which metrics it has.
      for (let probes = 0; probes < maxProbes; probes++) {
        const part = rest.shift();
        if (part === undefined || living.length === 0 || (await readProbe(part))) break;
      }
      if (living.length === 0) return;
      const results = await mapConcurrent(rest, (part) => ask(living.join(','), part), atOnce);
      for (const [at, result] of results.entries()) {
        const part = rest[at];
        if (part !== undefined) addPart(found, living, part, result);
      }

      /** Reads a part; each metric alone, if the platform refuses one. Whether it is then known which metrics it has. */
      async function readProbe(part: DayRange): Promise<boolean> {
        const results = await askEach(living, (metric) => ask(metric, part), isAboutMetric);
        const isEach = results.length === living.length;
        const asked = living;
        for (const [at, result] of results.entries()) {
          const names = isEach ? asked.slice(at, at + 1) : asked;
          if (result.isErr() && isAboutMetric(result.error)) {
            living = living.filter((name) => !names.includes(name));
            for (const name of names) refused.set(name, result.error);
          } else addPart(found, names, part, result);
        }
        return results.length > 1 || living.length < asked.length || results.some((result) => result.isOk());
      }

      async function ask(
        metric: string,
        part: DayRange,
      ): Promise<Result<readonly models.MetricNumbers[], RequestFailure>> {
        if (end !== undefined) return err(end);
        const result = await send(context, {
          ...call,
          path: path`${accountOf(picsUserId)}/insights`,
          query: { metric, ...toQuery(part) },
          schema,
        });
        if (result.isErr() && isForAll(result.error)) end = result.error;
        return result;
      }
    }
  });
}

/** The metrics that the platform has as series. */
const metricsOfSeries: readonly string[] = ['reach', 'follower_count', 'online_followers'];
/** The one whose days are divided by hours. */
const hourly = 'online_followers';
/** The metrics of each breakdown. The platform's refusal of any other does not name it. */
const divisible: Readonly<Record<InsightBreakdown, readonly string[]>> = {
  media_product_type: ['reach', 'views', 'total_interactions', 'likes', 'comments', 'saves', 'shares'],
  follow_type: ['reach', 'views', 'follows_and_unfollows'],
  contact_button_type: ['profile_links_taps'],
};
const maxDaysOfSeries = 366;
/** With the hours after the last day, in which its value comes, the bounds are less than 30 days apart. */
const daysOfRequest = 29;
const maxProbes = 3;

/** What was read of a metric so far. */
interface Found extends MetricRead<models.InsightDay> {
  /** The first failure of a part. */
  error?: RequestFailure;
}

/** Adds what a part of the range gave for these metrics. */
function addPart(
  found: ReadonlyMap<string, Found>,
  names: readonly string[],
  part: DayRange,
  result: Result<readonly models.MetricNumbers[], RequestFailure>,
): void {
  const days = daysIn(part);
  for (const name of names) {
    const one = found.get(name);
    if (one === undefined) continue;
    if (result.isErr()) {
      one.error ??= result.error;
      one.failure ??= result.error.message;
      one.failedDays.push(...days);
      continue;
    }
    one.isRead = true;
    for (const { name: given, total, days: values } of result.value) {
      if (given !== name) continue;
      one.values.push(...values.filter(({ day }) => days.includes(day)));
      const [day] = days;
      if (total !== undefined && day !== undefined) one.values.push({ day, ...total });
    }
  }
}

const noValues =
  'the platform gave no numbers, as for accounts with fewer than 100 followers, or without the breakdown that the metric needs';
const noBreakdown = 'the platform does not divide this metric by this breakdown';

/** A failure that every other request would also meet. */
function isForAll(failure: RequestFailure): boolean {
  return failure.name === 'TransportError'
    ? isOver(failure)
    : ['auth', 'permission', 'rate_limit'].includes(failure.category);
}

export interface MediaInsightsOptions extends PicsCallOptions {
  readonly mediaId: string;
  /**
   * Metrics to request.
   * @default those of the media's type
   */
  readonly metrics?: readonly string[] | undefined;
}

export type MediaInsightsFailure = TransportError | ConfigurationError;

/**
 * Reads the metrics of a media object, by its type: reach, likes, comments, saved, shares and total_interactions;
 * profile_visits of images and carousels; views of videos and Reels; reach, replies, navigation and total_interactions
 * of stories. Of many media, `media` and `stories` read the same with `metrics`, in the requests for the list.
 *
 * Metrics that the platform refuses are left out, so the value can be `{}`. Only a network failure is an error.
 * Stories have metrics for 24 hours; items of a carousel have none.
 *
 * Source: platform reference, Media Insights.
 *
 * @example
 * const metrics = await mediaInsights(context, { mediaId, token });
 * if (metrics.isOk()) console.log(metrics.value['reach']);
 */
export function mediaInsights(
  context: PicsContext,
  options: MediaInsightsOptions,
): ResultAsync<Metrics, MediaInsightsFailure> {
  const checked = check(context, options, { ...ofMedia, metrics: rule.optional(rule.names) });
  return perform(context, 'mediaInsights', checked, (call, { mediaId, metrics }) => {
    const request = { ...call, path: path`${mediaId}` };
    const insights = safeTry(async function* () {
      const asked = metrics ?? metricsOf(yield* readType(context, request));
      return fetchMetrics(asked, (metric) =>
        send(context, {
          ...request,
          path: `${request.path}/insights`,
          query: { metric },
          schema: models.metricsSchema,
        }),
      );
    });
    return fallbackOnRefusal(insights, {});
  });
}

type MediaTypes = Pick<Media, 'media_product_type' | 'media_type'>;

const typeSchema = node({ media_product_type: text, media_type: text });

/** Reads the type of the media. If it cannot be read, the call continues without it. */
function readType(
  context: PicsContext,
  request: CallLimits & { readonly path: string; readonly token: string },
): ResultAsync<MediaTypes, TransportError> {
  function ask(fields: string): ResultAsync<MediaTypes, RequestFailure> {
    return send(context, { ...request, query: { fields }, ownFields, schema: typeSchema });
  }
  // In login mode the platform may not know the first field, and one unknown field fails the whole request.
  const types = ask('media_product_type,media_type').orElse((error) =>
    error.name !== 'TransportError' && error.category === 'validation' ? ask('media_type') : errAsync(error),
  );
  return fallbackOnRefusal(types, {});
}

function metricsOf({ media_product_type, media_type }: MediaTypes): readonly string[] {
  if (media_product_type === 'STORY') return ['reach', 'replies', 'navigation', 'total_interactions'];
  const common = ['reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
  if (media_product_type === 'REELS' || media_type === 'VIDEO') return [...common, 'views'];
  return media_type === undefined ? common : [...common, 'profile_visits'];
}

export interface DemographicsOptions extends AccountOptions {}

export type DemographicsFailure = ConfigurationError;

/**
 * Reads the followers of an account this month by age, gender, city and country, with one request for each breakdown.
 *
 * A breakdown that cannot be read has `available: false` and the message of the error as `reason`. So has one without
 * numbers: the platform gives none for accounts with fewer than 100 followers.
 *
 * Source: platform reference, User Insights.
 *
 * @example
 * const followers = await demographics(context, { token });
 * if (followers.isOk()) console.log(followers.value.age.values['25-34']);
 */
export function demographics(
  context: PicsContext,
  options: DemographicsOptions,
): ResultAsync<Demographics, DemographicsFailure> {
  const checked = check(context, options, accountRules(context));
  return perform(context, 'demographics', checked, (call, { picsUserId }) => {
    function readCut(cut: keyof Demographics): ResultAsync<models.DemographicCut, never> {
      return send(context, {
        ...call,
        path: path`${accountOf(picsUserId)}/insights`,
        query: {
          metric: 'follower_demographics',
          period: 'lifetime',
          metric_type: 'total_value',
          timeframe: 'this_month',
          breakdown: cut,
        },
        schema: breakdownBy(cut),
      })
        .map((values) =>
          Object.keys(values).length > 0 ? { available: true, values } : unavailable(noNumbers),
        )
        .orElse(({ message }) => okAsync(unavailable(message)));
    }

    return ResultAsync.combine([readCut('age'), readCut('gender'), readCut('city'), readCut('country')]).map(
      ([age, gender, city, country]) => ({ age, gender, city, country }),
    );
  });
}

const noNumbers = 'the platform gave no numbers, as for accounts with fewer than 100 followers';

function unavailable(reason: string): models.DemographicCut {
  return { available: false, values: {}, reason };
}

const breakdown = rule.oneOf('media_product_type', 'follow_type', 'contact_button_type');
