import * as v from 'valibot';

import { flag, idSchema, node, number, part, type Raw, type Schema, text } from './fields.ts';

/** A post of a Page. */
export interface PagePost {
  readonly id: string;
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
  /** The post as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

const postEntries = {
  id: idSchema,
  message: text,
  story: text,
  created_time: text,
  updated_time: text,
  permalink_url: text,
  full_picture: text,
  status_type: text,
  is_published: flag,
  is_hidden: flag,
  from: part(node({ id: idSchema, name: text })),
  shares: part(node({ count: number })),
};

/** Reads a {@link PagePost}. */
export const pagePostSchema: Schema<PagePost> = node(postEntries);

/** A post that was read alone. */
export interface PostDetails extends PagePost {
  /** How often people reacted to it, if that was asked for. */
  readonly totals?: PostTotals | undefined;
}

/** How often people reacted to a post, commented on it and shared it. Empty if the token may not know. */
export interface PostTotals {
  readonly reactions?: number | undefined;
  /** Replies may be among them: the platform does not say. */
  readonly comments?: number | undefined;
  readonly shares?: number | undefined;
}

const summarized = part(node({ summary: part(node({ total_count: number })) }));

/** Reads {@link PostTotals} from the summaries of a post. */
export const postTotalsSchema: Schema<PostTotals> = v.pipe(
  node({ reactions: summarized, comments: summarized, shares: part(node({ count: number })) }),
  v.transform(({ reactions, comments, shares, raw }) => ({
    reactions: reactions?.summary?.total_count,
    comments: comments?.summary?.total_count,
    // A post that nobody shared has none.
    shares: raw['shares'] === undefined ? 0 : shares?.count,
  })),
);

/** A post that the platform will publish later. */
export interface ScheduledPost extends PagePost {
  /** When it will be published, in unix seconds. */
  readonly scheduled_publish_time?: number | undefined;
}

/** Reads a {@link ScheduledPost}. */
export const scheduledPostSchema: Schema<ScheduledPost> = node({
  ...postEntries,
  scheduled_publish_time: number,
});
