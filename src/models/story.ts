import * as v from 'valibot';

import { idSchema } from './id.ts';
import { node, type Raw } from './node.ts';

/** A story of a Page. */
export interface Story {
  readonly post_id: string;
  /** `PUBLISHED` or `ARCHIVED`. */
  readonly status?: string | undefined;
  /** Unix seconds, as a string. */
  readonly creation_time?: string | undefined;
  /** `photo` or `video`. */
  readonly media_type?: string | undefined;
  /** Id of the photo or the video. */
  readonly media_id?: string | undefined;
  readonly url?: string | undefined;
  /** The story as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

const text = v.optional(v.string());

/** Reads a {@link Story}. */
export const storySchema: v.GenericSchema<unknown, Story> = node({
  post_id: idSchema,
  status: text,
  creation_time: v.optional(idSchema),
  media_type: text,
  media_id: v.optional(idSchema),
  url: text,
});
