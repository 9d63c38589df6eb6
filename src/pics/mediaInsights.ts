import { err, errAsync, ok, type ResultAsync } from 'neverthrow';

import type { ConfigurationError, RequestFailure, TransportError } from '../core/errors.ts';
import { fetchMetrics } from '../core/http/concurrency.ts';
import { path } from '../core/http/path.ts';
import { fallbackOnRefusal, perform, safeTry, send } from '../core/http/send.ts';
import type { CallLimits } from '../core/http/types.ts';
import { check, id, names, optional, token } from '../core/options/check.ts';
import { node, text } from '../models/fields.ts';
import { type Metrics, metricsSchema } from '../models/insights.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

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
 * of stories.
 *
 * Metrics that the platform refuses are left out, so the value can be `{}`. Only a network failure is an error.
 * Stories have metrics for 24 hours; items of a carousel have none.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_insights`; in page mode: `pics_basic`,
 * `pics_manage_insights`, `pages_read_engagement`, `pages_show_list`. Source: platform reference, Media Insights.
 *
 * @example
 * const metrics = await mediaInsights(context, { mediaId, token });
 * if (metrics.isOk()) console.log(metrics.value['reach']);
 *
 * @example With a client, which throws
 * const metrics = await client.mediaInsights({ mediaId, token });
 */
export function mediaInsights(
  context: PicsContext,
  options: MediaInsightsOptions,
): ResultAsync<Metrics, MediaInsightsFailure> {
  const checked = check(context, options, () => ({ mediaId: id, token, metrics: optional(names) }));
  return perform(context, 'mediaInsights', checked, (call, { mediaId, metrics }) => {
    const request = {
      ...call,
      path: path`${mediaId}`,
    };
    const insights = safeTry(async function* () {
      const asked = metrics ?? metricsOf(yield* readType(context, request));
      return fetchMetrics(asked, (metric) =>
        send(context, {
          ...request,
          method: 'GET',
          path: `${request.path}/insights`,
          query: { metric },
          schema: metricsSchema,
        }),
      );
    });
    return fallbackOnRefusal(insights, {});
  });
}

interface MediaTypes {
  /** Where it was published: `FEED`, `REELS`, `STORY` or `AD`. */
  readonly media_product_type?: string | undefined;
  /** `IMAGE`, `VIDEO` or `CAROUSEL_ALBUM`. A Reel is a `VIDEO`; a story is an `IMAGE` or a `VIDEO`. */
  readonly media_type?: string | undefined;
}

const typeSchema = node({ media_product_type: text, media_type: text });

/** Reads the type of the media. If it cannot be read, the call continues without it. */
function readType(
  context: PicsContext,
  request: CallLimits & { readonly path: string; readonly token: string },
): ResultAsync<MediaTypes, TransportError> {
  function ask(fields: string): ResultAsync<MediaTypes, RequestFailure> {
    return send(context, { ...request, method: 'GET', query: { fields }, schema: typeSchema });
  }
  return (
    ask('media_product_type,media_type')
      // In login mode the platform may not know the first field, and one unknown field fails the whole request.
      .orElse((error) =>
        error.name !== 'TransportError' && error.category === 'validation'
          ? ask('media_type')
          : errAsync(error),
      )
      .orElse((error) => (error.name === 'TransportError' ? err(error) : ok({})))
  );
}

function metricsOf({ media_product_type, media_type }: MediaTypes): readonly string[] {
  if (media_product_type === 'STORY') return ['reach', 'replies', 'navigation', 'total_interactions'];
  const common = ['reach', 'likes', 'comments', 'saved', 'shares', 'total_interactions'];
  if (media_product_type === 'REELS' || media_type === 'VIDEO') return [...common, 'views'];
  return media_type === undefined ? common : [...common, 'profile_visits'];
}
