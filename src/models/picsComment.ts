import * as v from 'valibot';

import { idSchema } from './id.ts';
import { listOf, node, type Raw } from './node.ts';

/** A comment on a photo-sharing post, or a reply to one. */
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
  /** The comment as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

const fields = {
  id: idSchema,
  text: v.optional(v.string()),
  timestamp: v.optional(v.string()),
  username: v.optional(v.string()),
  like_count: v.optional(v.number()),
  hidden: v.optional(v.boolean()),
  from: v.optional(node({ id: idSchema, username: v.optional(v.string()) })),
  parent_id: v.optional(idSchema),
};

/** Reads a {@link PicsComment}. */
export const picsCommentSchema: v.GenericSchema<unknown, PicsComment> = node({
  ...fields,
  replies: v.optional(node({ data: listOf(node(fields)) })),
});
