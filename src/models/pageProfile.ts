import * as v from 'valibot';

import { idSchema } from './id.ts';
import { listOf, node, type Raw } from './node.ts';

/** What a Page says of itself. Fields that it has not filled in are `undefined`. */
export interface PageProfile {
  readonly id: string;
  readonly name: string | undefined;
  /** The name in its address. */
  readonly username: string | undefined;
  /** Address of the Page. */
  readonly link: string | undefined;
  readonly category: string | undefined;
  readonly about: string | undefined;
  readonly description: string | undefined;
  readonly emails: readonly string[] | undefined;
  readonly phone: string | undefined;
  readonly website: string | undefined;
  readonly single_line_address: string | undefined;
  readonly location: Raw | undefined;
  /** Opening hours, such as `{ mon_1_open: '09:00', mon_1_close: '18:00' }`. */
  readonly hours: Readonly<Record<string, string>> | undefined;
  /** People who like the Page. `followers_count` is the number that the platform shows. */
  readonly fan_count: number | undefined;
  readonly followers_count: number | undefined;
  readonly rating_count: number | undefined;
  /** From 1 to 5. */
  readonly overall_star_rating: number | undefined;
  readonly verification_status: string | undefined;
  readonly is_published: boolean | undefined;
  readonly is_permanently_closed: boolean | undefined;
  /** Address of the picture. */
  readonly picture: string | undefined;
  /** Address of the cover picture. */
  readonly cover: string | undefined;
  /** Id of the linked photo-sharing professional account. */
  readonly pics_id: string | undefined;
  readonly pics_username: string | undefined;
  /** The Page as the platform sent it, with all fields that were asked for. */
  readonly raw: Raw;
}

const text = v.optional(v.string());
const count = v.optional(v.number());
const flag = v.optional(v.boolean());

/**
 * Reads a {@link PageProfile}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageProfileSchema(linkedAccount: string): v.GenericSchema<unknown, PageProfile> {
  return v.pipe(
    // Typed without the linked account: its name is known only here.
    node({ ...entries, [linkedAccount]: linkedSchema } as typeof entries),
    v.transform((page) => {
      const linked = (page as Raw)[linkedAccount] as v.InferOutput<typeof linkedSchema>;
      const { picture, cover } = page;
      const own = Object.fromEntries(Object.keys(plain).map((name) => [name, (page as Raw)[name]]));
      return {
        ...(own as { [TName in keyof typeof plain]: v.InferOutput<(typeof plain)[TName]> }),
        picture: picture?.data?.url,
        cover: cover?.source,
        pics_id: linked?.id,
        pics_username: linked?.username,
        raw: page.raw,
      };
    }),
  );
}

const plain = {
  id: idSchema,
  name: text,
  username: text,
  link: text,
  category: text,
  about: text,
  description: text,
  emails: v.optional(listOf(v.string())),
  phone: text,
  website: text,
  single_line_address: text,
  location: v.optional(v.record(v.string(), v.unknown())),
  hours: v.optional(v.record(v.string(), v.string())),
  fan_count: count,
  followers_count: count,
  rating_count: count,
  overall_star_rating: count,
  verification_status: text,
  is_published: flag,
  is_permanently_closed: flag,
};

const entries = {
  ...plain,
  picture: v.optional(node({ data: v.optional(node({ url: text })) })),
  cover: v.optional(node({ source: text })),
};

const linkedSchema = v.optional(node({ id: idSchema, username: text }));
