import {
  dataOf,
  flag,
  idSchema,
  type InnerList,
  node,
  number,
  optionalId,
  part,
  type Raw,
  type Schema,
  text,
} from './fields.ts';

/** A comment on a post of a Page. */
export interface PageComment {
  readonly id: string;
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
export const pageCommentSchema: Schema<PageComment> = node({
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
  /** The media that it is on. Only `mentionedComment` requests it. */
  readonly media?: { readonly id: string; readonly media_url?: string | undefined } | undefined;
  /** The replies that the platform sent with it. */
  readonly replies?: InnerList<PicsComment> | undefined;
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
  media: part(node({ id: idSchema, media_url: text })),
};

/** Reads a {@link PicsComment}. */
export const picsCommentSchema: Schema<PicsComment> = node({
  ...fields,
  replies: dataOf(node(fields)),
});

/** What a person or a Page thinks of a post or a comment. */
export interface Reaction {
  /** The person or the Page. */
  readonly id: string;
  readonly name?: string | undefined;
  /** `LIKE`, `LOVE`, `CARE`, `HAHA`, `WOW`, `SAD` or `ANGRY`. */
  readonly type?: string | undefined;
  /** The reaction as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link Reaction}. */
export const reactionSchema: Schema<Reaction> = node({ id: idSchema, name: text, type: text });
