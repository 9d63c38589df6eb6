import type * as v from 'valibot';

import { flag, idSchema, node, number, part, type Raw, text } from './fields.ts';

/** A comment on a post of a Page. */
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
  /** The comment that it replies to. */
  readonly parent?: { readonly id: string } | undefined;
  readonly attachment?: PageCommentAttachment | undefined;
  /** The comment as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

/** The attachment of a comment. */
export interface PageCommentAttachment {
  /** Such as `photo`, `share` or `sticker`. */
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
}

/** Reads a {@link PageComment}. */
export const pageCommentSchema: v.GenericSchema<unknown, PageComment> = node({
  id: idSchema,
  message: text,
  created_time: text,
  from: part(node({ id: idSchema, name: text })),
  like_count: number,
  comment_count: number,
  is_hidden: flag,
  can_hide: flag,
  can_remove: flag,
  permalink_url: text,
  parent: part(node({ id: idSchema })),
  attachment: part(node({ type: text, title: text, description: text, url: text })),
});
