import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { itemsNamed, withIds, withItem, withMessage, withPayload } from '../core/deriveError.ts';
import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { guardHook } from '../core/http/guardHook.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { mapConcurrent, performRequest, safeTry, send } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { type FieldOptions, fieldRules, type List, performList } from '../core/lists/list.ts';
import { check, exactlyOneOf } from '../core/options/check.ts';
import { type FileSource, fileSource } from '../core/options/fileSource.ts';
import * as rule from '../core/options/rules.ts';
import { time, toSeconds } from '../core/options/time.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import { isSent, keyRule, openDigested, performKeyed, recordIds, recordedIn } from '../core/writes/keyed.ts';
import { type EffectLookup, idIn, type ListEntry } from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import type { Created, Schema } from '../models/fields.ts';
import {
  asCreated,
  createdSchema,
  entriesAt,
  fieldsFor,
  idSchema,
  objectTo,
  optionalId,
  successSchema,
} from '../models/fields.ts';
import type { PagePhoto, PublishedPhoto, PublishedPhotos } from '../models/posts.ts';
import { pagePhotoSchema } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { ofPhoto, type OnePageOptions, pageRules } from './pageOptions.ts';
import type { NewPost, PageListOptions, Photo, PlaceOptions } from './publications.ts';
import * as publication from './publications.ts';

/** A photo at a public address. */
export interface HostedPhoto {
  /** Public address of the photo, fetched by the platform: JPEG, BMP, PNG, GIF or TIFF, up to 10 MB. */
  readonly photoUrl: string;
  readonly photo?: undefined;
}

/** An uploaded photo. */
export interface UploadedPhoto {
  /**
   * The photo's bytes, or the path of its file as a string or a file URL; up to 10 MB. Never use a path from user
   * input.
   */
  readonly photo: FileSource;
  readonly photoUrl?: undefined;
}

interface PublishPhotoCommon extends OnePageOptions, KeyedOptions {
  readonly message?: string | undefined;
  /** What the photo shows, for people who cannot see it. */
  readonly altText?: string | undefined;
}

/** Options for a photo that is published at once, or kept unpublished. */
export interface PublishPhotoNowOptions extends PublishPhotoCommon {
  /**
   * `false` keeps the photo unpublished: for a story within 24 hours, or a post of several photos.
   * @default true
   */
  readonly published?: boolean | undefined;
  readonly scheduledAt?: undefined;
}

/** Options for a photo that the platform publishes later. */
export interface SchedulePhotoOptions extends PublishPhotoCommon {
  /** When to publish it: a Date, or unix seconds; at least 10 minutes ahead. */
  readonly scheduledAt: Date | number;
  readonly published?: false | undefined;
}

export type PublishPhotoOptions = (PublishPhotoNowOptions | SchedulePhotoOptions) &
  (HostedPhoto | UploadedPhoto);

/**
 * Publishes a photo on a Page, at once or at a later time, or uploads it without publishing it.
 *
 * The platform does not name the post of a scheduled photo: it is looked up among the scheduled posts, once, by its
 * photo. If `post_id` is absent, the post was not listed yet.
 *
 * Once-only: after a lost response, the photo is looked up by its text among the newest posts of the Page, or its
 * scheduled ones. Without a text it cannot be identified: the error's `outcome` is `unknown`. An unpublished
 * photo is safe to repeat, so it is sent again, with a key too: of one whose response was lost, an orphan may stay that
 * nobody sees. Each repetition has an id of its own, and `deletePhoto` discards what is known by id.
 *
 * Source: Graph API reference, Page photos; platform guide, Posts.
 *
 * @example
 * const photo = await publishPhoto(context, { pageId, pageToken, photo: './menu.jpg', message: 'The new menu' });
 * if (photo.isOk()) console.log(photo.value.post_id);
 *
 * @example With a client, which throws
 * const photo = await client.publishPhoto({ pageId, pageToken, photoUrl: 'https://example.com/menu.jpg' });
 */
export function publishPhoto(
  context: PageContext,
  options: PublishPhotoOptions,
): ResultAsync<PublishedPhoto, Failure> {
  const isOnePhoto = exactlyOneOf<PublishPhotoOptions>('photoUrl', 'photo');
  const checked = check(context, options, photoRules, isOnePhoto, publication.checkTiming);
  return performKeyed(context, 'publishPhoto', checked, 'page', (context, call, options) => {
    const { pageId, photoUrl = '', photo, message, altText, published, scheduledAt } = options;
    const time = scheduledAt && toSeconds(scheduledAt);
    const isUnpublished = time === undefined && published === false;
    return safeTry(async function* () {
      const source = yield* openDigested(context, call, photo, 'photo', photoUrl);
      const request = {
        ...call,
        ...publication.photoRequest(pageId, source, {
          message,
          alt_text_custom: altText,
          published: time === undefined ? published : false,
          scheduled_publish_time: time,
        }),
        schema,
      };
      const upload = (): ResultAsync<PublishedPhoto, RequestFailure> =>
        // What nobody sees cannot be published twice, with a key either.
        isUnpublished
          ? send(context, request)
          : sendOnce(context, request, photoLookup(context, call, { pageId, time, text: message }));
      const known = isSent(context) ? recordedIn(context).photo_id : undefined;
      const sent: PublishedPhoto =
        known === undefined
          ? yield* publication.reportFileChange(context, call, upload(), source)
          : { id: known };
      if (time === undefined || sent.post_id !== undefined) return ok(sent);
      // If the lookup fails, another call under the key only looks again. Even if the store fails, it is scheduled.
      yield* recordIds(context, { photo_id: sent.id }).orElse(() => okAsync());
      return publication
        .scheduledPostOf(context, call, pageId, sent.id)
        .map((post) => ({ ...sent, ...post }))
        .mapErr((failure) => withIds(failure, { photo_id: sent.id }));
    });
  });
}

/** Reads the response to a photo upload. It has a `post_id` only if the photo is published. */
const schema: Schema<PublishedPhoto> = objectTo({ id: idSchema, post_id: optionalId }, ({ id, post_id }) => ({
  id,
  ...(post_id !== undefined && { post_id }),
}));

/** Looks up a photo by the text of its post, which must show only that photo. */
function photoLookup(context: PageContext, call: Call, post: NewPost): EffectLookup<PublishedPhoto> {
  const photos = new Map<string, string>();
  return {
    kind: 'entry',
    idOf: ({ post_id }) => post_id,
    // The response does not name the post of a scheduled photo.
    hasOtherId: post.time !== undefined,
    toValue: (post_id) => {
      const photoId = photos.get(post_id);
      return photoId === undefined ? undefined : { id: photoId, post_id };
    },
    entries: publication.postEntries(context, call, {
      ...post,
      isOwn: (entry) => {
        const [photoId = '', ...more] = publication.photosIn(entry);
        photos.set(idIn(entry), photoId);
        // A person may have added more.
        return photoId === '' || more.length > 0 ? 'unclear' : undefined;
      },
    }),
  };
}

const maxConcurrent = 10;

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

export interface PublishPhotosOptions extends OnePageOptions, KeyedOptions, PlaceOptions {
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
 * to ten at the same time; then the post is published with them.
 *
 * Once-only: after a lost response, the post is looked up by its photos, text and time among the newest posts, or the
 * scheduled ones.
 *
 * If it fails, the error's `ids` hold the `photo_ids` uploaded so far. Its `payload.photos` has an entry for each photo
 * of the call: its id, or `null` if it is not uploaded. To resume within 24 hours, replace the uploaded photos with
 * `{ photoId }`. If one photo caused the failure, `failedItem` is its index, counted from 0.
 *
 * Source: platform guide, Posts.
 *
 * @example
 * const photos = [{ photo: './first.jpg', altText: 'A table' }, { photoUrl: 'https://example.com/second.jpg' }];
 * const post = await publishPhotos(context, { pageId, pageToken, photos, message: 'Two tables' });
 * if (post.isOk()) console.log(post.value.photo_ids);
 */
export function publishPhotos(
  context: PageContext,
  options: PublishPhotosOptions,
): ResultAsync<PublishedPhotos, Failure> {
  const checked = check(context, options, photosRules, publication.checkPlace);
  return performKeyed(context, 'publishPhotos', checked, 'page', (context, call, options) => {
    const { pageId, photos, message, scheduledAt } = options;
    const time = scheduledAt && toSeconds(scheduledAt);
    const onCreated = guardHook(options.onCreated);
    return safeTry(async function* () {
      // All files, before anything is sent.
      const sources = yield* ResultAsync.combine(
        photos.map(({ photo, photoUrl = '' }, at) =>
          openDigested<Photo>(context, call, photo, `photos[${at}].photo`, photoUrl),
        ),
      );
      const upload = (at: number): ResultAsync<Created, RequestFailure> =>
        publication.uploadPhoto(context, call, pageId, sources[at] ?? '', {
          alt_text_custom: photos[at]?.altText,
          temporary: time === undefined ? undefined : true,
        });
      const photo_ids = yield* new ResultAsync(uploadAll(context, photos, upload, onCreated));
      // By this call, or an earlier one under its key.
      const isUploaded = photos.some(({ photoId }) => photoId === undefined);
      const post = yield* sendOnce(
        context,
        {
          ...call,
          method: POST,
          path: path`${pageId}/feed`,
          form: {
            message,
            attached_media: JSON.stringify(photo_ids.map((media_fbid) => ({ media_fbid }))),
            published: time === undefined ? undefined : false,
            scheduled_publish_time: time,
            unpublished_content_type: time === undefined ? undefined : 'SCHEDULED',
            ...publication.placeOf(options),
          },
          schema: createdSchema,
        },
        {
          kind: 'entry',
          ...asCreated,
          ids: { photo_ids },
          entries: publication.postEntries(context, call, {
            pageId,
            time,
            text: message,
            isOwn: (post) => showsPhotos(post, photo_ids, isUploaded),
            carries: isUploaded,
          }),
        },
      ).mapErr((failure) => ofPhotos(withPayload(failure, { photos: photo_ids }), photos, photo_ids));
      return ok({ id: post.id, photo_ids });
    });
  });
}

export interface PhotosOptions extends PageListOptions {
  /**
   * Photos that the Page published, in which it is tagged, or that were its profile picture.
   * @default 'uploaded'
   */
  readonly type?: 'uploaded' | 'tagged' | 'profile' | undefined;
}

/**
 * Lists the photos of a Page.
 *
 * Source: Graph API reference, Page photos.
 *
 * @example
 * const found = await photos(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((photo) => photo.images?.[0]?.source));
 */
export function photos(context: PageContext, options: PhotosOptions): ResultAsync<List<PagePhoto>, Failure> {
  const checked = check(context, options, { ...publication.pageListRules, type: rule.optional(photoType) });
  return performList(context, 'photos', checked, 25, (options) => {
    const { pageId, type = 'uploaded' } = options;
    return entriesAt(path`${pageId}/photos`, pagePhotoSchema, options, { type });
  });
}

export interface PhotoDetailsOptions extends PageCallOptions, FieldOptions {
  /** The id of a photo, published or not. */
  readonly photoId: string;
}

/**
 * Reads one photo of a Page, also one that is not published yet.
 *
 * Source: Graph API reference, Photo.
 *
 * @example
 * const photo = await photoDetails(context, { photoId, pageToken });
 * if (photo.isOk()) console.log(photo.value.link, photo.value.images?.[0]?.source);
 */
export function photoDetails(
  context: PageContext,
  options: PhotoDetailsOptions,
): ResultAsync<PagePhoto, Failure> {
  const checked = check(context, options, { ...ofPhoto, ...fieldRules });
  return performRequest(context, 'photoDetails', checked, ({ photoId, fields }) => ({
    path: path`${photoId}`,
    query: { fields: fieldsFor(pagePhotoSchema, fields) },
    ownFields,
    schema: pagePhotoSchema,
  }));
}

export interface DeletePhotoOptions extends PageCallOptions {
  readonly photoId: string;
}

/**
 * Deletes a photo, published or not, and returns `true`. A post that shows it alone goes with it. This cannot be undone.
 * The platform deletes what the id names, whatever it is: given the id of a post, that post, with all its photos.
 *
 * After a lost response it is sent again. If the platform then says that there is no such photo, the error's `outcome`
 * is `unknown`: either the first attempt deleted it, or the token may not see it. The platform has one code for both.
 *
 * Source: Graph API reference, Photo.
 *
 * @example
 * const deleted = await deletePhoto(context, { photoId, pageToken });
 * if (deleted.isOk()) console.log('gone');
 */
export function deletePhoto(
  context: PageContext,
  options: DeletePhotoOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, ofPhoto);
  return performRequest(context, 'deletePhoto', checked, ({ photoId }) => ({
    method: DELETE,
    path: path`${photoId}`,
    schema: successSchema,
  }));
}

const photoType = rule.oneOf('uploaded', 'tagged', 'profile');

const photoRules = {
  idempotencyKey: keyRule,
  ...pageRules,
  photoUrl: rule.optional(rule.mediaUrl),
  photo: rule.optional(fileSource('photoUrl')),
  message: rule.optional(rule.text),
  altText: rule.optional(rule.text),
  published: rule.optional(rule.flag),
  scheduledAt: rule.optional(time),
};

const photoItem = rule.fields(
  {
    photoUrl: rule.optional(rule.mediaUrl),
    photo: rule.optional(fileSource('photoUrl')),
    photoId: rule.optional(rule.id),
    altText: rule.optional(rule.text),
  },
  (item) => {
    if (['photoUrl', 'photo', 'photoId'].filter((name) => name in item).length !== 1) {
      return 'must have exactly one of photoUrl, photo and photoId';
    }
    return 'photoId' in item && 'altText' in item
      ? 'must have no altText: the photo is already uploaded'
      : undefined;
  },
);

const photosRules = {
  idempotencyKey: keyRule,
  ...pageRules,
  photos: rule.listOf(photoItem, 2),
  message: rule.optional(rule.text),
  scheduledAt: rule.optional(time),
  onCreated: rule.optional(rule.hook),
  ...publication.placeRules,
};

/**
 * Uploads photos in parallel. After a failure no more uploads begin, and the error holds the ids of those that
 * succeeded.
 */
async function uploadAll(
  context: PageContext,
  items: PublishPhotosOptions['photos'],
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
      const stopped = await recordIds(context, { photo_ids: Array.from(ids, (photoId = '') => photoId) });
      hasFailed ||= stopped.isErr();
      return stopped.isErr() ? { at, failure: stopped.error } : undefined;
    },
    maxConcurrent,
  );
  const first = failures.find((one) => one !== undefined);
  if (first === undefined) return ok(known());
  const { at, failure } = first;
  const error = withPayload(withIds(withItem(failure, at), { photo_ids: known() }), {
    photos: Array.from(ids, (photoId) => photoId ?? null),
  });
  return err(withMessage(error, `photo ${at + 1} of ${items.length}: ${failure.message}`));
}

/** Adds to a refusal of the post which photo it is about, if it says so, or can be about one alone: by its id, or its place. */
function ofPhotos(
  failure: RequestFailure,
  items: PublishPhotosOptions['photos'],
  photo_ids: readonly string[],
): RequestFailure {
  if (failure.name === 'TransportError' || !failure.message.includes('media_fbid')) return failure;
  const named = itemsNamed(failure, 'attached_media', photo_ids);
  // Those that were uploaded just now exist.
  const given = [...items.keys()].filter((at) => items[at]?.photoId !== undefined);
  const [only, ...others] = named.length > 0 ? named : given;
  return only !== undefined && others.length === 0 ? withItem(failure, only) : failure;
}

/**
 * Whether a post is the one that a call publishes with these photos: one photo may be part of several posts.
 * `isUploaded` says that one of them was uploaded for it.
 */
function showsPhotos(
  post: ListEntry,
  photo_ids: readonly string[],
  isUploaded: boolean,
): boolean | 'unclear' | undefined {
  // The first one is the album itself.
  const [, ...shown] = publication.photosIn(post);
  if (shown.length === 0) return 'unclear';
  const isSame = shown.length === photo_ids.length && photo_ids.every((one) => shown.includes(one));
  // A photo that the caller knew before may be part of other posts.
  if (isSame) return isUploaded || undefined;
  // A person may have removed some.
  return photo_ids.some((one) => shown.includes(one)) && 'unclear';
}
