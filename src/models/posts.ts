import type { PageComment } from './comments.ts';
import type { GraphNode, InnerList, Schema } from './fields.ts';
import * as s from './fields.ts';
import type { VideoMetrics } from './insights.ts';

/** A post of a Page. */
export interface PagePost extends GraphNode {
  readonly message?: string | undefined;
  /** The platform's text for a post that has none. */
  readonly story?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  readonly permalink_url?: string | undefined;
  readonly full_picture?: string | undefined;
  readonly status_type?: string | undefined;
  readonly is_published?: boolean | undefined;
  readonly is_hidden?: boolean | undefined;
  /** The author: the Page, or a visitor who wrote on it. */
  readonly from?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** The number of shares. Absent if there are none. */
  readonly shares?: { readonly count?: number | undefined } | undefined;
  /**
   * How often people reacted to it, if `totals` were asked for. Absent if the platform did not count, which is not 0: the
   * `withheld` of the list says why.
   */
  readonly totals?: PostTotals | undefined;
  /**
   * Its lifetime values by metric, numbers or numbers by kind, if `metrics` were asked for. A metric that the platform did
   * not give is absent; so is the member if it gave none, as for some old videos. Neither is 0.
   */
  readonly insights?: Readonly<Record<string, unknown>> | undefined;
  /** Its newest comments, if they were asked for. Absent if it has none that the token may see. */
  readonly comments?: InnerList<PageComment> | undefined;
}

const postEntries = {
  id: s.idSchema,
  message: s.text,
  story: s.text,
  created_time: s.text,
  updated_time: s.text,
  permalink_url: s.text,
  full_picture: s.text,
  status_type: s.text,
  is_published: s.flag,
  is_hidden: s.flag,
  from: s.optionalObject({ id: s.idSchema, name: s.text }),
  shares: s.optionalObject({ count: s.number }),
};

/** Reads a {@link PagePost}. */
export const pagePostSchema: Schema<PagePost> = s.node(postEntries);

/** A post that was read alone. */
export interface PostDetails extends PagePost {}

/** How often people reacted to a post, commented on it and shared it. */
export interface PostTotals {
  readonly reactions?: number | undefined;
  /** Without the replies to them; with `comments: { replies: true }`, replies count, too. */
  readonly comments?: number | undefined;
  /** 0 where the platform leaves them out and counts the others, as it does for a post that nobody shared. */
  readonly shares?: number | undefined;
}

const summarized = s.optionalObject({ summary: s.optionalObject({ total_count: s.number }) });

/** Reads {@link PostTotals} from the summaries of a post. */
export const postTotalsSchema: Schema<PostTotals> = s.objectTo(
  { reactions: summarized, comments: summarized, shares: s.optionalObject({ count: s.number }) },
  ({ reactions, comments, shares }, raw) => ({
    reactions: reactions?.summary?.total_count,
    comments: comments?.summary?.total_count,
    // A post that nobody shared has none.
    shares: raw['shares'] === undefined ? 0 : shares?.count,
  }),
);

/** A post that the platform will publish later. */
export interface ScheduledPost extends PagePost {
  /** When it will be published, in unix seconds. */
  readonly scheduled_publish_time?: number | undefined;
}

/** Reads a {@link ScheduledPost}. */
export const scheduledPostSchema: Schema<ScheduledPost> = s.node({
  ...postEntries,
  scheduled_publish_time: s.number,
});

/** A photo of a Page. */
export interface PagePhoto extends GraphNode {
  /** Its text. */
  readonly name?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  /** Address of the photo on the platform. */
  readonly link?: string | undefined;
  /** Its post, if it was published alone. */
  readonly page_story_id?: string | undefined;
  /** Address of a small picture of it. It expires. */
  readonly picture?: string | undefined;
  /** The photo in its sizes, largest first; their addresses expire. */
  readonly images?: readonly PagePhotoImage[] | undefined;
}

/** A photo in one size, in pixels. */
export interface PagePhotoImage {
  readonly source?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Reads a {@link PagePhoto}. */
export const pagePhotoSchema: Schema<PagePhoto> = s.node({
  id: s.idSchema,
  name: s.text,
  created_time: s.text,
  updated_time: s.text,
  link: s.text,
  page_story_id: s.optionalId,
  picture: s.text,
  images: s.listOf(s.node({ source: s.text, width: s.number, height: s.number })),
});

/** A photo that was published, or uploaded to be published later. */
export interface PublishedPhoto {
  /** The photo. */
  readonly id: string;
  /** Its post, also if it is scheduled. Absent if it is unpublished, or if the platform does not show its post yet. */
  readonly post_id?: string | undefined;
}

/** A post of several photos. */
export interface PublishedPhotos {
  /** The post. */
  readonly id: string;
  /** The photos, in order. */
  readonly photo_ids: readonly string[];
}

/** A video or a Reel of a Page. */
export interface PageVideo extends GraphNode {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  /** Seconds, with a fraction. */
  readonly length?: number | undefined;
  /** Address of a picture that stands for it. */
  readonly picture?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** Its post. Absent until it is published. */
  readonly post_id?: string | undefined;
  readonly published?: boolean | undefined;
  /** When it will be published: a text such as `2026-01-02T03:04:05+0000`, not unix seconds. */
  readonly scheduled_publish_time?: string | undefined;
  /** How often people liked it and commented on it, if `totals` were asked for. Absent if the platform did not count. */
  readonly totals?: VideoTotals | undefined;
  /** Its lifetime values by metric, if `metrics` were asked for. What the platform did not give is absent, and not 0. */
  readonly insights?: VideoMetrics | undefined;
}

/** How often people liked a video and commented on it. */
export interface VideoTotals {
  readonly likes?: number | undefined;
  /** Without the replies to them. */
  readonly comments?: number | undefined;
}

/** Reads a {@link PageVideo}. */
export const pageVideoSchema: Schema<PageVideo> = s.node({
  id: s.idSchema,
  title: s.text,
  description: s.text,
  created_time: s.text,
  updated_time: s.text,
  length: s.number,
  picture: s.text,
  permalink_url: s.text,
  post_id: s.optionalId,
  published: s.flag,
  scheduled_publish_time: s.text,
});

/** A published or scheduled video. */
export interface PublishedVideo {
  readonly video_id: string;
  /** Its post, also if it is scheduled. Absent if the platform did not show it in time. */
  readonly post_id?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
}

/** A published or scheduled Reel. */
export interface PublishedReel {
  readonly video_id: string;
  /** Its post. Absent if the platform did not return it in time, or if it will be published later. */
  readonly post_id?: string | undefined;
  /** With `waitFor: 'processed'`: whether the platform had processed it in time. */
  readonly processed?: boolean | undefined;
  readonly success: true;
}
