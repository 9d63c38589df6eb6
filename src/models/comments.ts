import type { GraphNode, GraphObject, InnerList, Schema } from './fields.ts';
import * as s from './fields.ts';

/** A comment on a post of a Page. */
export interface PageComment extends GraphNode {
  readonly message?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  /** The author. Absent if the app may not see it. */
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
export const pageCommentSchema: Schema<PageComment> = s.node({
  id: s.idSchema,
  message: s.text,
  created_time: s.text,
  from: s.optionalObject({ id: s.idSchema, name: s.text }),
  like_count: s.number,
  comment_count: s.number,
  is_hidden: s.flag,
  can_hide: s.flag,
  can_remove: s.flag,
  permalink_url: s.text,
  parent: s.optionalObject({ id: s.idSchema }),
  attachment: s.optionalObject({ type: s.text, title: s.text, description: s.text, url: s.text }),
});

/** A comment on a photo-sharing post, or a reply to one. */
export interface PicsComment extends GraphNode {
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
  /** The media that it is on. Only `mentionedComment` requests it. */
  readonly media?: { readonly id: string; readonly media_url?: string | undefined } | undefined;
  /** The replies that the platform sent with it. */
  readonly replies?: InnerList<PicsComment> | undefined;
}

const fields = {
  id: s.idSchema,
  text: s.text,
  timestamp: s.text,
  username: s.text,
  like_count: s.number,
  hidden: s.flag,
  from: s.optionalObject({ id: s.idSchema, username: s.text }),
  parent_id: s.optionalId,
  media: s.optionalObject({ id: s.idSchema, media_url: s.text }),
};

/** Reads a {@link PicsComment}. */
export const picsCommentSchema: Schema<PicsComment> = s.node({
  ...fields,
  replies: s.dataOf(s.node(fields)),
});

/** What a person or a Page thinks of a post or a comment. */
export interface Reaction extends GraphObject {
  /** The person or the Page. */
  readonly id: string;
  readonly name?: string | undefined;
  /** `LIKE`, `LOVE`, `CARE`, `HAHA`, `WOW`, `SAD` or `ANGRY`. */
  readonly type?: string | undefined;
}

/** Reads a {@link Reaction}. */
export const reactionSchema: Schema<Reaction> = s.node({ id: s.idSchema, name: s.text, type: s.text });
