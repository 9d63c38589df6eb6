import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { withIds, withMessage, withPayload } from '../core/deriveError.ts';
import { type ConfigurationError, type Failure, type RequestFailure } from '../core/errors.ts';
import { mapConcurrent } from '../core/http/concurrency.ts';
import { guardHook } from '../core/http/hooks.ts';
import { path } from '../core/http/path.ts';
import { perform, safeTry } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { check, fields, hook, id, listOf, optional, text, token, url } from '../core/options/check.ts';
import { fileSource } from '../core/options/fileSource.ts';
import { scheduleSeconds, toSeconds } from '../core/options/time.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { keyed, keyIn, record, recordedIn, openDigested } from '../core/writes/keyed.ts';
import { findByText } from '../core/writes/recentEntries.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { EffectLookup } from '../core/writes/types.ts';
import { type Created, createdSchema, type PublishedPhotos } from '../models/written.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { type Photo, uploadPhoto } from './internal/photo.ts';
import { photoFields, photosIn, placeOf, type PlaceOptions, placeRules, postList } from './internal/posts.ts';
import type { HostedPhoto, UploadedPhoto } from './publishPhoto.ts';

/** How many photos are uploaded at the same time. */
const mostAtOnce = 10;

/** A photo of a post. */
export type PhotoItem = (HostedPhoto | UploadedPhoto) & {
  readonly photoId?: undefined;
  /** What the photo shows, for people who cannot see it. */
  readonly altText?: string | undefined;
};

/** A photo that is uploaded but not published, such as one in the `photo_ids` of an error. */
export interface KnownPhotoItem {
  readonly photoId: string;
  readonly photoUrl?: undefined;
  readonly photo?: undefined;
  readonly altText?: undefined;
}

export interface PublishPhotosOptions extends PageCallOptions, KeyedOptions, PlaceOptions {
  readonly pageId: string;
  /** The photos in their order, two or more. */
  readonly photos: readonly (PhotoItem | KnownPhotoItem)[];
  readonly message?: string | undefined;
  /** When to publish the post: a Date, or unix seconds; at least 10 minutes ahead. */
  readonly scheduledAt?: Date | number | undefined;
  /**
   * Called each time a photo is uploaded, with the ids of all uploaded so far, in the order of the photos. Anything it
   * throws is ignored.
   */
  readonly onCreated?: ((ids: { readonly photo_ids: readonly string[] }) => unknown) | undefined;
}

/**
 * Publishes several photos in one post of a Page, at once or at a later time. The photos are uploaded unpublished, up
 * to ten in parallel; then the post is published with them.
 *
 * Once-only: after a lost response, the post is looked up by its photos, text and time among the newest posts, or the
 * scheduled ones.
 *
 * If it fails, the error's `ids` hold the `photo_ids` uploaded so far. Its `payload.photos` holds the id of each photo
 * of the call, or `null` if it has none yet: to resume within 24 hours, pass those with an id as `{ photoId }`, each in
 * its place. If a photo is at fault, the `payload` also holds `failed_photo`, counted from 0.
 *
 * Permissions: `pages_manage_posts`, `pages_read_engagement`, `pages_show_list`; Page task `CREATE_CONTENT`. Source:
 * platform guide, Posts.
 *
 * @example
 * const photos = [{ photo: './first.jpg', altText: 'A table' }, { photoUrl: 'https://example.com/second.jpg' }];
 * const post = await publishPhotos(context, { pageId, pageToken, photos, message: 'Two tables' });
 * if (post.isOk()) console.log(post.value.photo_ids);
 *
 * @example With a client, which throws
 * const post = await client.publishPhotos({ pageId, pageToken, photos: [{ photo: './a.jpg' }, { photo: './b.jpg' }] });
 */
export function publishPhotos(
  context: PageContext,
  options: PublishPhotosOptions,
): ResultAsync<PublishedPhotos, Failure> {
  const checked = check(context, options, (own) => ({
    idempotencyKey: keyIn(context),
    pageId: id,
    pageToken: token,
    photos: listOf(photo, 2),
    message: optional(text),
    scheduledAt: optional(scheduleSeconds(context.clock, own)),
    onCreated: optional(hook),
    ...placeRules(own),
  }));
  return perform(context, 'publishPhotos', checked, (call, own) => {
    const { pageId, photos, message, scheduledAt } = own;
    const time = scheduledAt && toSeconds(scheduledAt);
    const isLater = time === undefined ? undefined : true;
    const onCreated = guardHook(own.onCreated);
    return keyed(context, call, 'page', own, (context) =>
      safeTry(async function* () {
        const sources = yield* openAll(context, photos);
        const upload = (at: number): ResultAsync<Created, RequestFailure> =>
          uploadPhoto(context, call, pageId, sources[at] ?? '', {
            alt_text_custom: photos[at]?.altText,
            temporary: isLater,
          });
        const photo_ids = yield* new ResultAsync(uploadAll(context, photos, upload, onCreated));
        const post = yield* sendOnce(
          context,
          {
            ...call,
            method: 'POST',
            path: path`${pageId}/feed`,
            form: {
              message,
              attached_media: JSON.stringify(photo_ids.map((media_fbid) => ({ media_fbid }))),
              published: isLater && false,
              scheduled_publish_time: time,
              unpublished_content_type: isLater && 'SCHEDULED',
              ...placeOf(own),
            },
            schema: createdSchema,
          },
          postLookup(context, call, { pageId, message, time, photo_ids }),
        ).mapErr((failure) => withPayload(failure, { photos: photo_ids }));
        return ok({ id: post.id, photo_ids });
      }),
    );
  });
}

const photo = fields(
  {
    photoUrl: optional(url),
    photo: optional(fileSource('photoUrl')),
    photoId: optional(id),
    altText: optional(text),
  },
  (item) => {
    if (['photoUrl', 'photo', 'photoId'].filter((name) => name in item).length !== 1) {
      return 'must have exactly one of photoUrl, photo and photoId';
    }
    return 'photoId' in item && 'altText' in item ? 'must have no altText: its photo is uploaded' : undefined;
  },
);

type Item = PhotoItem | KnownPhotoItem;

/** Opens all files before anything is sent. */
function openAll(context: PageContext, items: readonly Item[]): ResultAsync<Photo[], ConfigurationError> {
  return ResultAsync.combine(
    items.map(({ photo: file, photoUrl = '' }, at): ResultAsync<Photo, ConfigurationError> =>
      file === undefined ? okAsync(photoUrl) : openDigested(context, file, 'photos', `photos[${at}].photo`),
    ),
  );
}

/**
 * Uploads photos in parallel. After a failure no more uploads begin, and the error holds the ids of those that
 * succeeded.
 */
async function uploadAll(
  context: PageContext,
  items: readonly Item[],
  upload: (at: number) => ResultAsync<Created, RequestFailure>,
  onCreated: ((ids: { readonly photo_ids: readonly string[] }) => void) | undefined,
): Promise<Result<readonly string[], RequestFailure>> {
  const recorded = recordedIn(context).photo_ids ?? [];
  const ids = items.map(({ photoId }, at) => photoId ?? (recorded[at] || undefined));
  const known = (): readonly string[] => ids.filter((photoId) => photoId !== undefined);
  if (recorded.length > 0) onCreated?.({ photo_ids: known() });
  let hasFailed = false;
  const failures = await mapConcurrent(
    [...items.keys()].filter((at) => ids[at] === undefined),
    async (at) => {
      if (hasFailed) return undefined;
      const uploaded = await upload(at);
      hasFailed ||= uploaded.isErr();
      if (uploaded.isErr()) return { at, failure: uploaded.error };
      ids[at] = uploaded.value.id;
      onCreated?.({ photo_ids: known() });
      const stopped = await record(context, { photo_ids: Array.from(ids, (photoId = '') => photoId) });
      hasFailed ||= stopped.isErr();
      return stopped.isErr() ? { at, failure: stopped.error } : undefined;
    },
    mostAtOnce,
  );
  const first = failures.find((one) => one !== undefined);
  if (first === undefined) return ok(known());
  const { at, failure } = first;
  const error = withPayload(withIds(failure, { photo_ids: known() }), {
    photos: Array.from(ids, (photoId) => photoId ?? null),
    failed_photo: at,
  });
  return err(withMessage(error, `photo ${at + 1} of ${items.length}: ${failure.message}`));
}

/** Looks up a post by its text and all its photos: one photo may be part of several posts. */
function postLookup(
  context: PageContext,
  call: Call,
  {
    pageId,
    message = '',
    time,
    photo_ids,
  }: Pick<PublishPhotosOptions, 'pageId' | 'message'> & {
    readonly time: number | undefined;
    readonly photo_ids: readonly string[];
  },
): EffectLookup<Created> {
  const posts = postList(pageId, time, context.clock.now(), photoFields);
  const byText = findByText<Created>(context, {
    ...call,
    ...posts,
    text: message,
    entriesIn: (listed) =>
      posts.entriesIn(listed).filter((post) => {
        // The first one is the album itself.
        const [, ...photos] = photosIn(post);
        return photos.length === photo_ids.length && photo_ids.every((photo) => photos.includes(photo));
      }),
    idOf: (post) => post.id,
    toValue: (postId) => ({ id: postId }),
  });
  return { ...byText, ids: { photo_ids } };
}
