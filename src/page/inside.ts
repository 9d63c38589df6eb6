import type { Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type InsideParts, partsInside } from '../core/lists/askInside.ts';
import type { InnerComments, WithheldOptions, WithWithheld } from '../core/lists/inside.ts';
import * as inner from '../core/lists/inside.ts';
import { type FieldOptions, type List, list } from '../core/lists/list.ts';
import { withHidden } from '../core/objects.ts';
import * as rule from '../core/options/rules.ts';
import { pageCommentSchema } from '../models/comments.ts';
import { fieldsFor } from '../models/fields.ts';
import { postWith, videoWith } from '../models/inside.ts';
import { type PagePost, pagePostSchema, type PageVideo, pageVideoSchema } from '../models/posts.ts';
import type { PageContext } from './context.ts';
import type { ListParts } from './publications.ts';

/** Numbers to read with each entry of a list, in the requests for the list. */
interface NumbersInside {
  /**
   * Lifetime metrics to read of each entry, in its `insights`; `true` for the usual ones. One that the platform refuses is
   * left out of the list, and named in `withheld`. They need `read_insights`.
   * @default none
   */
  readonly metrics?: true | readonly string[] | undefined;
}

/** What to read with each post of a list, in the requests for the list. */
export interface PostInsideOptions extends NumbersInside {
  /**
   * Whether to count reactions, comments and shares of each post, in its `totals`. The replies to comments count if they are
   * asked for by `comments: { replies: true }`. Needs `pages_read_user_content`; without it, posts come without totals, as
   * `withheld` says.
   * @default false
   */
  readonly totals?: boolean | undefined;
  /**
   * How many of the newest comments to read of each post, 1 to 100, in its `comments`; with `replies: true`, replies count
   * among them, each with its `parent`. Needs `pages_read_user_content`.
   * @default none
   */
  readonly comments?: InnerComments | undefined;
}

/** What to read with each video of a list, in the requests for the list. */
export interface VideoInsideOptions extends NumbersInside {
  /**
   * Whether to count likes and comments of each video, in its `totals`. Needs `pages_read_user_content`.
   * @default false
   */
  readonly totals?: boolean | undefined;
}

/** The rules of {@link VideoInsideOptions}. */
export const videoInsideRules = { metrics: inner.metricsRule, totals: rule.optional(rule.flag) };

/** The rules of {@link PostInsideOptions}. */
export const postInsideRules = { ...videoInsideRules, comments: inner.innerCommentsRule(100) };

/** Refuses fields of posts that an option asks for. */
export function checkPostFields(options: FieldOptions): rule.Fault | undefined {
  const comments = ['comments'];
  return inner.checkInside(options, { metrics: ['insights'], totals: ['reactions', 'comments'], comments });
}

/** Refuses fields of videos that an option asks for. */
export function checkVideoFields(options: FieldOptions): rule.Fault | undefined {
  return inner.checkInside(options, { metrics: ['video_insights'], totals: ['likes', 'comments'] });
}

/** The metrics of a post that are read by default. */
export const postMetrics = [
  'post_media_view',
  'post_total_media_view_unique',
  'post_clicks',
  'post_reactions_by_type_total',
];

/** Those of a video, in a list of videos and in one of Reels. */
const videoMetrics = {
  videos: [
    'total_video_views',
    'total_video_complete_views',
    'total_video_avg_time_watched',
    'total_video_view_total_time',
    'total_video_reactions_by_type_total',
  ],
  video_reels: [
    'blue_reels_play_count',
    'post_video_avg_time_watched',
    'post_video_view_time',
    'post_video_likes_by_reaction_type',
    'post_video_social_actions',
  ],
};

/** Requests that refusals may cost, besides one for each metric. */
const spare = 7;

const permission = 'read_insights';

/** What to ask for of posts: their fields alone, or with what belongs to them. */
export function postsInside(
  options: PostInsideOptions & FieldOptions & WithheldOptions,
): InsideParts<PagePost> {
  const { totals = false, comments, onWithheld } = options;
  const metrics = inner.metricsOf(options.metrics, postMetrics);
  const fields = fieldsFor(pagePostSchema, options.fields);
  const { limit, replies = false } = inner.commentsOf(comments);
  const lacksShares = totals && !/(?:^|,)shares\b/.test(fields);
  return partsInside(
    {
      fields: lacksShares ? `${fields},shares` : fields,
      parts: [totals && 'totals', comments !== undefined && 'comments', 'metrics'],
      metrics,
      toFields: ({ metrics, has }) => [
        has('totals') && `reactions${counting}`,
        has('comments')
          ? `comments.limit(${limit}).order(reverse_chronological)${replies ? '.filter(stream)' : ''}` +
            `${totals ? summary : ''}{${fieldsFor(pageCommentSchema)}}`
          : has('totals') && `comments${counting}`,
        inner.metricsField('insights', metrics),
      ],
      // A post without a video has the metrics of one as 0, but for some that are refused.
      isCommon: (metric) => !metric.includes('video'),
      spare: spare + metrics.length,
      permission,
      onWithheld,
    },
    pagePostSchema,
    () => postWith({ totals, comments: comments !== undefined, shares: !lacksShares }),
  );
}

const summary = '.summary(total_count)';
const counting = `.limit(0)${summary}`;

/** What to ask for of videos or Reels: their fields alone, or with what belongs to them. */
export function videosInside(
  edge: keyof typeof videoMetrics,
  options: VideoInsideOptions & FieldOptions,
): InsideParts<PageVideo> {
  const { totals = false } = options;
  const metrics = inner.metricsOf(options.metrics, videoMetrics[edge]);
  return partsInside(
    {
      fields: fieldsFor(pageVideoSchema, options.fields),
      parts: [totals && 'totals', 'metrics'],
      metrics,
      toFields: ({ metrics, has }) => [
        has('totals') && `likes${counting},comments${counting}`,
        inner.metricsField('video_insights', metrics),
      ],
      spare: spare + metrics.length,
      permission,
    },
    pageVideoSchema,
    () => videoWith({ totals }),
  );
}

/** Does the work of an endpoint that lists entries with what belongs to them. */
export function performInside<
  TOptions extends { readonly pageToken: string; readonly limit?: number | undefined },
  TInvalid extends object,
  TItem extends { readonly id: string },
>(
  context: PageContext,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  toRequest: (options: TOptions) => ListParts<TItem> & Omit<InsideParts<TItem>, 'query'>,
): ResultAsync<List<TItem> & WithWithheld, RequestFailure | TInvalid> {
  return perform(context, operation, checked, (call, options) => {
    const { withheld, ...parts } = toRequest(options);
    return list<TItem>(context, { ...call, ...parts, limit: options.limit ?? 25 }).map((found) =>
      withHidden(found, { withheld }),
    );
  });
}
