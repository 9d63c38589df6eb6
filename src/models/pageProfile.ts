import * as v from 'valibot';

import { field, flag, idSchema, node, number, object, part, type Raw, text, texts } from './fields.ts';

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
  emails: texts,
  phone: text,
  website: text,
  single_line_address: text,
  location: object,
  hours: field(toHours),
  fan_count: number,
  followers_count: number,
  rating_count: number,
  overall_star_rating: number,
  verification_status: text,
  is_published: flag,
  is_permanently_closed: flag,
};

const entries = {
  ...plain,
  picture: part(node({ data: part(node({ url: text })) })),
  cover: part(node({ source: text })),
};

const linkedSchema = part(node({ id: idSchema, username: text }));

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Hours come as an object, or as a list of `{ "key": …, "value": … }`. */
function toHours(value: unknown): PageProfile['hours'] {
  const entries = Array.isArray(value)
    ? value.map((entry: unknown) => [Object(entry).key, Object(entry).value])
    : Object.entries(typeof value === 'object' && value !== null ? value : {});
  const read = entries.filter((entry) => entry.every(isString));
  return read.length > 0 ? Object.fromEntries(read) : undefined;
}
