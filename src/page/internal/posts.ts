import { ConfigurationError } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import type { Params } from '../../core/http/types.ts';
import { fieldsOf, id, listOf, optional, type Rule } from '../../core/options/check.ts';
import { type ListEntry, type TextList, textOf, toEntries } from '../../core/writes/recentEntries.ts';

/** A list of the posts of a Page. */
interface PostList extends Pick<
  TextList<unknown>,
  'list' | 'path' | 'query' | 'textField' | 'timeField' | 'dueAt'
> {
  readonly entriesIn: (posts: readonly ListEntry[]) => readonly ListEntry[];
}

/**
 * The list that shows a new post: the published posts or, with a time in unix seconds, the scheduled ones. Once that
 * time has come, a scheduled post is among the published ones.
 */
export function postList(pageId: string, time: number | undefined, now: number, more = ''): PostList {
  const published = path`${pageId}/published_posts`;
  const scheduled = path`${pageId}/scheduled_posts`;
  const isDue = time !== undefined && time * 1000 <= now;
  const at = time === undefined || isDue ? '' : ',scheduled_publish_time';
  return {
    list: time === undefined ? published : scheduled,
    path: time === undefined || isDue ? published : scheduled,
    dueAt: isDue ? time * 1000 : undefined,
    query: { fields: `id,message,created_time${at}${more}`, limit: 25 },
    textField: 'message',
    timeField: 'created_time',
    // Identical texts at different times are common.
    entriesIn: (posts) =>
      time === undefined
        ? posts
        : posts.filter(({ scheduled_publish_time }) => Number(scheduled_publish_time ?? time) === time),
  };
}

/** Where a post is from. */
export interface PlaceOptions {
  /** A Page with a location. */
  readonly placeId?: string | undefined;
  /**
   * Ids of people who are there; with `placeId` only. The platform does not document whose ids it takes: those of
   * people who do not use the app may be refused, or left out.
   */
  readonly tags?: readonly string[] | undefined;
}

export function placeRules(own: PlaceOptions): { readonly placeId: Rule; readonly tags: Rule } {
  return {
    placeId: optional(id),
    tags: optional((value) => (own.placeId === undefined ? 'must come with placeId' : people(value))),
  };
}

const people = listOf(id, 1);

/** The parameters that say where a post is from. */
export function placeOf({ placeId, tags }: PlaceOptions): Params {
  return { place: placeId, tags: JSON.stringify(tags) };
}

/** The field that says what a post shows. */
export const photoFields = ',attachments{target,subattachments{target}}';

/** The ids of what a post shows: a single id for a single photo. */
export function photosIn({ attachments }: ListEntry): readonly string[] {
  return entriesOf(attachments)
    .flatMap((attachment) => [attachment, ...entriesOf(attachment['subattachments'])])
    .map(({ target }) => textOf(fieldsOf(target)['id']));
}

function entriesOf(list: unknown): readonly ListEntry[] {
  return toEntries(fieldsOf(list)['data']);
}

/** The parameters that publish something at once, schedule it, or keep it as a draft. */
export function isOneOf({
  draft,
  scheduledAt,
  published,
}: {
  readonly draft?: boolean | undefined;
  readonly scheduledAt?: Date | number | undefined;
  readonly published?: boolean | undefined;
}): ConfigurationError | undefined {
  return [draft, scheduledAt, published].filter(Boolean).length > 1
    ? new ConfigurationError(
        'give only one of draft, scheduledAt and published: true',
        draft ? 'draft' : 'scheduledAt',
      )
    : undefined;
}
