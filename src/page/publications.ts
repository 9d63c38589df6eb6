import { err, errAsync, okAsync, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { withOutcome } from '../core/deriveError.ts';
import { ConfigurationError, type RequestFailure } from '../core/errors.ts';
import { path, shownAddresses } from '../core/http/addresses.ts';
import { multipart } from '../core/http/body.ts';
import { isStillReadable } from '../core/http/files.ts';
import { POST } from '../core/http/methods.ts';
import { isOver, send } from '../core/http/send.ts';
import type { Call, CallLimits, GraphRequest, Params } from '../core/http/types.ts';
import { type FieldOptions, type ListOptions, type ListRequest, listRules } from '../core/lists/list.ts';
import { fieldsOf } from '../core/objects.ts';
import { fileChanged } from '../core/options/fileSource.ts';
import * as rule from '../core/options/rules.ts';
import type { Entries, ListedEntry, ListEntry, LookupLimits } from '../core/writes/lookups.ts';
import { idIn, isOfApp, queryEntries, textOf, toEntries, toListed } from '../core/writes/lookups.ts';
import { type Created, createdSchema } from '../models/fields.ts';
import type { PageContext } from './context.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';

/** The place of a post. */
export interface PlaceOptions {
  /** A Page with a location. */
  readonly placeId?: string | undefined;
  /**
   * Ids of people who are there; with `placeId` only. The platform does not document which ids it accepts: it may
   * refuse or ignore those of people who do not use the app.
   */
  readonly tags?: readonly string[] | undefined;
}

export const placeRules = { placeId: rule.optional(rule.id), tags: rule.optional(rule.listOf(rule.id, 1)) };

/** Refuses people who are nowhere. */
export function checkPlace({ placeId, tags }: PlaceOptions): rule.Fault | undefined {
  return tags && placeId === undefined ? rule.faultOf('must come with placeId', 'tags') : undefined;
}

export function placeOf({ placeId, tags }: PlaceOptions): Params {
  return { place: placeId, tags: JSON.stringify(tags) };
}

type Timing = Readonly<Partial<Record<'draft' | 'scheduledAt' | 'published', unknown>>>;

/** Refuses more than one of the options that say when something is published. */
export function checkTiming({ draft, scheduledAt, published }: Timing): ConfigurationError | undefined {
  return [draft, scheduledAt, published].filter(Boolean).length > 1
    ? new ConfigurationError(
        'give only one of draft, scheduledAt and published: true',
        draft ? 'draft' : 'scheduledAt',
      )
    : undefined;
}

/** What to request from a list, whether it is collected or walked. */
export type ListParts<TItem> = Pick<ListRequest<TItem>, 'path' | 'query' | 'item' | 'cutAt'>;

/** Options of functions that list what a Page has published. */
export interface PageListOptions extends OnePageOptions, ListOptions, FieldOptions {}

export const pageListRules = { ...pageRules, ...listRules };

export interface NewPost {
  readonly pageId: string;
  /** When it is to be published, in unix seconds. */
  readonly time: number | undefined;
  readonly text: string | undefined;
  /** Whether a post is the new one or another one, by more than its text; `unclear` if that is not shown. */
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
  { pageId, time, text, isOwn = () => undefined, carries }: NewPost,
): Entries {
  return {
    list: `${pageId}/posts`,
    text,
    sign: 'no text',
    carries,
    isScheduled: time !== undefined,
    query: (limits) =>
      // Scheduled posts first: one that is published in between is then in both lists, never in none.
      (time === undefined ? okAsync([]) : read(limits, 'scheduled_posts', ',scheduled_publish_time')).andThen(
        (scheduled) =>
          // Within the call that scheduled it, it cannot be published yet.
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
      query: { fields: `id,message,created_time,application${more}${photoFields}`, limit: 25 },
    }).map((posts) => posts.filter((post) => isOfApp(post, context.appId)).flatMap(toEntry));
  }

  function toEntry(post: ListEntry): readonly ListedEntry[] {
    const match = isOwn(post);
    if (match === false) return [];
    const { scheduled_publish_time: at = time, message = '' } = post;
    // Identical texts at different times are common; but a person may have moved this one.
    const isShown = (time === undefined || Number(at) === time) && match !== 'unclear';
    const listed = toListed(post, 'created_time', isShown ? message : undefined);
    return [{ ...listed, says: textOf(message), isOwn: match === true, shows: photosIn(post) }];
  }
}

const photoFields = ',attachments{target,subattachments{target}}';

/** The ids of what a post shows: a single id for a single photo or a video. */
export function photosIn({ attachments }: ListEntry): readonly string[] {
  return entriesOf(attachments)
    .flatMap((attachment) => [attachment, ...entriesOf(attachment['subattachments'])])
    .map(({ target }) => idIn(target));
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
      const post_id = idIn(post);
      return { ...(post_id !== '' && more.length === 0 && { post_id }) };
    })
    .orElse((failure) => (isOver(failure) ? errAsync(withOutcome(failure, 'applied')) : okAsync({})));
}

/** A photo: the public address that the platform fetches it from, or its bytes. */
export type Photo = string | Blob;

/** The request that uploads a photo: multipart for bytes, a form for an address. */
export function photoRequest(
  pageId: string,
  photo: Photo,
  fields: Params,
): Pick<GraphRequest<unknown>, 'method' | 'path' | 'form' | 'body' | 'redirect' | 'fetches'> {
  return {
    method: POST,
    path: path`${pageId}/photos`,
    ...(typeof photo === 'string'
      ? { form: { url: photo, ...fields }, fetches: shownAddresses(photo) }
      : multipart(fields, { source: photo })),
  };
}

/**
 * Uploads a photo without publishing it. It is safe to repeat: nobody sees an unpublished photo, and it expires. So
 * even if the response is lost, nothing was published.
 */
export function uploadPhoto(
  context: Context,
  request: Call,
  pageId: string,
  photo: Photo,
  fields?: Params,
): ResultAsync<Created, RequestFailure> {
  const sent = send(context, {
    ...request,
    ...photoRequest(pageId, photo, { published: false, ...fields }),
    schema: createdSchema,
  });
  return reportFileChange(context, request, sent, photo).mapErr((failure) =>
    withOutcome(failure, 'rejected'),
  );
}

/** Replaces the failure of a request whose file has changed since it was opened by one that says so. */
export function reportFileChange<TValue>(
  context: Context,
  call: CallLimits,
  sent: ResultAsync<TValue, RequestFailure>,
  file: string | Blob,
  what = 'photo',
): ResultAsync<TValue, RequestFailure> {
  return sent.orElse((failure) => {
    if (typeof file === 'string' || failure.name !== 'TransportError') return errAsync(failure);
    return ResultAsync.fromSafePromise(isStillReadable(context, call, file)).andThen((isIntact) =>
      err(isIntact.unwrapOr(true) ? failure : withOutcome(fileChanged(what), failure.outcome)),
    );
  });
}
