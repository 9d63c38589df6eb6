import type * as v from 'valibot';

import { dataOf, flag, idSchema, node, number, optionalId, part, type Raw, text } from './fields.ts';

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
  text: text,
  timestamp: text,
  username: text,
  like_count: number,
  hidden: flag,
  from: part(node({ id: idSchema, username: text })),
  parent_id: optionalId,
};

/** Reads a {@link PicsComment}. */
export const picsCommentSchema: v.GenericSchema<unknown, PicsComment> = node({
  ...fields,
  replies: dataOf(node(fields)),
});
