import { errAsync, okAsync, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../core/deriveError.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import type { Call } from '../core/http/types.ts';
import type { ListRequest } from '../core/lists/list.ts';
import { countOrAll, fieldNames, fieldsOf, id, optional, type Rule, token } from '../core/options/check.ts';
import {
  type Entries,
  isOfApp,
  type ListedEntry,
  type ListEntry,
  type LookupLimits,
  queryEntries,
  textOf,
  toEntries,
  toListed,
} from '../core/writes/lookups.ts';
import { type PagePost, pagePostSchema } from '../models/posts.ts';
import { type PageVideo, pageVideoSchema } from '../models/videos.ts';
import type { PageContext } from './context.ts';

/** What a function that collects a list and one that walks it both request. */
export type ListParts<TItem> = Pick<ListRequest<TItem>, 'path' | 'query' | 'item'>;

/** The fields that the caller wants of each entry. */
interface ChosenFields {
  readonly fields?: readonly string[] | undefined;
}

/** The rules of a list of a Page. */
export function pageListRules(): Record<'pageId' | 'pageToken' | 'limit' | 'fields', Rule> {
  return { pageId: id, pageToken: token, limit: optional(countOrAll), fields: optional(fieldNames) };
}

/** What to request from a list of posts at this path. */
export function postsOn(at: ListParts<PagePost>['path'], { fields }: ChosenFields): ListParts<PagePost> {
  return { path: at, query: { fields: fields?.join(',') ?? postFields }, item: pagePostSchema };
}

/** The fields of a post. */
export const postFields =
  'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

/** What to request from a list of videos at this path. */
export function videosOn(at: ListParts<PageVideo>['path'], { fields }: ChosenFields): ListParts<PageVideo> {
  return { path: at, query: { fields: fields?.join(',') ?? videoFields }, item: pageVideoSchema };
}

const videoFields =
  'id,title,description,created_time,updated_time,length,picture,permalink_url,post_id,published,' +
  'scheduled_publish_time';

/** A new post to look up. */
interface NewPost {
  readonly pageId: string;
  /** When it is to be published, in unix seconds. */
  readonly time: number | undefined;
  readonly text: string | undefined;
  /** Further fields to read, after a comma. */
  readonly fields?: string | undefined;
  /** Whether a post is the new one, or another one, by more than its text; `unclear` if that is not shown. */
  readonly isOwn?: (post: ListEntry) => boolean | 'unclear' | undefined;
  /** Whether it shows photos that no other post does. */
  readonly carries?: boolean;
}

/**
 * Looks up a new post of a Page among its published ones and, with a time, its scheduled ones: a person may publish a
 * scheduled post at any time, or move it.
 */
export function postEntries(
  context: PageContext,
  call: Call,
  { pageId, time, text, fields = '', isOwn = () => undefined, carries }: NewPost,
): Entries {
  return {
    list: `${pageId}/posts`,
    text,
    sign: 'no text',
    carries,
    isScheduled: time !== undefined,
    query: (limits) =>
      // In this order: a post that is published meanwhile shows in either.
      (time === undefined ? okAsync([]) : read(limits, 'scheduled_posts', ',scheduled_publish_time')).andThen(
        (scheduled) =>
          // Within a call, it cannot be published yet.
          time !== undefined && limits.readPages === undefined
            ? okAsync({ entries: scheduled })
            : read(limits, 'published_posts', '').map((published) => ({
                entries: [...scheduled, ...published],
              })),
      ),
  };

  function read(
    limits: LookupLimits,
    edge: string,
    more: string,
  ): ResultAsync<readonly ListedEntry[], RequestFailure> {
    return queryEntries(context, {
      ...call,
      ...limits,
      path: `${path`${pageId}`}/${edge}`,
      query: { fields: `id,message,created_time,application${more}${fields}`, limit: 25 },
    }).map((posts) => posts.filter((post) => isOfApp(post, context.appId)).flatMap(toEntry));
  }

  function toEntry(post: ListEntry): readonly ListedEntry[] {
    const match = isOwn(post);
    if (match === false) return [];
    const { scheduled_publish_time: at = time, message = '' } = post;
    // Identical texts at different times are common; but it may have been moved.
    const isShown = (time === undefined || Number(at) === time) && match !== 'unclear';
    return [{ ...toListed(post, 'created_time', isShown ? message : undefined), isOwn: match === true }];
  }
}

/** The field that says what a post shows. */
export const photoFields = ',attachments{target,subattachments{target}}';

/** The ids of what a post shows: a single id for a single photo or a video. */
export function photosIn({ attachments }: ListEntry): readonly string[] {
  return entriesOf(attachments)
    .flatMap((attachment) => [attachment, ...entriesOf(attachment['subattachments'])])
    .map(({ target }) => textOf(fieldsOf(target)['id']));
}

function entriesOf(list: unknown): readonly ListEntry[] {
  return toEntries(fieldsOf(list)['data']);
}

/**
 * Looks once for the post of a photo or a video that was just scheduled, since the response names only the media: the
 * scheduled post that shows it and nothing else. Whatever the list says, the media is scheduled, so only the end of the
 * call is a failure.
 */
export function scheduledPostOf(
  context: PageContext,
  call: Call,
  pageId: string,
  mediaId: string,
): ResultAsync<{ readonly post_id?: string }, RequestFailure> {
  return queryEntries(context, {
    ...call,
    path: path`${pageId}/scheduled_posts`,
    query: { fields: `id${photoFields}`, limit: 100 },
  })
    .map((posts) => {
      const [post, ...more] = posts.filter((one) => photosIn(one).join() === mediaId);
      const post_id = textOf(post?.['id']);
      return { ...(post_id !== '' && more.length === 0 && { post_id }) };
    })
    .orElse((failure) => (isEnded(failure) ? errAsync(withOutcome(failure, 'applied')) : okAsync({})));
}

/** Whether a failure is the end of the call: it was aborted, or its context closed. */
export function isEnded(failure: RequestFailure): boolean {
  return failure.name === 'TransportError' && /aborted|closed/.test(failure.reason);
}
