import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A comment on a photo-sharing post, or a reply to one. Fields that the platform adds are kept. */
export interface PicsComment {
  readonly id: string;
  readonly text?: string | undefined;
  /** When it was written, such as `2026-01-02T03:04:05+0000`. */
  readonly timestamp?: string | undefined;
  readonly username?: string | undefined;
  readonly like_count?: number | undefined;
  readonly hidden?: boolean | undefined;
  /** The author; `id` is the id that messages are sent to. */
  readonly from?: { readonly id: string; readonly username?: string | undefined } | undefined;
  /** The comment that this one replies to. */
  readonly parent_id?: string | undefined;
  /** The replies that came with it. */
  readonly replies?: { readonly data: readonly PicsComment[] } | undefined;
  readonly [field: string]: unknown;
}

const fields = {
  id: idSchema,
  text: v.optional(v.string()),
  timestamp: v.optional(v.string()),
  username: v.optional(v.string()),
  like_count: v.optional(v.number()),
  hidden: v.optional(v.boolean()),
  from: v.optional(v.looseObject({ id: idSchema, username: v.optional(v.string()) })),
  parent_id: v.optional(idSchema),
};

/** Reads a {@link PicsComment}. */
export const picsCommentSchema: v.GenericSchema<unknown, PicsComment> = v.looseObject({
  ...fields,
  replies: v.optional(v.looseObject({ data: v.array(v.looseObject(fields)) })),
});
