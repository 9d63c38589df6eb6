import * as v from 'valibot';

import type { PicsComment } from './comments.ts';
import type { GraphNode, InnerList, Schema } from './fields.ts';
import * as s from './fields.ts';
import type { Metrics } from './insights.ts';

/** A post or a story. Fields that were not requested, or are empty, are absent. */
export interface Media extends GraphNode {
  readonly caption?: string | undefined;
  /** `IMAGE`, `VIDEO` or `CAROUSEL_ALBUM`; a Reel is a `VIDEO`. */
  readonly media_type?: string | undefined;
  /** `FEED`, `REELS`, `STORY` or `AD`. */
  readonly media_product_type?: string | undefined;
  /** Absent if the platform withholds it, for example because of copyright. */
  readonly media_url?: string | undefined;
  readonly thumbnail_url?: string | undefined;
  readonly permalink?: string | undefined;
  readonly shortcode?: string | undefined;
  /** Time of publication, such as `2026-01-02T03:04:05+0000`. */
  readonly timestamp?: string | undefined;
  readonly username?: string | undefined;
  /** Absent if its owner hides it. */
  readonly like_count?: number | undefined;
  readonly comments_count?: number | undefined;
  /** How often it was seen. Only `businessDiscovery` gives it. */
  readonly view_count?: number | undefined;
  readonly alt_text?: string | undefined;
  readonly is_comment_enabled?: boolean | undefined;
  readonly is_shared_to_feed?: boolean | undefined;
  /** Whether it is labeled as made with AI. Only if it is among `fields`, like all up to `total_views_count`. */
  readonly is_ai_generated?: boolean | undefined;
  /** Page mode only, like the next ones. */
  readonly audio_id?: string | undefined;
  readonly media_audio_type?: string | undefined;
  readonly reposts_count?: number | undefined;
  readonly saved_count?: number | undefined;
  readonly shares_count?: number | undefined;
  readonly total_comments_count?: number | undefined;
  readonly total_like_count?: number | undefined;
  readonly total_views_count?: number | undefined;
  readonly owner?: { readonly id: string } | undefined;
  /** The images and videos of a carousel. */
  readonly children?: InnerList<MediaChild> | undefined;
  /**
   * Its numbers by metric, if `metrics` were asked for. A metric that the platform did not give is absent; so is the member
   * if it gave none, as for media from before the account became a professional one. Neither is 0.
   */
  readonly insights?: Metrics | undefined;
  /**
   * Its newest comments, if they were asked for. Absent if the platform lists none, though `comments_count` may be above 0:
   * it counts replies, and comments that no list shows.
   */
  readonly comments?: InnerList<PicsComment> | undefined;
}

/** An image or a video of a carousel. */
export type MediaChild = Pick<
  Media,
  'id' | 'media_type' | 'media_url' | 'thumbnail_url' | 'permalink' | 'timestamp'
>;

const child = {
  id: s.idSchema,
  media_type: s.text,
  media_url: s.text,
  thumbnail_url: s.text,
  permalink: s.text,
  timestamp: s.text,
};

/** Reads a {@link Media}. */
export const mediaSchema: Schema<Media> = s.node({
  ...child,
  caption: s.text,
  media_product_type: s.text,
  shortcode: s.text,
  username: s.text,
  alt_text: s.text,
  is_comment_enabled: s.flag,
  is_shared_to_feed: s.flag,
  is_ai_generated: s.flag,
  audio_id: s.optionalId,
  media_audio_type: s.text,
  reposts_count: s.number,
  saved_count: s.number,
  shares_count: s.number,
  total_comments_count: s.number,
  total_like_count: s.number,
  total_views_count: s.number,
  owner: s.optionalObject({ id: s.idSchema }),
  children: s.dataOf(s.node(child)),
  like_count: s.number,
  comments_count: s.number,
  view_count: s.number,
});

/** The state of a media container. */
export interface ContainerStatus {
  readonly id: string;
  /** `IN_PROGRESS`, `FINISHED`, `PUBLISHED`, `ERROR` or `EXPIRED`; `undefined` if the platform does not say. */
  readonly status_code: string | undefined;
  /** The state in the platform's words, with the reason for an `ERROR`. */
  readonly status: string | undefined;
}

/** The state of a container that a call waits for. */
export interface ContainerStatusEvent {
  readonly containerId: string;
  readonly status_code: string | undefined;
  readonly status: string | undefined;
  /** Milliseconds since the wait began. */
  readonly elapsedMs: number;
}

/** Reads the state of a container. Its id is not read, since the caller knows it. */
export const containerStatusSchema: Schema<Omit<ContainerStatus, 'id'>> = v.pipe(
  v.unknown(),
  // The node's response has one of these; without any, it is about something else.
  v.check(
    (value) =>
      s.isObject(value) && ['id', 'status_code', 'status', 'video_status'].some((name) => name in value),
    'expected an object with status_code',
  ),
  s.objectOf({}),
  // The reason for an error is a string or a bare subcode.
  v.transform(({ status_code, status }) => ({
    status_code: s.toId(status_code) ?? codeIn(s.toId(status)),
    status: s.toId(status),
  })),
);

/** The platform sometimes leaves the code empty and only gives the text: `In Progress: Media is still …`. */
function codeIn(status: string | undefined): string | undefined {
  return /^(?:in.progress|finished|published|error|expired)\b/i
    .exec(status ?? '')?.[0]
    .toUpperCase()
    .replace(/\W/, '_');
}

/** The publishing quota, and how much of it is used. */
export interface PublishingLimit {
  /** Posts published in the current window; `undefined` if the platform does not say. */
  readonly quota_usage: number | undefined;
  /** Posts allowed in a window; `undefined` if the platform does not say. */
  readonly quota_total: number | undefined;
  /** Length of a window in seconds; `undefined` if the platform does not say. */
  readonly quota_duration: number | undefined;
}

/** Reads a {@link PublishingLimit}, which comes as a list with one entry. */
export const publishingLimitSchema: Schema<PublishingLimit> = s.objectTo(
  {
    data: s.firstOf(
      s.node({
        quota_usage: s.number,
        config: s.optionalObject({ quota_total: s.number, quota_duration: s.number }),
      }),
    ),
  },
  ({ data: { quota_usage, config } }) => ({
    quota_usage,
    quota_total: config?.quota_total,
    quota_duration: config?.quota_duration,
  }),
);

/** Media that was published. */
export interface Published {
  readonly container_id: string;
  readonly media_id: string;
  /**
   * Whether the post has the `poll` or the `commentPrompt` that it was published with: the platform publishes a post
   * even without it. Absent without such an option, and if the platform could not be asked. Read once, right after
   * publishing.
   */
  readonly addOn?: AddOn | undefined;
}

/** What became of a poll or a comment prompt. */
export type AddOn = 'attached' | 'missing';

/** A carousel that was published. */
export interface PublishedCarousel extends Published {
  /** Container ids of its images, in order. */
  readonly children: readonly string[];
  /** How many of `imageUrls` were left out, since a carousel takes 10; absent if none was. */
  readonly leftOut?: number | undefined;
}
