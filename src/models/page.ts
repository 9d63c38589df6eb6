import * as v from 'valibot';

import { hide } from '../core/http/redact.ts';
import {
  arrayOf,
  field,
  flag,
  idSchema,
  isObject,
  node,
  number,
  object,
  objectOf,
  part,
  type Raw,
  type Schema,
  string,
  text,
  texts,
} from './fields.ts';

/** A Page that a user manages. */
export interface Page {
  readonly id: string;
  /** Empty if the platform gives none. */
  readonly name: string;
  /**
   * Page token. Secret, and not enumerable: logging, `JSON.stringify` and spreading leave it out.
   * Empty if the platform gives none, because the user has no task on the Page.
   */
  readonly access_token: string;
  /** Id of the linked photo-sharing professional account. */
  readonly pics_id: string | undefined;
  readonly pics_username: string | undefined;
  /** What the user may do on the Page, such as `CREATE_CONTENT`. */
  readonly tasks: readonly string[];
  /** The Page as the platform sent it, without the token. */
  readonly raw: Raw;
}

/**
 * Reads a {@link Page}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageSchema(linkedAccount: string): Schema<Page> {
  return v.pipe(
    // Typed without the linked account, since its name is known only at run time.
    node({ ...pageEntries, [linkedAccount]: linkedSchema } as typeof pageEntries),
    v.transform(({ access_token = '', id, name = '', tasks = [], raw: sent, ...fields }) => {
      // The schema above has read this field, whose name its type lacks.
      const linked = fields[linkedAccount] as v.InferOutput<typeof linkedSchema>;
      const { access_token: _, ...raw } = sent;
      const shown = { id, name, pics_id: linked?.id, pics_username: linked?.username, tasks, raw };
      return hide(shown, { access_token });
    }),
  );
}

const pageEntries = {
  id: idSchema,
  name: text,
  access_token: text,
  tasks: texts,
};

const linkedSchema = part(node({ id: idSchema, username: text }));

/** What a Page says about itself. Fields that are not filled in are `undefined`. */
export interface PageProfile {
  readonly id: string;
  readonly name: string | undefined;
  /** The name in the Page's address. */
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
  /** How many people like the Page. The platform shows `followers_count` instead. */
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
  /** The Page as the platform sent it, with all fields that were requested. */
  readonly raw: Raw;
}

/**
 * Reads a {@link PageProfile}.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageProfileSchema(linkedAccount: string): Schema<PageProfile> {
  return v.pipe(
    // Typed without the linked account, since its name is known only at run time.
    node({ ...profileEntries, [linkedAccount]: linkedSchema } as typeof profileEntries),
    v.transform((page) => {
      // The schema above has read this field, whose name its type lacks.
      const linked = (page as Raw)[linkedAccount] as v.InferOutput<typeof linkedSchema>;
      const { picture, cover } = page;
      const fields: Raw = page;
      const own = Object.fromEntries(Object.keys(plain).map((name) => [name, fields[name]]));
      return {
        // `fromEntries` loses the names.
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

const profileEntries = {
  ...plain,
  picture: part(node({ data: part(node({ url: text })) })),
  cover: part(node({ source: text })),
};

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** Opening hours arrive as an object, or as a list of `{ "key": …, "value": … }`. */
function toHours(value: unknown): PageProfile['hours'] {
  const profileEntries = Array.isArray(value)
    ? value.map((entry: unknown) => [Object(entry).key, Object(entry).value])
    : Object.entries(typeof value === 'object' && value !== null ? value : {});
  const read = profileEntries.filter((entry) => entry.every(isString));
  return read.length > 0 ? Object.fromEntries(read) : undefined;
}

/** An app that receives events, with the fields that it is subscribed to. */
export interface SubscribedApp {
  /** Empty if the platform names no app. */
  readonly id: string;
  readonly fields: readonly string[];
}

// If it has a version, a field arrives as an object.
const subscribedFields = arrayOf(
  v.pipe(
    v.unknown(),
    v.transform((field) => (isObject(field) ? field['name'] : field)),
    string,
  ),
);

/** Reads an entry of a list of subscribed apps. An app without fields may lack the list. */
export const subscribedAppSchema: Schema<SubscribedApp> = v.pipe(
  objectOf({
    id: v.optional(idSchema),
    app_id: v.optional(idSchema),
    subscribed_fields: v.optional(subscribedFields, []),
  }),
  v.transform(({ id, app_id, subscribed_fields }) => ({
    id: app_id ?? id ?? '',
    fields: subscribed_fields,
  })),
);

/** Reads a whole list. The photo-sharing graph may send the app's entry alone, without a list. */
export const subscribedAppsSchema: Schema<readonly SubscribedApp[]> = v.pipe(
  v.unknown(),
  v.transform((body) =>
    isObject(body) && Array.isArray(body['subscribed_fields']) ? { data: [body] } : body,
  ),
  objectOf({ data: arrayOf(subscribedAppSchema) }),
  v.transform(({ data }) => data),
);

/** The fields that an app is subscribed to; `undefined` if its entry lists none. */
export function subscribedFieldsOf(
  apps: readonly SubscribedApp[],
  appId: string,
): readonly string[] | undefined {
  const entries = apps.filter((app) => app.id === appId);
  const fields = entries.flatMap((app) => app.fields);
  return entries.length > 0 && fields.length === 0 ? undefined : fields;
}
