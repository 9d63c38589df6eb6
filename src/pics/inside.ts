import type { InnerComments, InsideList, Withheld, WithheldOptions } from '../core/lists/inside.ts';
import * as inner from '../core/lists/inside.ts';
import type { FieldOptions } from '../core/lists/list.ts';
import { fieldsOf } from '../core/objects.ts';
import type * as rule from '../core/options/rules.ts';
import type { Schema } from '../models/fields.ts';
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

/** How to ask for media with what belongs to them. */
export interface MediaInside {
  /** What is not read, as far as the list was read. */
  readonly withheld: readonly Withheld[];
  /** How to ask, beside these fields; anew for other fields, which the platform may want. */
  readonly start: (fields: string) => MediaParts;
}

interface MediaParts {
  readonly fields: string;
  readonly item: Schema<Media>;
  readonly inside?: InsideList;
  readonly pageSize?: number;
}

/** Extra requests that refusals may cost. */
const spare = 9;

/** What to ask for of media: their fields alone, or with what belongs to them. */
export function mediaInside(
  options: MediaInsideOptions & WithheldOptions,
  kind: keyof typeof common = 'posts',
): MediaInside {
  const { metrics: chosen = [], comments, onWithheld } = options;
  const metrics = chosen === true ? common[kind].slice(0, -1) : chosen;
  const { limit, replies = false } = typeof comments === 'object' ? comments : { limit: comments ?? 0 };
  const withheld: Withheld[] = [];
  if (metrics.length === 0 && comments === undefined)
    return { withheld, start: (fields) => ({ fields, item: mediaSchema }) };
  const ofComments = `${replyFields}${replies ? `,replies.limit(25){${firstFields}}` : ''}`;
  return {
    withheld,
    start: (fields) => {
      const inside = inner.createInside({
        fields,
        metrics,
        parts: comments === undefined ? [] : ['comments'],
        toFields: ({ metrics, has }) => [
          ...(has('comments') ? [`comments.limit(${limit}){${ofComments}}`] : []),
          ...inner.metricsField('insights', metrics),
        ],
        isCommon: (metric) => common[kind].includes(metric),
        // Without that for comments, the platform leaves them out.
        first: 'metrics',
        spare,
        silence: (media) => ({
          ...inner.withoutMetrics(media, 'the permission for insights'),
          ...withoutComments(media),
        }),
        onWithheld,
        withheld,
      });
      const pageSize = comments === undefined ? 50 : 25;
      return { fields: inside.fields(), item: mediaWithSchema, inside, pageSize };
    },
  };
}

function withoutComments(media: readonly unknown[]): Readonly<Partial<Record<'comments', string>>> {
  const isCounted = media.some((one) => Number(fieldsOf(one)['comments_count']) > 0);
  const isListed = media.some((one) => fieldsOf(one)['comments'] !== undefined);
  return isCounted && !isListed
    ? { comments: 'the platform counts comments and lists none, as without the permission for comments' }
    : {};
}
