import { flag, idSchema, node, number, optionalId, type Raw, type Schema, text } from './fields.ts';

/** A video or a Reel of a Page. */
export interface PageVideo {
  readonly id: string;
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
  /** The video as the platform sent it, with all fields that were requested. Not enumerable. */
  readonly raw: Raw;
}

/** Reads a {@link PageVideo}. */
export const pageVideoSchema: Schema<PageVideo> = node({
  id: idSchema,
  title: text,
  description: text,
  created_time: text,
  updated_time: text,
  length: number,
  picture: text,
  permalink_url: text,
  post_id: optionalId,
  published: flag,
  scheduled_publish_time: text,
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
