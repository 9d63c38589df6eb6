import type { ResultAsync } from 'neverthrow';

import type { ConfigurationError, TransportError } from '../core/errors.ts';
import { fetchMetrics } from '../core/http/concurrency.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, names, optional, token } from '../core/options/check.ts';
import { converted, objectOf, string } from '../core/schema.ts';
import { arrayOf, node, object, part } from '../models/fields.ts';
import type { PageCallOptions, PageContext } from './context.ts';

export interface PostInsightsOptions extends PageCallOptions {
  readonly postId: string;
  /** @default ['post_impressions', 'post_impressions_unique', 'post_engaged_users', 'post_clicks', 'post_reactions_by_type_total'] */
  readonly metrics?: readonly string[] | undefined;
}

/** Lifetime values of a post by metric: a number, or numbers by kind. */
export type PostInsights = Readonly<Record<string, unknown>>;

export type PostInsightsFailure = TransportError | ConfigurationError;

/**
 * Reads lifetime metrics of a post.
 *
 * One retired metric fails the whole request. Each metric is then requested separately, and those that still exist are
 * returned. Three of the default ones are retired; `post_media_view` and `post_total_media_view_unique` replace them.
 * Metrics that the platform refuses are left out, so the value can be `{}`. Only a network failure is an error.
 *
 * Permissions: `pages_read_engagement`, `pages_show_list`, `read_insights`; Page task `ANALYZE`. Source: platform
 * reference, Page Insights.
 *
 * @example
 * const insights = await postInsights(context, { postId, pageToken });
 * if (insights.isOk()) console.log(insights.value['post_clicks']);
 *
 * @example With a client, which throws
 * const insights = await client.postInsights({ postId, pageToken });
 */
export function postInsights(
  context: PageContext,
  options: PostInsightsOptions,
): ResultAsync<PostInsights, PostInsightsFailure> {
  const checked = check(context, options, () => ({ postId: id, pageToken: token, metrics: optional(names) }));
  return perform(context, 'postInsights', checked, (call, { postId, metrics = defaultMetrics }) =>
    fetchMetrics(metrics, (metric) =>
      send(context, {
        ...call,
        method: 'GET',
        path: path`${postId}/insights`,
        query: { metric },
        schema,
      }),
    ),
  );
}

const defaultMetrics = [
  'post_impressions',
  'post_impressions_unique',
  'post_engaged_users',
  'post_clicks',
  'post_reactions_by_type_total',
];

const schema = converted(
  objectOf({
    data: arrayOf(node({ name: string, values: part(arrayOf(object)) })),
  }),
  ({ data }): PostInsights =>
    // Not by assignment, since a name from the platform can be `__proto__`.
    Object.fromEntries(
      data.flatMap(({ name, values = [] }) => {
        const value = values[0]?.['value'];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
);
