import * as v from 'valibot';

import { idSchema } from './id.ts';

/** A post of a Page. Other fields that were requested are kept. */
export interface PagePost {
  readonly id: string;
  readonly message?: string | undefined;
  /** The platform's text for a post that has none. */
  readonly story?: string | undefined;
  /** Such as `2026-01-02T03:04:05+0000`. */
  readonly created_time?: string | undefined;
  readonly updated_time?: string | undefined;
  readonly permalink_url?: string | undefined;
  readonly full_picture?: string | undefined;
  readonly status_type?: string | undefined;
  readonly is_published?: boolean | undefined;
  readonly is_hidden?: boolean | undefined;
  readonly [field: string]: unknown;
}

const text = v.optional(v.string());
const flag = v.optional(v.boolean());

/** Reads a {@link PagePost}. */
export const pagePostSchema: v.GenericSchema<unknown, PagePost> = v.looseObject({
  id: idSchema,
  message: text,
  story: text,
  created_time: text,
  updated_time: text,
  permalink_url: text,
  full_picture: text,
  status_type: text,
  is_published: flag,
  is_hidden: flag,
});
