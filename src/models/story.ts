import type * as v from 'valibot';

import { idSchema, node, optionalId, type Raw, text } from './fields.ts';

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

/** Reads a {@link Story}. */
export const storySchema: v.GenericSchema<unknown, Story> = node({
  post_id: idSchema,
  status: text,
  creation_time: text,
  media_type: text,
  media_id: optionalId,
  url: text,
});
