import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, names, optional, token } from '../core/options/check.ts';
import { dayMs, isDay, toDay, toDayName } from '../core/options/time.ts';
import { type Metrics, metricsSchema } from '../models/insights.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, accountOf } from './internal/account.ts';

/** The most days that the platform allows in one request. */
const mostDays = 30;
const defaultMetrics = ['reach', 'profile_views', 'website_clicks', 'accounts_engaged', 'total_interactions'];

export interface InsightsOptions extends PicsCallOptions {
  /** Account to read. Required in page mode; in login mode, the token's owner by default. */
  readonly picsUserId?: string | undefined;
  /**
   * First day, inclusive: a Date, whose UTC day is used, or `YYYY-MM-DD`. A range of more than 30 days is shortened to
   * its last 30.
   * @default 29 days before `until`
   */
  readonly since?: Date | string | undefined;
  /**
   * Last day, inclusive, in the form of `since`. A future day becomes today.
   * @default today
   */
  readonly until?: Date | string | undefined;
  /**
   * Metrics to request. An unknown one fails the whole call.
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
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_insights`; in page mode: `pics_basic`,
 * `pics_manage_insights`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, User Insights.
 *
 * @example
 * const week = await insights(context, { token, since: '2026-03-02', until: '2026-03-08' });
 * if (week.isOk()) console.log(week.value.since, week.value.metrics['reach']);
 *
 * @example With a client, which throws
 * const week = await client.insights({ token, since: '2026-03-02', until: '2026-03-08' });
 */
export function insights(context: PicsContext, options: InsightsOptions): ResultAsync<Insights, Failure> {
  const checked = check(context, options, () => ({
    token,
    picsUserId: accountId(context),
    since: optional(isDay),
    until: optional(isDay),
    metrics: optional(names),
  }));
  const ranged = checked.andThen((own) => {
    const now = context.clock.now();
    return rangeOf(own, now).map((range) => ({ ...own, ...range, now }));
  });
  return perform(
    context,
    'insights',
    ranged,
    (call, { since, until, now, picsUserId, metrics = defaultMetrics }) =>
      send(context, {
        ...call,
        method: 'GET',
        path: path`${accountOf(picsUserId)}/insights`,
        query: {
          metric: metrics.join(','),
          period: 'day',
          metric_type: 'total_value',
          since: since / 1000,
          until: endOf(until, now),
        },
        schema: metricsSchema,
      }).map((totals) => ({ since: toDayName(since), until: toDayName(until), metrics: totals })),
  );
}

interface Range {
  readonly since: number;
  readonly until: number;
}

function rangeOf({ since, until }: InsightsOptions, now: number): Result<Range, ConfigurationError> {
  const today = toDay(new Date(now));
  const last = Math.min(until === undefined ? today : toDay(until), today);
  const earliest = last - (mostDays - 1) * dayMs;
  const first = since === undefined ? earliest : toDay(since);
  return first > last
    ? err(new ConfigurationError(`since must not be after ${toDayName(last)}`, 'since'))
    : ok({ since: Math.max(first, earliest), until: last });
}

/** Unix time of the last second of a day, or of the current second if that day is today. */
function endOf(day: number, now: number): number {
  const start = day / 1000;
  return Math.min(start + dayMs / 1000 - 1, Math.max(Math.floor(now / 1000), start + 1));
}
