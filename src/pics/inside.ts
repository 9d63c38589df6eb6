import { type InsideParts, partsInside } from '../core/lists/askInside.ts';
import type { InnerComments, WithheldOptions } from '../core/lists/inside.ts';
import * as inner from '../core/lists/inside.ts';
import type { FieldOptions } from '../core/lists/list.ts';
import type * as rule from '../core/options/rules.ts';
import { mediaWithSchema } from '../models/inside.ts';
import { type Media, mediaSchema } from '../models/media.ts';

/** What to read with each media of a list, in the requests for the list. */
export interface MediaInsideOptions {
  /**
   * Metrics to read of each media, in its `insights`; `true` for those that every media of the list has. One that the
   * platform refuses is left out of the list, and named in `withheld`: in page mode also one that the type of any media lacks,
   * such as `ig_reels_avg_watch_time`, which `mediaInsights` reads of one media. They need the permission for insights.
   * @default none
   */
  readonly metrics?: true | readonly string[] | undefined;
  /**
   * How many of the newest comments to read of each media, 1 to 50, in its `comments`; with `replies: true`, each with its
   * first replies. They need the permission for comments: without it, login mode leaves them out.
   * @default none
   */
  readonly comments?: InnerComments | undefined;
}

/** The rules of {@link MediaInsideOptions}. */
export const mediaInsideRules = { metrics: inner.metricsRule, comments: inner.innerCommentsRule(50) };

/** Refuses fields of media that an option asks for. */
export function checkMediaFields(options: FieldOptions): rule.Fault | undefined {
  return inner.checkInside(options, { metrics: ['insights'], comments: ['comments'] });
}

/** The fields of replies within a comment. */
export const firstFields = 'id,text,timestamp,username,like_count,hidden';
/** The fields of a comment, without its replies. */
export const replyFields = `${firstFields},from,parent_id`;

/** Metrics that each media of a list has, and those of them that are read by default. */
const common = {
  posts: ['reach', 'views', 'likes', 'comments', 'saved', 'shares', 'total_interactions', 'reposts'],
  stories: ['reach', 'views', 'replies', 'navigation', 'shares', 'total_interactions', 'reposts'],
};

/** What to ask for of media beside these fields: nothing, or what belongs to them. */
export function mediaInside(
  fields: string,
  options: MediaInsideOptions & WithheldOptions,
  kind: keyof typeof common = 'posts',
): InsideParts<Media> {
  const { comments, onWithheld } = options;
  const { limit, replies = false } = inner.commentsOf(comments);
  const ofComments = `${replyFields}${replies ? `,replies.limit(25){${firstFields}}` : ''}`;
  return partsInside(
    {
      fields,
      // Without the right for comments, the platform mostly leaves them out.
      parts: ['metrics', comments !== undefined && 'comments'],
      metrics: inner.metricsOf(options.metrics, common[kind].slice(0, -1)),
      toFields: ({ metrics, has }) => [
        has('comments') && `comments.limit(${limit}){${ofComments}}`,
        inner.metricsField('insights', metrics),
      ],
      isCommon: (metric) => common[kind].includes(metric),
      spare: 9,
      permission: 'the permission for insights',
      onWithheld,
    },
    mediaSchema,
    () => mediaWithSchema,
  );
}
