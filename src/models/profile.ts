import * as v from 'valibot';

import { ConfigurationError } from '../core/errors.ts';
import { hide } from '../core/http/redact.ts';
import type { GraphNode, Raw, Schema } from './fields.ts';
import * as s from './fields.ts';

/** A user of the page platform. */
export interface Profile {
  readonly id: string;
  /** Empty if the platform gives none. */
  readonly name: string;
  /** Address of the picture. */
  readonly picture: string | undefined;
  /** `undefined` if the user has none, or did not grant `email`. */
  readonly email: string | undefined;
  /** The user as the platform sent it. */
  readonly raw: Raw;
}

/** Reads a {@link Profile}. */
export const profileSchema: Schema<Profile> = s.objectTo(
  {
    id: s.idSchema,
    name: s.text,
    email: s.text,
    picture: s.part(s.objectOf({ data: s.part(s.objectOf({ url: s.text })) })),
  },
  ({ id, name = '', picture, email }, raw) => ({ id, name, picture: picture?.data?.url, email, raw }),
);

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
 * Reads a {@link PageProfile}. Throws a ConfigurationError for a name that is no text.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageProfileSchema(linkedAccount: string): Schema<PageProfile> {
  return s.objectTo(withLinked(linkedAccount, profileEntries), (page, raw) => ({
    ...s.named(plain, page),
    picture: page.picture?.data?.url,
    cover: page.cover?.source,
    ...linkedIn(linkedAccount, page),
    raw,
  }));
}

const plain = {
  id: s.idSchema,
  name: s.text,
  username: s.text,
  link: s.text,
  category: s.text,
  about: s.text,
  description: s.text,
  emails: s.texts,
  phone: s.text,
  website: s.text,
  single_line_address: s.text,
  location: s.object,
  hours: s.field(toHours),
  fan_count: s.number,
  followers_count: s.number,
  rating_count: s.number,
  overall_star_rating: s.number,
  verification_status: s.text,
  is_published: s.flag,
  is_permanently_closed: s.flag,
};

const profileEntries = {
  ...plain,
  picture: s.optionalObject({ data: s.optionalObject({ url: s.text }) }),
  cover: s.optionalObject({ source: s.text }),
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

/** A professional account of the photo-sharing platform. */
export interface PicsProfile {
  /** In login mode the account's id for this app, in page mode the account's own id. */
  readonly id: string;
  /** The account's own id, which webhooks and page mode use. Login mode only. */
  readonly user_id?: string | undefined;
  /** Empty if the platform gives none. */
  readonly username: string;
  readonly name: string | undefined;
  /** Address of the profile picture. */
  readonly picture: string | undefined;
  readonly bio: string | undefined;
  readonly website: string | undefined;
  readonly followers_count: number | undefined;
  readonly follows_count: number | undefined;
  readonly media_count: number | undefined;
  /** `BUSINESS` or `MEDIA_CREATOR`; `undefined` in page mode. */
  readonly account_type: string | undefined;
  /** The account as the platform sent it. */
  readonly raw: Raw;
}

/** Reads a profile, flat or wrapped as `{ "data": [{ … }] }`. */
export const picsProfileSchema: Schema<PicsProfile> = v.pipe(
  v.unknown(),
  v.transform(s.unwrapData),
  s.record({
    id: s.idSchema,
    user_id: s.optionalId,
    username: s.text,
    name: s.text,
    profile_picture_url: s.text,
    biography: s.text,
    website: s.text,
    followers_count: s.number,
    follows_count: s.number,
    media_count: s.number,
    account_type: s.text,
  }),
  v.transform(({ username = '', profile_picture_url: picture, biography: bio, ...account }) => ({
    ...account,
    username,
    picture,
    bio,
  })),
);

/** Whether a Page keeps the platform's rules. */
export interface PageStatus {
  /** `ok`, `warning`, `restricted` or `suspended`. */
  readonly status: string | undefined;
  /** When the platform found this. */
  readonly timestamp: Date | undefined;
  readonly violations: readonly PageViolation[];
  readonly restrictions: readonly PageRestriction[];
  readonly recommended_actions: readonly PageAction[];
  /** What was done about it. */
  readonly actions_events: readonly PageActionEvent[];
  /** The status as the platform sent it. */
  readonly raw: Raw;
}

/** A rule that a Page violated. */
export interface PageViolation {
  /** Such as `SPAM`. */
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  /** Where people read more. */
  readonly url?: string | undefined;
  /** `LOW`, `MEDIUM` or `HIGH`. */
  readonly severity?: string | undefined;
}

/** What a Page may not do. */
export interface PageRestriction {
  /** Such as `page_messaging_api` or `page_publish`. */
  readonly feature?: string | undefined;
  readonly description?: string | undefined;
  readonly applied_time?: Date | undefined;
  /** When it ends; absent if it does not. */
  readonly expiration_time?: Date | undefined;
  /** The types of the violations that it is for. */
  readonly violation_type?: readonly string[] | undefined;
}

/** What can be done about violations. */
export interface PageAction {
  /** `LEARN_MORE`, `FILE_APPEAL` or `SUPPORT_TICKET`. */
  readonly action_type?: string | undefined;
  /** Where people do it. */
  readonly url?: string | undefined;
  readonly violation_type?: readonly string[] | undefined;
}

/** An action that was taken, such as an appeal. */
export interface PageActionEvent {
  readonly type?: string | undefined;
  /** `OPEN`, `PENDING` or `CLOSED`. */
  readonly status?: string | undefined;
  readonly created_time?: Date | undefined;
  readonly updated_time?: Date | undefined;
  readonly violation_type?: readonly string[] | undefined;
}

/** A time in unix seconds. */
const instant = s.field((value) => {
  const read = new Date((s.toNumber(value) ?? NaN) * 1000);
  return Number.isNaN(read.getTime()) ? undefined : read;
});

const statusEntries = {
  status: s.text,
  timestamp: instant,
  violations: s.listOf(s.node({ type: s.text, description: s.text, url: s.text, severity: s.text })),
  restrictions: s.listOf(
    s.node({
      feature: s.text,
      description: s.text,
      applied_time: instant,
      expiration_time: instant,
      violation_type: s.texts,
    }),
  ),
  recommended_actions: s.listOf(s.node({ action_type: s.text, url: s.text, violation_type: s.texts })),
  actions_events: s.listOf(
    s.node({
      type: s.text,
      status: s.text,
      created_time: instant,
      updated_time: instant,
      violation_type: s.texts,
    }),
  ),
};

/** Reads a {@link PageStatus}. */
export const pageStatusSchema: Schema<PageStatus> = s.objectTo(
  statusEntries,
  (
    { status, timestamp, violations = [], restrictions = [], recommended_actions = [], actions_events = [] },
    raw,
  ) => ({ status, timestamp, violations, restrictions, recommended_actions, actions_events, raw }),
);

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
 * Reads a {@link Page}. Throws a ConfigurationError for a name that is no text.
 *
 * @param linkedAccount the field that holds the linked account, `platform.words.linkedAccount`
 */
export function pageSchema(linkedAccount: string): Schema<Page> {
  return s.objectTo(withLinked(linkedAccount, pageEntries), (page, sent) => {
    const { access_token = '', id, name = '', tasks = [] } = page;
    const { access_token: _, ...raw } = sent;
    return hide({ id, name, ...linkedIn(linkedAccount, page), tasks, raw }, { access_token });
  });
}

const pageEntries = {
  id: s.idSchema,
  name: s.text,
  access_token: s.text,
  tasks: s.texts,
};

const linkedSchema = s.optionalObject({ id: s.idSchema, username: s.text });

/** These entries and that of the linked account, which their type lacks: its name is known only at run time. */
function withLinked<TEntries extends object>(linkedAccount: string, entries: TEntries): TEntries {
  if (typeof linkedAccount !== 'string')
    throw new ConfigurationError('linkedAccount must be the name of a field', 'linkedAccount');
  return { ...entries, [linkedAccount]: linkedSchema };
}

function linkedIn(linkedAccount: string, page: Raw): Pick<Page, 'pics_id' | 'pics_username'> {
  // `withLinked` has read this field.
  const linked = page[linkedAccount] as v.InferOutput<typeof linkedSchema>;
  return { pics_id: linked?.id, pics_username: linked?.username };
}

/** A Page that a search found. */
export interface Place extends GraphNode {
  readonly name?: string | undefined;
  /** Address of the Page. */
  readonly link?: string | undefined;
  /** Posts and media can only name a place that has a `latitude` and a `longitude`. */
  readonly location?: PlaceLocation | undefined;
  /** Whether its posts can be marked as paid partnerships. */
  readonly is_eligible_for_branded_content?: boolean | undefined;
  /** Whether nobody manages it. */
  readonly is_unclaimed?: boolean | undefined;
  /** `blue_verified` or `not_verified`. */
  readonly verification_status?: string | undefined;
}

/** Where a place is. */
export interface PlaceLocation {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
  readonly state?: string | undefined;
  readonly street?: string | undefined;
  readonly zip?: string | undefined;
}

/** Reads a {@link Place}. Fields that are not in the type are kept. */
export const placeSchema: Schema<Place> = s.node({
  id: s.idSchema,
  name: s.text,
  link: s.text,
  location: s.optionalObject({
    city: s.text,
    country: s.text,
    latitude: s.number,
    longitude: s.number,
    state: s.text,
    street: s.text,
    zip: s.text,
  }),
  is_eligible_for_branded_content: s.flag,
  is_unclaimed: s.flag,
  verification_status: s.text,
});
