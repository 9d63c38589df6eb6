import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A comment on a post of a Page. Other fields that were requested are kept. */
export interface PageComment {
  readonly id: string;
  readonly message?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  /** The author. Absent if the app may not know. */
  readonly from?: { readonly id: string; readonly name?: string | undefined } | undefined;
  readonly like_count?: number | undefined;
  readonly comment_count?: number | undefined;
  readonly is_hidden?: boolean | undefined;
  readonly can_hide?: boolean | undefined;
  readonly can_remove?: boolean | undefined;
  readonly permalink_url?: string | undefined;
  readonly [field: string]: unknown;
}

const text = v.optional(v.string());
const number = v.optional(v.number());
const flag = v.optional(v.boolean());

/** Reads a {@link PageComment}. */
export const pageCommentSchema: v.GenericSchema<unknown, PageComment> = v.looseObject({
  id: idSchema,
  message: text,
  created_time: text,
  from: v.optional(v.looseObject({ id: idSchema, name: text })),
  like_count: number,
  comment_count: number,
  is_hidden: flag,
  can_hide: flag,
  can_remove: flag,
  permalink_url: text,
});
