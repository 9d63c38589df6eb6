import type * as v from 'valibot';

import { flag, idSchema, node, number, part, type Raw, text } from './fields.ts';

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
  /** The author: the Page. */
  readonly from?: { readonly id: string; readonly name?: string | undefined } | undefined;
  /** The number of shares. Absent if there are none. */
  readonly shares?: { readonly count?: number | undefined } | undefined;
  /** The post as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

const entries = {
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
export const pagePostSchema: v.GenericSchema<unknown, PagePost> = node(entries);

/** A post that the platform is to publish. */
export interface ScheduledPost extends PagePost {
  /** When: unix seconds. */
  readonly scheduled_publish_time?: number | undefined;
}

/** Reads a {@link ScheduledPost}. */
export const scheduledPostSchema: v.GenericSchema<unknown, ScheduledPost> = node({
  ...entries,
  scheduled_publish_time: number,
});
